/// How much of what happens a test must say.
public enum Exhaustivity: Sendable {
  /// Everything: each change of the state, each action of an effect, each effect's end.
  case strict
  /// What the test says must hold; of the rest nothing is asked.
  ///
  /// A closure then gets the state *after* the step and must leave it as it is, so what it says is
  /// absolute: `$0.count = 3` rather than `$0.count += 1`.
  case partial
  /// As ``partial``, and what was left out is told, without a failure.
  case partialReporting
}

/// Whether it is a failure when there is nothing to skip.
public enum SkipDemand: Sendable {
  /// There must be something.
  case required
  /// There may be nothing.
  case ifAny
}
