import Synchronization

/// The store's end of a subscription.
///
/// Only whoever carries out the store's steps calls it, so its calls never overlap.
final class Listener<State: Sendable, Action: Sendable>: Sendable {
  typealias Change = StateChange<State, Action>

  struct Calls: Sendable {
    let deliver: @Sendable (Change) -> Void
    /// Called when the store closes, not when the subscriber leaves.
    let storeClosed: @Sendable () -> Void
  }

  let id: Int
  private let content: Mutex<(calls: Calls?, initial: Change?)>

  init(id: Int, calls: Calls, initial: Change?) {
    self.id = id
    content = Mutex((calls, initial))
  }

  /// Tells of a change, after the initial state where that is still to be told.
  func tell(_ change: Change) {
    let (calls, initial) = content.withLock { ($0.calls, $0.initial.take()) }
    guard let calls else { return }
    guard let initial else { return calls.deliver(change) }
    calls.deliver(initial)
    content.withLock { $0.calls }?.deliver(change)
  }

  func tellInitial() {
    let (calls, initial) = content.withLock { ($0.calls, $0.initial.take()) }
    if let initial { calls?.deliver(initial) }
  }

  func tellClosed() {
    release()?.storeClosed()
  }

  /// Lets go of what the subscriber gave; it is not called any more.
  @discardableResult
  func release() -> Calls? {
    let (calls, _) = content.withLock { ($0.calls.take(), $0.initial.take()) }
    return calls
  }
}
