import Synchronization

/// What a dispatch gives back at once: the way to its outcome and to what it set going.
public final class Receipt<Action: Sendable>: Sendable {
  private struct Content {
    var outcome: DispatchOutcome<Action>?
    var waiting: [CheckedContinuation<DispatchOutcome<Action>, Never>] = []
  }

  private let content = Mutex(Content())
  /// The action's effects, what they send, and so on.
  public let activity: Activity

  init(activity: Activity) {
    self.activity = activity
  }

  /// The outcome, `nil` while the action waits for those before it.
  public var result: DispatchOutcome<Action>? { content.withLock { $0.outcome } }

  /// The outcome, once it is known; it doesn't wait for effects.
  public var value: DispatchOutcome<Action> {
    get async {
      await withCheckedContinuation { continuation in
        let outcome = content.withLock { content in
          if content.outcome == nil { content.waiting.append(continuation) }
          return content.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    }
  }

  /// Waits until the action, its effects and all that they set going have ended.
  public func finish() async {
    await activity.finish()
  }

  /// Cancels the action's effects and those of what they set going (``Activity/cancel()``).
  public func cancel() {
    activity.cancel()
  }

  func complete(_ outcome: DispatchOutcome<Action>) {
    let waiting = content.withLock { content in
      content.outcome = outcome
      defer { content.waiting = [] }
      return content.waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }
}
