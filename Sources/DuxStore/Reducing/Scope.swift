/// Runs a child reducer on a part of the state, for the actions that are the child's.
///
/// ```swift
/// struct Shop: Reducer {
///   struct State: Codable, Equatable, Sendable {
///     var todos = Todos.State()
///     var settings = Settings.State()
///   }
///   enum Action: Codable, Equatable, Sendable {
///     case todos(Todos.Action)
///     case settings(Settings.Action)
///   }
///   var body: some Reducer<State, Action> {
///     Scope(\.todos, action: Action.todos) { Todos() }
///     Scope(\.settings, action: Action.settings) { Settings() }
///     Reduce { state, action in … }     // sees what the children left
///   }
/// }
/// ```
///
/// What others call `pullback` is this, and what they call `combine` is a body of several. The
/// child's effects answer with the parent's actions, and belong to the slice: their ids are the
/// slice's own. A slice is called by its place in the state, `todos` above; two slices of one
/// reducer need two names (``ReducerOutline``).
public struct Scope<State: Sendable, Action: Sendable, Child: Reducer>: Reducer {
  private let place: any WritableKeyPath<State, Child.State> & Sendable
  private let action: CasePath<Action, Child.Action>
  private let givenName: String?
  private let child: Child

  /// Makes a reducer of a child's.
  ///
  /// - Parameters:
  ///   - place: the child's part of the state.
  ///   - action: the child's actions among the parent's, by the case's constructor.
  ///   - name: what the slice is called; needed where `place` is no stored property.
  ///   - child: the child's reducers.
  public init<ChildState, ChildAction>(
    _ place: any WritableKeyPath<State, ChildState> & Sendable,
    action: @escaping @Sendable (ChildAction) -> Action, named name: String? = nil,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where ChildState == Child.State, ChildAction == Child.Action {
    self.init(place, action: CasePath(action), named: name, child: child)
  }

  /// Makes a reducer of a child's, whose actions are found by a case path.
  public init<ChildState, ChildAction>(
    _ place: any WritableKeyPath<State, ChildState> & Sendable,
    action: CasePath<Action, ChildAction>, named name: String? = nil,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where ChildState == Child.State, ChildAction == Child.Action {
    self.place = place
    self.action = action
    self.givenName = name
    self.child = child()
  }

  private var name: String { givenName ?? PlaceName.of(place) }

  /// Runs the child if the action is the child's.
  public func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    guard let childAction = self.action.extract(action) else { return .none }
    let effect = try child.reduce(into: &state[keyPath: place], action: childAction)
    return effect.lifted(by: self.action.embed, to: [name])
  }

  /// What went from the child.
  public func departures(from old: State, to new: State) -> [EffectScope] {
    child.departures(from: old[keyPath: place], to: new[keyPath: place]).inside([name])
  }

  /// Enters the slice.
  public func describe(in outline: inout ReducerOutline) {
    outline.slice(named: name, child)
  }
}

extension Effect {
  /// A child's effect as its parent returns it.
  func lifted<Parent: Sendable>(
    by embed: @escaping @Sendable (Action) -> Parent, to names: @autoclosure () -> [String]
  ) -> Effect<Parent> {
    isNone ? .none : Effect<Parent>(.scoped(map(embed).node, names: names()))
  }
}

extension Effect {
  /// Both, side by side; without an array for the many that are nothing to do.
  func beside(_ other: Effect) -> Effect {
    isNone ? other : other.isNone ? self : .merge(self, other)
  }
}

extension [EffectScope] {
  /// A child's scopes as its parent knows them.
  func inside(_ names: @autoclosure () -> [String]) -> [EffectScope] {
    guard !isEmpty else { return [] }
    let names = names()
    return map { $0.inside(names) }
  }
}
