import Synchronization

/// Runs a screen's reducer on the route that an action is for, and carries out what is asked of the stack.
///
/// ``Reducer/forEachRoute(_:routes:nav:named:screen:)`` makes one.
public struct ForEachRoute<Parent: Reducer, Screen: Reducer>: Reducer
where Screen.State: RouteScreen {
  let parent: Parent
  let place: any WritableKeyPath<Parent.State, Routes<Screen.State>> & Sendable
  let route: CasePath<Parent.Action, (RouteID, Screen.Action)>
  let nav: CasePath<Parent.Action, NavigationAction<Screen.State>>
  let givenName: String?
  let screen: Screen

  private var name: String { givenName ?? PlaceName.of(place) }

  /// Runs the screen, or carries out the operation, and then the parent.
  public func reduce(
    into state: inout Parent.State, action: Parent.Action
  ) throws -> Effect<Parent.Action> {
    var effect = Effect<Parent.Action>.none
    if let (id, screenAction) = route.extract(action) {
      effect = try reduceScreen(id, in: &state, screenAction)
    } else if let operation = nav.extract(action) {
      try state[keyPath: place].apply(operation)
      if operation.goesToRootOfApp { RootSummons.current?.call() }
    }
    return effect.beside(try parent.reduce(into: &state, action: action))
  }

  private func reduceScreen(
    _ id: RouteID, in state: inout Parent.State, _ action: Screen.Action
  ) throws -> Effect<Parent.Action> {
    let summons = RootSummons.current ?? RootSummons()
    let effect = try RootSummons.$current.withValue(summons) {
      try state[keyPath: place].update(id) { try screen.reduce(into: &$0, action: action) }
    }
    guard let effect else {
      throw Rejection.targetGone("\(name) has no route with the id \(quoted(id.rawValue))")
    }
    if summons.isCalled { state[keyPath: place].goBackToRoot() }
    let path = route
    return effect.lifted(by: { path.embed((id, $0)) }, to: [name, id.tableKey])
  }

  /// What went from the parent, the routes that are gone or show another screen, topmost first, and what
  /// went from screens that changed.
  public func departures(from old: Parent.State, to new: Parent.State) -> [EffectScope] {
    var departures = parent.departures(from: old, to: new)
    let (former, current) = (old[keyPath: place], new[keyPath: place])
    let name = name
    func compare(_ old: Route<Screen.State>, _ new: Route<Screen.State>?) {
      let path = [name, old.id.tableKey]
      guard let new, new.edition == old.edition else {
        return departures.append(EffectScope(path: path))
      }
      departures += screen.departures(from: old.screen, to: new.screen).inside(path)
    }
    if !former.table.isIdentical(to: current.table) {
      let difference = current.table.difference(from: former.table)
      for id in (difference.removed + difference.changed).reversed() {
        if let old = former[id: id] { compare(old, current.table[id: id]?.route) }
      }
    }
    compare(former.root, current.root.id == former.root.id ? current.root : nil)
    return departures
  }

  /// Enters the parent's slices and the screens.
  public func describe(in outline: inout ReducerOutline) {
    parent.describe(in: &outline)
    outline.slice(named: name, screen)
  }
}

/// Tells the stacks around a screen that something in it asked for the root of the app.
///
/// It lives no longer than the step that reduces the screen, so a reducer stays a function.
final class RootSummons: Sendable {
  @TaskLocal static var current: RootSummons?

  private let called = Mutex(false)

  var isCalled: Bool { called.withLock { $0 } }

  func call() { called.withLock { $0 = true } }
}

extension Reducer {
  /// The same reducer with a stack of screens, whose reducers run before it.
  ///
  /// ```swift
  /// struct Numbers: Reducer {
  ///   struct State: Codable, Equatable, Sendable { var routes = Routes(root: Screen.list) }
  ///   enum Action: Codable, Equatable, Sendable {
  ///     case route(id: RouteID, action: ScreenAction)
  ///     case nav(NavigationAction<Screen>)
  ///   }
  ///
  ///   var body: some Reducer<State, Action> {
  ///     Reduce { state, action in
  ///       switch action {
  ///       case .route(_, .list(.picked(let number))): try state.routes.push(.detail(number))
  ///       case .route(_, .detail(.doneTapped)): try state.routes.goBack()
  ///       case .route, .nav: break
  ///       }
  ///       return .none
  ///     }
  ///     .forEachRoute(\.routes, routes: Action.route(id:action:), nav: Action.nav) { ShowingScreen() }
  ///   }
  /// }
  /// ```
  ///
  /// The screen runs first, then this reducer, which alone knows what comes after a screen; an operation of
  /// ``NavigationAction`` is carried out first too, and this reducer may still refuse it. The order is the
  /// same whatever the effects do.
  ///
  /// A screen's effects are its route's. They end with the step in which the route goes, whatever makes it
  /// go, and when its screen is replaced; with the route of a screen that holds a stack of its own goes all
  /// of that. What an effect began on an action that also removed its route never begins. `detached`
  /// effects go on, and what they send to a route that is gone is rejected as `target_gone`, like any
  /// action for one.
  ///
  /// - Complexity: O(log *n*) for an action; O(change) to find what went, beside the root's screen.
  /// - Parameters:
  ///   - place: the stack.
  ///   - routes: the screens' actions among this reducer's, by the case's constructor: a route's id, then the
  ///     screen's action.
  ///   - nav: the operations on the stack among this reducer's actions, by the case's constructor.
  ///   - name: what the slice is called; needed where `place` is no stored property.
  ///   - screen: the reducers of a screen.
  /// - Returns: the two as one reducer.
  public func forEachRoute<State: RouteScreen, ScreenAction, Screen: Reducer<State, ScreenAction>>(
    _ place: any WritableKeyPath<Self.State, Routes<State>> & Sendable,
    routes: @escaping @Sendable (RouteID, ScreenAction) -> Action,
    nav: @escaping @Sendable (NavigationAction<State>) -> Action, named name: String? = nil,
    @ReducerBuilder<State, ScreenAction> screen: () -> Screen
  ) -> ForEachRoute<Self, Screen> {
    ForEachRoute(
      parent: self, place: place, route: CasePath(routes), nav: CasePath(nav), givenName: name,
      screen: screen())
  }
}
