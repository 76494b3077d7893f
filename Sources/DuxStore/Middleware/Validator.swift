/// A stage that refuses actions by a rule of the app's.
public struct Validator<State: Sendable, Action: Sendable>: Middleware {
  /// What lists of the pipeline call it.
  public let name: String
  private let check: @Sendable (Action, State) throws -> Void

  /// Makes a validator; what `check` throws refuses the action.
  public init(
    _ name: String = "validator",
    check: @escaping @Sendable (_ action: Action, _ state: State) throws -> Void
  ) {
    self.name = name
    self.check = check
  }

  /// Passes the actions that meet the rule.
  public func process(
    _ action: Action, in state: State, _ context: DispatchContext
  ) throws -> Passage<Action> {
    try check(action, state)
    return .pass()
  }
}
