/// Sets the declared fields of a state as clients ask.
///
/// ```swift
/// enum Action: Codable, Equatable, Sendable {
///   case binding(BindingAction<State>)
///   case reload
/// }
///
/// var body: some Reducer<State, Action> {
///   BindingReducer(action: Action.binding)
///   Reduce { state, action in
///     switch action {
///     case .binding(let binding) where binding.sets(\.query): return search(state.query)
///     case .binding, .reload: return .none
///     }
///   }
/// }
/// ```
///
/// A field that was not declared is rejected as `unknown_field`, a value of another type as
/// `bad_value`, and what a field's check throws goes to whoever asked.
public struct BindingReducer<State: Bindable, Action: Sendable>: Reducer {
  private let action: CasePath<Action, BindingAction<State>>

  /// Makes a reducer for the case that holds binding actions, given by its constructor.
  public init(action: @escaping @Sendable (BindingAction<State>) -> Action) {
    self.action = CasePath(action)
  }

  /// Makes a reducer for the case that holds binding actions, given by a case path.
  public init(action: CasePath<Action, BindingAction<State>>) {
    self.action = action
  }

  /// Sets a field if the action asks for it.
  public func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    guard let binding = self.action.extract(action) else { return .none }
    guard let field = State.fields.first(where: { $0.name == binding.field }) else {
      let known = State.fields.map { quoted($0.name) }.joined(separator: ", ")
      throw Rejection(
        reason: "unknown_field",
        message: "there is no field \(quoted(binding.field)) to set; there is "
          + (known.isEmpty ? "none" : known))
    }
    try field.write(binding.value, &state)
    return .none
  }
}
