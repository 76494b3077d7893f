import Synchronization

/// A clock on which no sleep takes time: each sets the clock to its deadline.
public final class ImmediateClock: Clock {
  /// A time of the clock.
  public typealias Instant = TestClock.Instant

  private let time = Mutex(Instant())

  /// Makes a clock.
  public init() {}

  /// The deadline of the latest sleep.
  public var now: Instant { time.withLock { $0 } }

  /// No difference is too small.
  public var minimumResolution: Duration { .zero }

  /// Lets others run, and returns.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
    try Task.checkCancellation()
  }
}
