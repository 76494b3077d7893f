import Synchronization

/// Tells those who wait that something has changed; what, they look up themselves.
final class ChangeSignal: Sendable {
  private struct Content {
    var version: UInt64 = 0
    var lastWaiter = 0
    var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
  }

  private let content = Mutex(Content())

  /// Counts the changes.
  var version: UInt64 { content.withLock { $0.version } }

  /// Tells of a change.
  func signal() {
    let waiters = content.withLock { content in
      content.version += 1
      defer { content.waiters = [:] }
      return content.waiters
    }
    for waiter in waiters.values { waiter.resume(returning: true) }
  }

  /// Waits for a change since `version`.
  ///
  /// - Returns: whether there is one; `false` at the deadline.
  func next(after version: UInt64, until deadline: ContinuousClock.Instant) async -> Bool {
    let id = content.withLock { content in
      content.lastWaiter += 1
      return content.lastWaiter
    }
    let timer = Task {
      try? await ContinuousClock().sleep(until: deadline)
      self.giveUp(id)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let isDecided: Bool? = content.withLock { content in
        if content.version != version { return true }
        // The timer may have given up already, and does so but once.
        if ContinuousClock.now >= deadline { return false }
        content.waiters[id] = continuation
        return nil
      }
      if let isDecided { continuation.resume(returning: isDecided) }
    }
  }

  private func giveUp(_ id: Int) {
    let waiter = content.withLock { $0.waiters.removeValue(forKey: id) }
    waiter?.resume(returning: false)
  }
}
