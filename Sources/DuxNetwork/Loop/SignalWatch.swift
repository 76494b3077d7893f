import CLibUV

/// A call of a function on the loop whenever the process gets a signal.
///
/// Stays alive on its own until cancelled.
package final class SignalWatch: HandleOwner {
  private var handle: UnsafeMutablePointer<uv_signal_t>?
  private var body: (() -> Void)?

  init(
    on loop: EventLoop, _ number: Int32, _ body: @escaping () -> Void
  ) throws(NetworkError) {
    loop.assertOpen()
    let handle = Handle.allocate(uv_signal_t.self)
    let initialised = uv_signal_init(loop.loop, handle)
    guard initialised == 0 else {
      Handle.discard(handle)
      throw NetworkError(.watch, "signal \(number)", status: initialised)
    }
    self.handle = handle
    self.body = body
    Handle.tie(handle, to: self)
    let started = uv_signal_start(
      handle, { signal, _ in Handle.owner(SignalWatch.self, of: signal?.pointee.data)?.body?() },
      number)
    guard started == 0 else {
      closeHandle()
      throw NetworkError(.watch, "signal \(number)", status: started)
    }
  }

  /// Ends the watch; the signal has its former effect again once no watch for it is left.
  package func cancel() {
    closeHandle()
  }

  func closeHandle() {
    guard let handle else { return }
    self.handle = nil
    body = nil
    Handle.close(handle)
  }
}

extension EventLoop {
  /// Calls `body` on the loop whenever the process gets the signal, also where whoever started the
  /// process had it blocked.
  ///
  /// - Throws: for a signal that cannot be caught, such as `SIGKILL`.
  package func onSignal(
    _ number: Int32, _ body: @escaping () -> Void
  ) throws(NetworkError) -> SignalWatch {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    return try SignalWatch(on: self, number, body)
  }
}
