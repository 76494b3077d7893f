import Synchronization

/// Keeps a listener subscribed to a store; its lifetime is the subscription's.
///
/// After ``cancel()``, or once the last reference is gone, the listener is not called again, not
/// even in a round of notifications that is under way, and what it holds is let go of. A call that
/// another thread is in the middle of still ends.
public final class Subscription: Sendable {
  /// The sequence number of the state that the subscription starts from: the first step it is told
  /// of is the next one.
  public let start: Int64
  private let end: Mutex<(@Sendable () -> Void)?>

  init(start: Int64, end: @escaping @Sendable () -> Void) {
    self.start = start
    self.end = Mutex(end)
  }

  deinit { cancel() }

  /// Ends the subscription; again, it does nothing.
  public func cancel() {
    let end = end.withLock { $0.take() }
    end?()
  }
}

/// What a subscriber gets before the first step.
public enum InitialValue: Sendable {
  /// The state, or what is selected of it, as it is when the subscription starts.
  case current
  /// Nothing.
  case none
}
