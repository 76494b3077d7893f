/// A reducer written in place, as part of a body.
public struct Reduce<State: Sendable, Action: Sendable>: Reducer {
  private let closure: @Sendable (inout State, Action) throws -> Effect<Action>

  /// Makes a reducer of a closure.
  public init(_ closure: @escaping @Sendable (inout State, Action) throws -> Effect<Action>) {
    self.closure = closure
  }

  /// Runs the closure.
  public func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    try closure(&state, action)
  }
}
