/// Makes the list of stages of those written down, outermost first.
@resultBuilder
public enum MiddlewareBuilder<State: Sendable, Action: Sendable> {
  /// One stage.
  public static func buildExpression<Stage: Middleware<State, Action>>(
    _ stage: Stage
  ) -> [any Middleware<State, Action>] {
    [stage]
  }

  /// Stages from elsewhere.
  public static func buildExpression(
    _ stages: [any Middleware<State, Action>]
  ) -> [any Middleware<State, Action>] {
    stages
  }

  /// All in order.
  public static func buildBlock(
    _ stages: [any Middleware<State, Action>]...
  ) -> [any Middleware<State, Action>] {
    stages.flatMap(\.self)
  }

  /// Stages that are there sometimes.
  public static func buildOptional(
    _ stages: [any Middleware<State, Action>]?
  ) -> [any Middleware<State, Action>] {
    stages ?? []
  }

  /// The first of two alternatives.
  public static func buildEither(
    first stages: [any Middleware<State, Action>]
  ) -> [any Middleware<State, Action>] {
    stages
  }

  /// The second of two alternatives.
  public static func buildEither(
    second stages: [any Middleware<State, Action>]
  ) -> [any Middleware<State, Action>] {
    stages
  }
}
