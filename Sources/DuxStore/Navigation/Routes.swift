/// A stack of screens: a root that is always there, and what was pushed and presented above it.
///
/// ```swift
/// struct State: Codable, Equatable, Sendable { var routes = Routes(root: Screen.list(.init())) }
///
/// try state.routes.push(.detail(.init(number: 7)))
/// try state.routes.goBack()
/// ```
///
/// Routes are named by ids, which new ones get from the dependency `uuid`; a position names none. A step
/// that can't be taken throws a ``NavigationError`` and changes nothing, in every build: pushing where no
/// stack is, going back from the root, popping what was presented, dismissing what was not.
///
/// In JSON it is `{"root":route,"above":table,"revision":4}`, so a patch names the routes that it
/// concerns by their ids, and a push costs the same on a deep stack and on a flat one.
public struct Routes<Screen: RouteScreen>: Equatable, Sendable {
  /// What always lies at the bottom.
  public internal(set) var root: Route<Screen>
  /// How often the stack was changed: what an operation names as its base.
  ///
  /// It counts operations that changed which routes there are, how they lie or which screen one has;
  /// not what happens within a screen.
  public internal(set) var revision: Int64
  /// What was kept and could not be taken over, the latest last; see ``forgetDropped()``.
  public internal(set) var dropped: [DroppedRoute]
  /// The routes above the root, lowest first; all of them known.
  var table: Table<RouteID, RouteRow<Screen>>

  /// Makes a stack of a root alone.
  ///
  /// - Parameters:
  ///   - screen: what the root shows.
  ///   - stack: whether screens can be pushed onto it.
  ///   - id: what the root is known by.
  public init(root screen: Screen, stack: Bool = true, id: RouteID = .root) {
    root = Route(id: id, style: .root(stack: stack), screen: screen)
    revision = 0
    dropped = []
    table = Table()
  }

  /// How many routes a stack may have above its root.
  public static var maximumCount: Int { 1_000 }
  /// How many of the routes that could not be taken over are remembered.
  public static var maximumDropped: Int { 32 }
}

extension Routes {
  /// The number of routes above the root.
  public var count: Int { table.count }

  /// Whether there is nothing but the root.
  public var isAtRoot: Bool { table.isEmpty }

  /// The route that is seen: the topmost.
  public var top: Route<Screen> { table.last?.route ?? root }

  /// All routes, the root first.
  ///
  /// - Complexity: O(*n*).
  public var all: [Route<Screen>] { [root] + table.compactMap(\.route) }

  /// The routes of the layer that is seen: from the sheet, the cover or the root that is nearest to the top
  /// up.
  public var topLayer: [Route<Screen>] {
    let all = all
    let start = all.lastIndex { $0.style.isPresented } ?? 0
    return Array(all[start...])
  }

  /// The route with an id; nothing where there is none.
  public subscript(id id: RouteID) -> Route<Screen>? {
    id == root.id ? root : table[id: id]?.route
  }

  /// Whether there is a route with an id.
  public func contains(_ id: RouteID) -> Bool { id == root.id || table.contains(id) }

  /// The topmost route that something holds for.
  public func topmost<Failure: Error>(
    where isMeant: (Route<Screen>) throws(Failure) -> Bool
  ) throws(Failure) -> Route<Screen>? {
    for row in table.rows.reversed() {
      if let route = row.route, try isMeant(route) { return route }
    }
    return try isMeant(root) ? root : nil
  }

  /// Whether something can be pushed now: whether the nearest sheet or cover, or else the root, has a stack.
  public var canPush: Bool { layer.style.stack ?? false }

  /// Whether ``goBack(_:)`` would be allowed.
  public func canGoBack(_ count: Int = 1) -> Bool {
    (1...max(1, self.count)).contains(count) && !isAtRoot
  }

  /// How many layers are presented above the root.
  public var presentedCount: Int { table.count { $0.route?.style.isPresented == true } }

  /// The route that began the topmost layer.
  var layer: Route<Screen> { topmost { $0.style.isPresented } ?? root }
}

extension Routes {
  /// Changes the screen of a route, and gives back what `body` does; nothing where there is no such route.
  ///
  /// The screen stays the same one for its effects; another one takes its place by
  /// ``replace(_:with:)``.
  @discardableResult
  public mutating func update<Result, Failure: Error>(
    _ id: RouteID, _ body: (inout Screen) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    if id == root.id { return try body(&root.screen) }
    guard var route = table[id: id]?.route else { return nil }
    let result = try body(&route.screen)
    table[id: id] = .known(route)
    return result
  }
}
