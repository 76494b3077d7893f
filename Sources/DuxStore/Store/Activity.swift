import Synchronization

/// What a dispatch set going: the action, its effects, the actions that those send, their effects,
/// and so on.
public final class Activity: Sendable {
  private struct Content {
    var isFinished = false
    var isCancelled = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var stop: (@Sendable () -> Void)?
  }

  private let content = Mutex(Content())

  init() {}

  /// Whether nothing of it goes on any more.
  public var isFinished: Bool { content.withLock { $0.isFinished } }

  /// Whether it was cancelled.
  public var isCancelled: Bool { content.withLock { $0.isCancelled } }

  /// Waits until nothing of it goes on any more.
  public func finish() async {
    await withCheckedContinuation { continuation in
      let isFinished = content.withLock { content in
        if !content.isFinished { content.waiting.append(continuation) }
        return content.isFinished
      }
      if isFinished { continuation.resume() }
    }
  }

  /// Cancels the effects and drops the follow-ups that wait.
  ///
  /// An action that was dispatched and waits is still reduced, and its effects don't start. Nothing
  /// of a cancelled effect reaches the state.
  public func cancel() {
    let stop = content.withLock { content in
      content.isCancelled = true
      return content.stop
    }
    stop?()
  }

  /// Says how its effects are cancelled, now that it has some.
  ///
  /// - Returns: whether that is due at once.
  func begin(cancellingBy stop: @escaping @Sendable () -> Void) -> Bool {
    content.withLock { content in
      content.stop = stop
      return content.isCancelled
    }
  }

  /// Marks that nothing of it goes on any more.
  func end() {
    let ended = content.withLock { content in
      let ended = content
      content = Content(isFinished: true, isCancelled: ended.isCancelled)
      return ended
    }
    for continuation in ended.waiting { continuation.resume() }
  }
}
