/// A route as a whole list of them is set: a new one, or one that stays.
///
/// In JSON `{"style":"push","screen":{…}}` is a new one and `{"id":"…"}` one that stays as it is; what else is
/// said of one that stays, changes it.
public struct RoutePlan<Screen: RouteScreen>: Equatable, Sendable {
  /// The route that stays; nothing for a new one.
  public let id: RouteID?
  /// How it lies on the one below.
  ///
  /// Nothing where it stays as it lies, and for a new one that is pushed.
  public let style: RouteStyle?
  /// What it shows; nothing where it goes on showing what it does.
  public let screen: Screen?

  init(id: RouteID?, style: RouteStyle?, screen: Screen?) {
    self.id = id
    self.style = style
    self.screen = screen
  }

  /// A new route that is pushed.
  public static func push(_ screen: Screen) -> RoutePlan {
    RoutePlan(id: nil, style: .push, screen: screen)
  }

  /// A new route that is presented.
  public static func present(
    _ screen: Screen, as style: ModalStyle = .sheet, stack: Bool = false
  ) -> RoutePlan {
    RoutePlan(id: nil, style: style.style(stack: stack), screen: screen)
  }

  /// A route that stays, with all that goes on in it.
  public static func keep(_ id: RouteID) -> RoutePlan {
    RoutePlan(id: id, style: nil, screen: nil)
  }
}

extension RoutePlan: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, style, stack, screen
  }

  /// Writes what is said.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if let id { try container.encode(id, forKey: .id) }
    if let style { try style.encode(to: &container, style: .style, stack: .stack) }
    if let screen { try container.encode(screen, forKey: .screen) }
  }

  /// Reads what is said.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decodeIfPresent(RouteID.self, forKey: .id)
    style =
      try container.decodeIfPresent(String.self, forKey: .style) == nil
      ? nil : RouteStyle(from: container, style: .style, stack: .stack)
    screen = try container.decodeIfPresent(Screen.self, forKey: .screen)
  }
}

extension Routes {
  /// Sets the whole stack in one step: what a link into the depth of an app does.
  ///
  /// Either all of it can be, or nothing is changed. Routes that are not kept go, with their effects.
  ///
  /// - Parameters:
  ///   - root: the new root's screen; nothing where the root stays.
  ///   - plans: the routes above the root, lowest first.
  /// - Throws: ``NavigationError`` where one can't lie there, is kept and not there, or is there twice.
  public mutating func set(
    root: Screen? = nil, _ plans: [RoutePlan<Screen>]
  ) throws(NavigationError) {
    guard plans.count <= Self.maximumCount else { throw .tooDeep(limit: Self.maximumCount) }
    var next = self
    if let root {
      next.root = Route(id: .minted(), style: self.root.style, screen: root)
    }
    next.table.removeAll()
    var stack = next.root.style.stack ?? false
    var layer = next.root.id
    for plan in plans {
      let route = try make(plan)
      guard !next.contains(route.id) else { throw .duplicateRoute(route.id) }
      guard route.style != .push || stack else { throw .cannotPush(in: layer) }
      if let own = route.style.stack { (stack, layer) = (own, route.id) }
      next.table.upsert(.known(route))
    }
    guard next != self else { return }
    next.revision &+= 1
    self = next
  }

  private func make(_ plan: RoutePlan<Screen>) throws(NavigationError) -> Route<Screen> {
    if case .root = plan.style {
      throw .badRoute("a route above the root is pushed or presented, and is no root")
    }
    guard let id = plan.id else {
      guard let screen = plan.screen else {
        throw .badRoute("a new route needs a screen, and one to be kept needs its id")
      }
      return Route(id: .minted(), style: plan.style ?? .push, screen: screen)
    }
    guard var route = table[id: id]?.route else {
      throw .noSuchRoute("with the id \(quoted(id.rawValue)) above the root")
    }
    if let style = plan.style { route.style = style }
    if let screen = plan.screen { route.show(screen) }
    return route
  }

  /// Puts another screen in the place of a route's: the route and what lies above it stay, and the effects of
  /// the former screen end.
  ///
  /// - Throws: ``NavigationError/noSuchRoute(_:)`` where there is none with the id.
  public mutating func replace(_ id: RouteID, with screen: Screen) throws(NavigationError) {
    if id == root.id {
      root.show(screen)
    } else {
      guard var route = table[id: id]?.route else {
        throw .noSuchRoute("with the id \(quoted(id.rawValue))")
      }
      route.show(screen)
      table[id: id] = .known(route)
    }
    revision &+= 1
  }

  /// Forgets what could not be taken over, once somebody has seen it.
  public mutating func forgetDropped() {
    dropped = []
  }
}

extension Route {
  /// Shows another screen.
  mutating func show(_ screen: Screen) {
    self.screen = screen
    edition &+= 1
  }
}
