/// Runs a child reducer on a row of a table.
///
/// `forEach` of a ``Reducer`` makes one.
public struct ForEach<Parent: Reducer, Rows: TableProtocol, Child: Reducer>: Reducer
where Child.State == Rows.Row {
  let parent: Parent
  let place: any WritableKeyPath<Parent.State, Rows> & Sendable
  let action: CasePath<Parent.Action, (Rows.ID, Child.Action)>
  let givenName: String?
  let child: Child

  private var name: String { givenName ?? PlaceName.of(place) }

  /// Runs the child on the row if the action is a row's, then the parent.
  public func reduce(
    into state: inout Parent.State, action: Parent.Action
  ) throws -> Effect<Parent.Action> {
    guard let (id, childAction) = self.action.extract(action) else {
      return try parent.reduce(into: &state, action: action)
    }
    let effect = try state[keyPath: place].update(id) { row in
      try child.reduce(into: &row, action: childAction)
    }
    guard let effect else {
      throw Rejection.targetGone("\(name) has no row with the id \"\(id.tableKey)\"")
    }
    let path = self.action
    let lifted = effect.lifted(by: { path.embed((id, $0)) }, to: [name, id.tableKey])
    return lifted.beside(try parent.reduce(into: &state, action: action))
  }

  /// What went from the parent, the rows that are gone, and what went from rows that changed.
  public func departures(from old: Parent.State, to new: Parent.State) -> [EffectScope] {
    var departures = parent.departures(from: old, to: new)
    let (former, current) = (old[keyPath: place], new[keyPath: place])
    guard !former.isIdentical(to: current) else { return departures }
    let name = name
    let difference = current.difference(from: former)
    for id in difference.removed { departures.append(EffectScope(path: [name, id.tableKey])) }
    for id in difference.changed {
      guard let old = former[id: id], let new = current[id: id] else { continue }
      departures += child.departures(from: old, to: new).inside([name, id.tableKey])
    }
    return departures
  }

  /// Enters the parent's slices and the rows.
  public func describe(in outline: inout ReducerOutline) {
    parent.describe(in: &outline)
    outline.slice(named: name, child)
  }
}

extension Reducer {
  /// The same reducer with a child for each row of a table, which runs before it.
  ///
  /// ```swift
  /// struct Todos: Reducer {
  ///   struct State: Codable, Equatable, Sendable { var rows = Table<Todo.State.ID, Todo.State>() }
  ///   enum Action: Codable, Equatable, Sendable {
  ///     case add(title: String)
  ///     case row(id: Todo.State.ID, action: Todo.Action)
  ///   }
  ///
  ///   var body: some Reducer<State, Action> {
  ///     Reduce { state, action in
  ///       switch action {
  ///       case .add(let title): try state.rows.append(Todo.State(id: uuid(), title: title))
  ///       case .row(let id, .deleteTapped): state.rows.remove(id: id)
  ///       case .row: break
  ///       }
  ///       return .none
  ///     }
  ///     .forEach(\.rows, action: Action.row(id:action:)) { Todo() }
  ///   }
  /// }
  /// ```
  ///
  /// The row's reducer runs first, so the parent may remove the row on its last action. A row's
  /// effects are its own, and end with the step in which it goes, whatever makes it go; a row put
  /// back under its id in the same step is the same row. An action for a row that is gone is rejected
  /// as `target_gone`.
  ///
  /// - Complexity: O(log *n*) for an action; O(change) to find what went.
  /// - Parameters:
  ///   - place: the table.
  ///   - action: the rows' actions among the parent's, by the case's constructor: an id, then the
  ///     row's action.
  ///   - name: what the slice is called; needed where `place` is no stored property.
  ///   - child: the reducers of a row.
  /// - Returns: the two as one reducer.
  public func forEach<Rows: TableProtocol, ChildAction, Child: Reducer<Rows.Row, ChildAction>>(
    _ place: any WritableKeyPath<State, Rows> & Sendable,
    action: @escaping @Sendable (Rows.ID, ChildAction) -> Action, named name: String? = nil,
    @ReducerBuilder<Rows.Row, ChildAction> child: () -> Child
  ) -> ForEach<Self, Rows, Child> {
    forEach(place, action: CasePath(action), named: name, child: child)
  }

  /// The same reducer with a child for each row of a table, whose actions are found by a case path.
  public func forEach<Rows: TableProtocol, ChildAction, Child: Reducer<Rows.Row, ChildAction>>(
    _ place: any WritableKeyPath<State, Rows> & Sendable,
    action: CasePath<Action, (Rows.ID, ChildAction)>, named name: String? = nil,
    @ReducerBuilder<Rows.Row, ChildAction> child: () -> Child
  ) -> ForEach<Self, Rows, Child> {
    ForEach(parent: self, place: place, action: action, givenName: name, child: child())
  }
}
