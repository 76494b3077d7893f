/// A clock that reports an issue when it is used, and does not wait: what tests have where they give
/// no clock.
public struct FailingClock: Clock {
  /// A time of the clock.
  public typealias Instant = TestClock.Instant

  /// Makes a clock.
  public init() {}

  /// The start of time.
  public var now: Instant {
    reportUse()
    return Instant()
  }

  /// No difference is too small.
  public var minimumResolution: Duration { .zero }

  /// Reports an issue and returns.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    reportUse()
    try Task.checkCancellation()
  }

  private func reportUse() {
    unforeseen("clock")
  }
}
