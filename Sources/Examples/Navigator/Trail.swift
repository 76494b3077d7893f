public import DuxStore

/// A screen on the way from the menu to what is seen.
public struct TrailStop: Equatable, Sendable, Identifiable {
  /// Which screen it is.
  public enum Screen: Equatable, Sendable {
    case menu
    case numberList
    case number(Int)
    case step(SignUpStep)
  }

  /// What it is known by among all screens: the ids of the routes that it lies in, with slashes between.
  public let id: String
  /// The route of the home that it is, or lies in.
  public let outer: RouteID
  /// The route of the flow's stack; nothing for the home's own.
  public let inner: RouteID?
  /// How it lies on the one before.
  public let style: RouteStyle
  /// Which screen it is.
  public let screen: Screen
}

extension Home.State {
  /// The screens from the menu to the one that is seen, through all stacks.
  public var trail: [TrailStop] {
    routes.all.flatMap { route -> [TrailStop] in
      switch route.screen {
      case .menu:
        [
          TrailStop(
            id: route.id.rawValue, outer: route.id, inner: nil, style: route.style, screen: .menu)
        ]
      case .numbers(let flow):
        stops(of: flow.routes, in: route) {
          if case .detail(let detail) = $0 { .number(detail.number) } else { .numberList }
        }
      case .signUp(let flow): stops(of: flow.routes, in: route) { .step($0) }
      }
    }
  }

  /// A flow's screens; its root lies as the flow does.
  private func stops<Screen>(
    of inner: Routes<Screen>, in outer: Route<HomeScreen>,
    _ screen: (Screen) -> TrailStop.Screen
  ) -> [TrailStop] {
    inner.all.map { route in
      TrailStop(
        id: "\(outer.id)/\(route.id)", outer: outer.id, inner: route.id,
        style: route.id == inner.root.id ? outer.style : route.style, screen: screen(route.screen))
    }
  }

  /// What was entered in the form that is seen; nothing where none is.
  public var openDraft: SignUpDraft? {
    guard case .signUp(let flow) = routes.top.screen else { return nil }
    return drafts[id: flow.draft]
  }
}

extension Home.State {
  /// Goes back from the screen that is seen: in its own stack, or where that is at its root, from that.
  mutating func goBack(from seen: TrailStop.ID?) throws {
    if let seen, trail.last?.id != seen {
      throw Rejection(
        reason: "nav_conflict", message: "the screen \"\(seen)\" is not on top any more")
    }
    let outer = routes.top.id
    let isDone = try routes.update(outer) { try $0.goBackWithin() }
    if isDone != true { try routes.goBack() }
  }
}

extension HomeScreen {
  /// Goes back within a flow; not where it is at its root, or where there is none.
  fileprivate mutating func goBackWithin() throws -> Bool {
    switch self {
    case .numbers(var flow) where !flow.routes.isAtRoot:
      try flow.routes.goBack()
      self = .numbers(flow)
    case .signUp(var flow) where !flow.routes.isAtRoot:
      try flow.routes.goBack()
      self = .signUp(flow)
    case .menu, .numbers, .signUp: return false
    }
    return true
  }
}
