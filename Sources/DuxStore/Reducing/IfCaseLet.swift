/// Runs a child reducer on the payload of one case of a state that is an enum.
///
/// `ifCaseLet` of a ``Reducer`` makes one.
public struct IfCaseLet<Parent: Reducer, Child: Reducer>: Reducer {
  let parent: Parent
  let place: CasePath<Parent.State, Child.State>
  let action: CasePath<Parent.Action, Child.Action>
  let name: String
  let child: Child

  /// Runs the child if the action is the child's, then the parent.
  public func reduce(
    into state: inout Parent.State, action: Parent.Action
  ) throws -> Effect<Parent.Action> {
    guard let childAction = self.action.extract(action) else {
      return try parent.reduce(into: &state, action: action)
    }
    guard var childState = place.extract(state) else {
      throw Rejection.targetGone("the state is not \(name)")
    }
    let effect = try child.reduce(into: &childState, action: childAction)
      .lifted(by: self.action.embed, to: [name])
    state = place.embed(childState)
    return effect.beside(try parent.reduce(into: &state, action: action))
  }

  /// What went from the parent, and the child or what went from it.
  public func departures(from old: Parent.State, to new: Parent.State) -> [EffectScope] {
    let parents = parent.departures(from: old, to: new)
    guard let former = place.extract(old) else { return parents }
    guard let current = place.extract(new) else { return parents + [EffectScope(path: [name])] }
    return parents + child.departures(from: former, to: current).inside([name])
  }

  /// Enters the parent's slices and the child.
  public func describe(in outline: inout ReducerOutline) {
    parent.describe(in: &outline)
    outline.slice(named: name, child)
  }
}

extension Reducer {
  /// The same reducer, on a state that is an enum, with a child for one case, which runs before it.
  ///
  /// ```swift
  /// enum State: Codable, Equatable, Sendable { case login(Login.State), home(Home.State) }
  /// enum Action: Codable, Equatable, Sendable { case login(Login.Action), home(Home.Action) }
  ///
  /// var body: some Reducer<State, Action> {
  ///   Reduce { state, action in
  ///     if case .login(.succeeded(let user)) = action { state = .home(Home.State(user: user)) }
  ///     return .none
  ///   }
  ///   .ifCaseLet(State.login, named: "login", action: Action.login) { Login() }
  ///   .ifCaseLet(State.home, named: "home", action: Action.home) { Home() }
  /// }
  /// ```
  ///
  /// When the state is of another case after a step, the child's effects end with that step. An
  /// action for a case that the state is not of is rejected as `target_gone`.
  public func ifCaseLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ place: @escaping @Sendable (ChildState) -> State, named name: String,
    action: @escaping @Sendable (ChildAction) -> Action,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) -> IfCaseLet<Self, Child> {
    ifCaseLet(CasePath(place), named: name, action: CasePath(action), child: child)
  }

  /// The same reducer, on a state that is an enum, with a child for one case, by case paths.
  public func ifCaseLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ place: CasePath<State, ChildState>, named name: String,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) -> IfCaseLet<Self, Child> {
    IfCaseLet(parent: self, place: place, action: action, name: name, child: child())
  }
}
