import Synchronization

/// A stage that refuses what an author asks for too often.
///
/// Each author has a bucket that fills by `rate` actions a second up to `burst`; an action takes
/// one. Follow-ups and answers of effects are let pass: who asked for them has paid already. Time
/// comes from the dependency ``DependencyValues/clock``.
public final class RateLimiter<State: Sendable, Action: Sendable>: Middleware {
  /// What lists of the pipeline call it.
  public let name: String
  private let rate: Double
  private let burst: Double
  private let content = Mutex(Content())

  fileprivate struct Content {
    var elapsed: (@Sendable () -> Duration)?
    var buckets: [String: Bucket] = [:]
    var sweepSize = 1_024
  }

  fileprivate struct Bucket {
    var tokens: Double
    var filled: Duration
  }

  /// Makes a limiter.
  ///
  /// - Parameters:
  ///   - rate: actions a second in the long run; at least one in an hour.
  ///   - burst: actions at once; at least 1.
  ///   - name: what lists call it.
  public init(perSecond rate: Double, burst: Int, name: String = "rateLimiter") {
    self.rate = max(rate, 1 / 3_600)
    self.burst = Double(max(burst, 1))
    self.name = name
  }

  /// Passes an action whose author has not asked too often.
  ///
  /// - Throws: ``RateLimited``.
  public func process(
    _ action: Action, in state: State, _ context: DispatchContext
  ) throws -> Passage<Action> {
    guard case .outside = context.origin else { return .pass() }
    let now = now()
    let wait = content.withLock { content in
      content.takeToken(of: context.author, at: now, rate: rate, burst: burst)
    }
    if let wait { throw RateLimited(author: context.author, retryAfter: wait) }
    return .pass()
  }

  private func now() -> Duration {
    let known = content.withLock { $0.elapsed }
    if let known { return known() }
    let made = elapsedTime(of: DependencyValues.current.clock)
    let elapsed = content.withLock { content in
      content.elapsed = content.elapsed ?? made
      return content.elapsed ?? made
    }
    return elapsed()
  }
}

extension RateLimiter.Content {
  /// Takes one token; without one, says how long it takes until there is.
  fileprivate mutating func takeToken(
    of author: String, at now: Duration, rate: Double, burst: Double
  ) -> Duration? {
    var bucket = buckets[author] ?? .init(tokens: burst, filled: now)
    bucket.tokens = min(burst, bucket.tokens + (now - bucket.filled) / .seconds(1) * rate)
    bucket.filled = now
    let isAllowed = bucket.tokens >= 1
    if isAllowed { bucket.tokens -= 1 }
    buckets[author] = bucket
    sweep(at: now, rate: rate, burst: burst)
    return isAllowed ? nil : .seconds((1 - bucket.tokens) / rate)
  }

  /// Forgets the buckets that are full again, whenever there are twice as many as were left.
  private mutating func sweep(at now: Duration, rate: Double, burst: Double) {
    guard buckets.count > sweepSize else { return }
    buckets = buckets.filter { _, bucket in
      bucket.tokens + (now - bucket.filled) / .seconds(1) * rate < burst
    }
    sweepSize = max(1_024, 2 * buckets.count)
  }
}

/// An action came too soon; the same action may be dispatched again later.
public struct RateLimited: RejectionConvertible, Hashable, CustomStringConvertible {
  /// Who asked too often.
  public let author: String
  /// After what time the next action passes.
  public let retryAfter: Duration

  /// Makes the error.
  public init(author: String, retryAfter: Duration) {
    self.author = author
    self.retryAfter = retryAfter
  }

  /// The reason `rate_limited`, and when to come again.
  public var rejection: Rejection { Rejection(reason: "rate_limited", message: description) }

  /// Who is limited, and when to come again.
  public var description: String {
    let who = author.isEmpty ? "actions come" : "\(author) dispatches"
    return "\(who) too fast; the next one passes in \(retryMilliseconds) ms"
  }
}

extension RateLimited {
  /// Whole milliseconds until the next action passes; none where it does now, a day at most, since a
  /// stage of the app's may have made any time at all out of its input.
  var retryMilliseconds: Int64 {
    let wait = min(max(retryAfter, .zero), .seconds(86_400))
    return Int64((wait / .milliseconds(1)).rounded(.up))
  }
}

/// The time since now, on a clock.
func elapsedTime(of clock: some Clock<Duration>) -> @Sendable () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}
