import CLibUV
import Synchronization

/// The one way for another thread to reach an event loop.
///
/// Calls of ``wake()`` that come before the loop gets to it make one call of the body: the waker puts
/// its news where the body looks before it wakes. A wake is never lost.
package final class Wakeup: Sendable {
  // Unchecked: the pointer leaves the loop's thread for `uv_async_send` alone, the one function of
  // libuv that may be called from any thread, and under the lock that `forget` takes before freeing.
  private struct Target: @unchecked Sendable {
    let handle: UnsafeMutablePointer<uv_async_t>
  }

  private let target: Mutex<Target?>

  fileprivate init(_ handle: UnsafeMutablePointer<uv_async_t>) {
    target = Mutex(Target(handle: handle))
  }

  /// Makes the loop call the body; from any thread; does nothing once cancelled.
  package func wake() {
    target.withLock { target in
      guard let target else { return }
      // Fails only for a handle of another type.
      uv_async_send(target.handle)
    }
  }

  /// Lets no thread touch the handle any more.
  fileprivate func forget() {
    target.withLock { $0 = nil }
  }
}

/// The part of a wakeup that stays on the loop's thread.
private final class WakeupReceiver: HandleOwner {
  private let handle: UnsafeMutablePointer<uv_async_t>
  private var body: (() -> Void)?
  let wakeup: Wakeup

  init(on loop: EventLoop, _ body: @escaping () -> Void) throws(NetworkError) {
    loop.assertOpen()
    let handle = Handle.allocate(uv_async_t.self)
    let status = uv_async_init(loop.loop, handle) { handle in
      Handle.owner(WakeupReceiver.self, of: handle?.pointee.data)?.body?()
    }
    guard status == 0 else {
      Handle.discard(handle)
      throw NetworkError(.watch, "wakeups", status: status)
    }
    self.handle = handle
    self.body = body
    wakeup = Wakeup(handle)
    Handle.tie(handle, to: self)
  }

  func closeHandle() {
    guard body != nil else { return }
    body = nil
    wakeup.forget()
    Handle.close(handle)
  }
}

extension EventLoop {
  /// A wakeup that calls `body` on the loop; open until ``cancel(_:)`` or ``close()``.
  package func makeWakeup(_ body: @escaping () -> Void) throws(NetworkError) -> Wakeup {
    let receiver = try WakeupReceiver(on: self, body)
    let wakeup = receiver.wakeup
    keep(wakeup) { receiver.closeHandle() }
    return wakeup
  }
}
