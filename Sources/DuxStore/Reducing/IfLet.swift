/// Runs a child reducer on a part of the state that is not always there.
///
/// `ifLet` of a ``Reducer`` makes one.
public struct IfLet<Parent: Reducer, Child: Reducer>: Reducer {
  typealias Identity = @Sendable (Child.State) -> String

  let parent: Parent
  let place: any WritableKeyPath<Parent.State, Child.State?> & Sendable
  let action: CasePath<Parent.Action, Child.Action>
  let givenName: String?
  let identity: Identity?
  let child: Child

  private var name: String { givenName ?? PlaceName.of(place) }

  private func names(of child: Child.State) -> [String] {
    identity.map { [name, $0(child)] } ?? [name]
  }

  /// Runs the child if the action is the child's, then the parent.
  public func reduce(
    into state: inout Parent.State, action: Parent.Action
  ) throws -> Effect<Parent.Action> {
    guard let childAction = self.action.extract(action) else {
      return try parent.reduce(into: &state, action: action)
    }
    let effect = try reduceChild(in: &state[keyPath: place], childAction)
    return effect.beside(try parent.reduce(into: &state, action: action))
  }

  /// What went from the parent, and the child or what went from it.
  public func departures(from old: Parent.State, to new: Parent.State) -> [EffectScope] {
    let parents = parent.departures(from: old, to: new)
    guard let former = old[keyPath: place] else { return parents }
    guard let current = new[keyPath: place] else {
      return parents + [EffectScope(path: names(of: former))]
    }
    if let identity, identity(former) != identity(current) {
      return parents + [EffectScope(path: names(of: former))]
    }
    return parents + child.departures(from: former, to: current).inside(names(of: current))
  }

  /// Enters the parent's slices and the child.
  public func describe(in outline: inout ReducerOutline) {
    parent.describe(in: &outline)
    outline.slice(named: name, child)
  }

  private func reduceChild(
    in place: inout Child.State?, _ action: Child.Action
  ) throws -> Effect<Parent.Action> {
    guard var state = place else { throw Rejection.targetGone("\(name) is not there") }
    // Nothing else may hold the child's storage while it changes, or all of it would be copied.
    place = nil
    defer { place = state }
    let names = names(of: state)
    return try child.reduce(into: &state, action: action).lifted(by: self.action.embed, to: names)
  }
}

extension Reducer {
  /// The same reducer with a child that is not always there, which runs before it.
  ///
  /// ```swift
  /// struct Movies: Reducer {
  ///   struct State: Codable, Equatable, Sendable { var detail: Detail.State? }
  ///   enum Action: Codable, Equatable, Sendable { case open(Movie.ID), close, detail(Detail.Action) }
  ///
  ///   var body: some Reducer<State, Action> {
  ///     Reduce { state, action in
  ///       switch action {
  ///       case .open(let id): state.detail = Detail.State(id: id)
  ///       case .close: state.detail = nil
  ///       case .detail: break
  ///       }
  ///       return .none
  ///     }
  ///     .ifLet(\.detail, action: Action.detail) { Detail() }
  ///   }
  /// }
  /// ```
  ///
  /// The child runs first, so the parent may end it on its last action. When it is `nil` after a
  /// step its effects end with that step. An action for a child that is not there is rejected as
  /// `target_gone`.
  ///
  /// - Parameters:
  ///   - place: the child's part of the state.
  ///   - action: the child's actions among the parent's, by the case's constructor.
  ///   - name: what the slice is called; needed where `place` is no stored property.
  ///   - child: the child's reducers.
  /// - Returns: the two as one reducer.
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ place: any WritableKeyPath<State, ChildState?> & Sendable,
    action: @escaping @Sendable (ChildAction) -> Action, named name: String? = nil,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) -> IfLet<Self, Child> {
    ifLet(place, action: CasePath(action), named: name, child: child)
  }

  /// The same reducer with a child that is not always there, whose actions are found by a case path.
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ place: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CasePath<Action, ChildAction>, named name: String? = nil,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) -> IfLet<Self, Child> {
    IfLet(
      parent: self, place: place, action: action, givenName: name, identity: nil, child: child())
  }

  /// The same reducer with a child that is not always there and has an id.
  ///
  /// Its effects belong to that id: a child of another id in its place is another child, and the
  /// effects of the former one end.
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ place: any WritableKeyPath<State, ChildState?> & Sendable,
    action: @escaping @Sendable (ChildAction) -> Action, named name: String? = nil,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) -> IfLet<Self, Child> where ChildState: Identifiable, ChildState.ID: TableID {
    ifLet(place, action: CasePath(action), named: name, child: child)
  }

  /// The same reducer with a child that is not always there and has an id, whose actions are found
  /// by a case path.
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ place: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CasePath<Action, ChildAction>, named name: String? = nil,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) -> IfLet<Self, Child> where ChildState: Identifiable, ChildState.ID: TableID {
    IfLet(
      parent: self, place: place, action: action, givenName: name, identity: { $0.id.tableKey },
      child: child())
  }
}

extension Rejection {
  /// The refusal of an action for a child that is not there.
  static func targetGone(_ message: String) -> Rejection {
    Rejection(reason: "target_gone", message: message)
  }
}
