import CLibUV
import Glibc

/// A socket on which peers connect.
///
/// It accepts by itself rather than through libuv, which runs in a circle when the process has no
/// descriptor left, or drops peers without telling: see ``onRefused``.
package final class Listener: HandleOwner {
  /// Where it listens: the endpoint asked for, with numbers in place of a host name and port 0.
  package let endpoint: Endpoint
  /// Called when peers had to be turned away because no descriptor was left for them, once a turn.
  ///
  /// They see the connection closed. Accepting goes on by itself as descriptors become free.
  package var onRefused: ((_ reason: NetworkError, _ peers: Int) -> Void)?

  private let loop: EventLoop
  private let socket: ListeningSocket
  private var handle: UnsafeMutablePointer<uv_poll_t>?
  private var accept: ((Connection) -> Void)?
  private var isPaused = false
  private var retry: LoopTimer?
  /// A descriptor to give up when there is no other, so that a waiting peer can be turned away.
  private var reserve: Int32 = -1

  /// Peers accepted in a row before others on the loop get their turn.
  private static let acceptsPerTurn = 64
  private static let retryDelay = Duration.milliseconds(100)

  /// Listens, and hands over each connection as it comes; it reads nothing before it is told to.
  ///
  /// A host name is looked up, and the first of its addresses that can be bound is taken. A Unix
  /// socket is made with mode 0600; a file that a dead program left there is replaced.
  /// - Throws: address in use, permission denied, path too long, not a socket, unknown host…
  package static func listen(
    on endpoint: Endpoint, loop: EventLoop, backlog: Int32,
    accept: @escaping (Connection) -> Void
  ) throws(NetworkError) -> Listener {
    loop.assertOpen()
    let socket = try ListeningSocket(endpoint, backlog: backlog)
    let listener = Listener(socket, loop, accept)
    do throws(NetworkError) {
      try listener.startWatching()
    } catch {
      socket.close()
      throw error
    }
    return listener
  }

  private init(
    _ socket: ListeningSocket, _ loop: EventLoop, _ accept: @escaping (Connection) -> Void
  ) {
    self.socket = socket
    self.loop = loop
    self.accept = accept
    endpoint = socket.endpoint
    openReserve()
  }

  /// Lets peers wait in the backlog of the system.
  package func pause() {
    isPaused = true
    updateWatching()
  }

  /// Accepts again after ``pause()``.
  package func resume() {
    isPaused = false
    updateWatching()
  }

  /// Stops listening and removes the socket file; accepted connections live on.
  package func close() {
    closeHandle()
  }

  func closeHandle() {
    guard let handle else { return }
    self.handle = nil
    retry?.cancel()
    accept = nil
    onRefused = nil
    Handle.close(handle)
    socket.close()
    closeReserve()
  }

  private func startWatching() throws(NetworkError) {
    let handle = Handle.allocate(uv_poll_t.self)
    let status = uv_poll_init(loop.loop, handle, socket.descriptor)
    guard status == 0 else {
      Handle.discard(handle)
      closeReserve()
      throw NetworkError(.listen, endpoint.description, status: status)
    }
    self.handle = handle
    Handle.tie(handle, to: self)
    updateWatching()
  }

  private func updateWatching() {
    guard let handle else { return }
    loop.assertConfined()
    guard !isPaused, retry == nil else {
      uv_poll_stop(handle)
      return
    }
    uv_poll_start(handle, Int32(UV_READABLE.rawValue)) { handle, _, _ in
      Handle.owner(Listener.self, of: handle?.pointee.data)?.acceptWaiting()
    }
  }

  private func acceptWaiting() {
    var refused = 0
    var reason: NetworkError?
    for _ in 0..<Self.acceptsPerTurn where handle != nil && !isPaused {
      let descriptor = Glibc.accept(socket.descriptor, nil, nil)
      guard descriptor < 0 else {
        if let failure = takeOver(descriptor) {
          reason = failure
          refused += 1
        }
        continue
      }
      let code = errno
      if code == EAGAIN {
        break
      }
      if code == EMFILE || code == ENFILE {
        reason = NetworkError(.accept, endpoint.description, errno: code)
        guard turnAway() else {
          waitAndRetry()
          break
        }
        refused += 1
      } else if !Self.concernsOnePeer(code) {
        reason = NetworkError(.accept, endpoint.description, errno: code)
        waitAndRetry()
        break
      }
    }
    if let reason {
      onRefused?(reason, refused)
    }
  }

  /// Makes a connection of an accepted descriptor, or says why that failed.
  private func takeOver(_ descriptor: Int32) -> NetworkError? {
    do throws(NetworkError) {
      let connection = try Connection(accepted: descriptor, from: self.endpoint, on: loop)
      accept?(connection)
      return nil
    } catch {
      return error
    }
  }

  /// Accepts a peer at the cost of the reserve and closes it; `false` when that was not possible.
  private func turnAway() -> Bool {
    openReserve()
    guard reserve >= 0 else { return false }
    closeReserve()
    // Another thread may be faster to take the descriptor; then the timer tries again.
    let descriptor = Glibc.accept(socket.descriptor, nil, nil)
    if descriptor >= 0 {
      Glibc.close(descriptor)
    }
    openReserve()
    return descriptor >= 0
  }

  private func waitAndRetry() {
    guard handle != nil, retry == nil else { return }
    retry = loop.timer(after: Self.retryDelay) { [weak self] in
      guard let self else { return }
      self.retry = nil
      self.updateWatching()
    }
    updateWatching()
  }

  private func closeReserve() {
    guard reserve >= 0 else { return }
    Glibc.close(reserve)
    reserve = -1
  }

  private func openReserve() {
    guard reserve < 0 else { return }
    reserve = open("/dev/null", O_RDONLY | O_CLOEXEC)
  }

  /// Whether a failure of `accept` is about the peer at hand, as `accept(2)` lists them for Linux.
  private static func concernsOnePeer(_ code: Int32) -> Bool {
    [
      ECONNABORTED, EINTR, EPERM, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH,
      EOPNOTSUPP, ENETUNREACH,
    ].contains(code)
  }
}
