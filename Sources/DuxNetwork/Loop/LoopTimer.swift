import CLibUV

/// A call of a function in the future, once or again and again.
///
/// Stays alive on its own until it has fired (a single one) or is cancelled.
package final class LoopTimer: HandleOwner {
  private var handle: UnsafeMutablePointer<uv_timer_t>?
  private var body: (() -> Void)?
  private let repeats: Bool

  init(on loop: EventLoop, after: Duration, repeating: Duration?, _ body: @escaping () -> Void) {
    repeats = repeating != nil
    guard !loop.isClosed else { return }
    loop.assertConfined()
    self.body = body
    let handle = Handle.allocate(uv_timer_t.self)
    self.handle = handle
    // Neither call can fail with a callback given; see uv_timer_init and uv_timer_start.
    uv_timer_init(loop.loop, handle)
    Handle.tie(handle, to: self)
    // A period of 0 would mean "once" to libuv.
    let period = repeating.map { max(1, $0.wholeMilliseconds) } ?? 0
    uv_timer_start(
      handle, { Handle.owner(LoopTimer.self, of: $0?.pointee.data)?.fire() },
      after.wholeMilliseconds, period)
  }

  /// Whether the timer is still going to fire.
  package var isActive: Bool {
    handle != nil
  }

  /// Ends the timer; it does not fire any more, not even when due in this very turn.
  package func cancel() {
    closeHandle()
  }

  func closeHandle() {
    guard let handle else { return }
    self.handle = nil
    body = nil
    Handle.close(handle)
  }

  private func fire() {
    let body = body
    if !repeats {
      closeHandle()
    }
    body?()
  }
}

extension EventLoop {
  /// Calls `body` after a time, rounded up to milliseconds, and then at each `repeating`.
  ///
  /// A timer counts from the beginning of the turn (``now``), and never fires before its time.
  @discardableResult
  package func timer(
    after: Duration, repeating: Duration? = nil, _ body: @escaping () -> Void
  ) -> LoopTimer {
    LoopTimer(on: self, after: after, repeating: repeating, body)
  }
}

extension Duration {
  /// Milliseconds, rounded up; 0 for a negative duration.
  var wholeMilliseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let part = (UInt64(attoseconds) + 999_999_999_999_999) / 1_000_000_000_000_000
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000)
    // Far beyond any wait, and still far enough from the end that libuv can add the time of day.
    let longest = UInt64.max / 4
    return overflow ? longest : min(whole + part, longest)
  }
}
