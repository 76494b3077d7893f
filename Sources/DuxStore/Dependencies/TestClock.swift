import Synchronization

/// A clock that a test moves on by hand.
///
/// Sleeps end in the order of their deadlines, equal ones in the order in which they began; before
/// each, the clock shows the deadline, and whoever slept gets time to go on and to sleep again.
/// To be sure that what is tested sleeps already, wait for it with ``sleepers(_:)``.
public final class TestClock: Clock {
  /// A time of the clock: what went by since it was made.
  public struct Instant: InstantProtocol {
    /// What went by.
    public var offset: Duration

    /// Makes a time of what went by.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// A later time.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// What lies between.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Compares by what went by.
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Content {
    var now = Instant()
    var sleepers: [UInt64: Sleeper] = [:]
    var cancelledEarly: Set<UInt64> = []
    var watchers: [Watcher] = []
    var nextID: UInt64 = 0
    var whoSettles: [@Sendable () async -> Bool] = []

    mutating func takeWatchers() -> [Watcher] {
      let met = watchers.filter { $0.count == sleepers.count }
      watchers.removeAll { $0.count == sleepers.count }
      return met
    }
  }

  private let content = Mutex(Content())

  /// Makes a clock that stands still.
  public init() {}

  /// The time it was moved to.
  public var now: Instant { content.withLock { $0.now } }

  /// No difference is too small.
  public var minimumResolution: Duration { .zero }

  /// How many sleep.
  public var sleeperCount: Int { content.withLock { $0.sleepers.count } }

  /// Waits until the clock was moved to `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let id = content.withLock { content in
      content.nextID += 1
      return content.nextID
    }
    defer { content.withLock { _ = $0.cancelledEarly.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(Sleeper(deadline: deadline, continuation: continuation), as: id)
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Moves the clock on.
  public func advance(by duration: Duration) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the clock to a time, ending the sleeps until then one after another.
  public func advance(to instant: Instant) async {
    await settle()
    while wakeNext(until: instant) { await settle() }
    content.withLock { $0.now = max($0.now, instant) }
    await settle()
  }

  /// Moves the clock on until nobody sleeps.
  ///
  /// It does not return while something sleeps again and again.
  public func run() async {
    await settle()
    while wakeNext(until: nil) { await settle() }
  }

  /// Waits until exactly `count` sleep.
  public func sleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = content.withLock { content in
        if content.sleepers.count == count { return true }
        content.watchers.append(Watcher(count: count, continuation: continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  private enum Arrival {
    case sleeps([Watcher])
    case cancelled
    case over
  }

  private func add(_ sleeper: Sleeper, as id: UInt64) {
    let arrival: Arrival = content.withLock { content in
      if content.cancelledEarly.remove(id) != nil { return .cancelled }
      if sleeper.deadline <= content.now { return .over }
      content.sleepers[id] = sleeper
      return .sleeps(content.takeWatchers())
    }
    switch arrival {
    case .sleeps(let watchers): for watcher in watchers { watcher.continuation.resume() }
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    case .over: sleeper.continuation.resume()
    }
  }

  private func cancel(_ id: UInt64) {
    let (sleeper, watchers) = content.withLock { content in
      let sleeper = content.sleepers.removeValue(forKey: id)
      if sleeper == nil { content.cancelledEarly.insert(id) }
      return (sleeper, content.takeWatchers())
    }
    sleeper?.continuation.resume(throwing: CancellationError())
    for watcher in watchers { watcher.continuation.resume() }
  }

  private func wakeNext(until instant: Instant?) -> Bool {
    let (sleeper, watchers) = content.withLock { content in
      let first = content.sleepers.min { a, b in
        (a.value.deadline, a.key) < (b.value.deadline, b.key)
      }
      guard let first, instant.map({ first.value.deadline <= $0 }) ?? true else {
        return (Sleeper?.none, [Watcher]())
      }
      content.sleepers[first.key] = nil
      content.now = max(content.now, first.value.deadline)
      return (first.value, content.takeWatchers())
    }
    sleeper?.continuation.resume()
    for watcher in watchers { watcher.continuation.resume() }
    return sleeper != nil
  }

  /// Has somebody asked, before and after each time that the clock shows, to let those run who were
  /// woken; an answer of `false` takes it back.
  package func onSettling(_ settle: @escaping @Sendable () async -> Bool) {
    content.withLock { $0.whoSettles.append(settle) }
  }

  /// Lets woken tasks run; how far they get is not promised, hence ``sleepers(_:)``, but for those
  /// that somebody knows of (``onSettling(_:)``).
  private func settle() async {
    for _ in 0..<20 { await Task.yield() }
    var lasting: [@Sendable () async -> Bool] = []
    let asked = content.withLock { $0.whoSettles }
    for settle in asked where await settle() { lasting.append(settle) }
    if lasting.count < asked.count {
      content.withLock { $0.whoSettles = lasting + $0.whoSettles.dropFirst(asked.count) }
    }
  }
}
