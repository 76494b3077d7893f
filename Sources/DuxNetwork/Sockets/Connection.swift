import CLibUV
import Glibc

/// A stream of bytes to and from one peer.
///
/// Stays alive on its own until it is closed, by its owner or by an error: whoever accepts or opens
/// one has to close it. A connection keeps no buffers: bytes are read into one buffer that the loop
/// shares, and what the system does not take at once stays with the owner (``write(_:)``).
package final class Connection: HandleOwner {
  /// Called with bytes as they come; valid during the call only.
  package var onBytes: ((UnsafeRawBufferPointer) -> Void)?
  /// Called with `nil` when the peer has sent its last byte, or with the error that ended the connection.
  ///
  /// After `nil` the connection can still be written to, until it is closed or an error ends it; so at
  /// most one `nil` comes, and at most one error, which is the last call of all: the connection is
  /// then closed. Neither comes after ``close()``, nor from inside ``write(_:)``.
  package var onEnd: ((NetworkError?) -> Void)?
  /// Called when ``write(_:)``, having taken less than it was given, will take bytes again.
  package var onWritable: (() -> Void)?

  /// The loop whose thread this connection belongs to.
  package let loop: EventLoop
  private(set) var stream: UnsafeMutablePointer<uv_stream_t>?
  /// How the peer is called in errors: where it connected to, or was connected at.
  let endpoint: Endpoint
  var writing = Writing.direct
  /// When ``finish(within:)`` gives up.
  var deadline: LoopTimer?
  private var isReading = false
  private(set) var hasEnded = false

  /// What becomes of bytes that are written.
  enum Writing {
    /// They go straight to the system.
    case direct
    /// The system is full, a last piece waits for it: nothing is taken.
    case blocked
    /// An error is about to be reported, or the connection is closed: nothing is taken.
    case over
    /// What was taken goes out, then the end: nothing more is taken.
    case finishing
    /// Everything went out, and the end: only the peer's own end is waited for.
    case finished
  }

  /// A connection not yet opened; closed by its owner like an open one.
  init(to endpoint: Endpoint, on loop: EventLoop) throws(NetworkError) {
    loop.assertOpen()
    self.loop = loop
    self.endpoint = endpoint
    let status: Int32
    let opened: UnsafeMutablePointer<uv_stream_t>
    // A TCP or pipe handle begins with the fields of a stream, which makes both casts valid.
    switch endpoint {
    case .tcp:
      let handle = Handle.allocate(uv_tcp_t.self)
      status = uv_tcp_init(loop.loop, handle)
      opened = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
    case .unix:
      let handle = Handle.allocate(uv_pipe_t.self)
      status = uv_pipe_init(loop.loop, handle, 0)
      opened = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
    }
    guard status == 0 else {
      Handle.discard(opened)
      throw NetworkError(.connect, endpoint.description, status: status)
    }
    stream = opened
    Handle.tie(opened, to: self)
  }

  /// The connection of a descriptor just accepted, which it owns from here on, failure included.
  convenience init(
    accepted descriptor: Int32, from endpoint: Endpoint, on loop: EventLoop
  ) throws(NetworkError) {
    do throws(NetworkError) {
      try self.init(to: endpoint, on: loop)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    // A program started by another thread between `accept` and here would inherit the descriptor;
    // `accept4`, which has no such gap, is not in Swift's view of the C library.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let status = open(descriptor)
    guard status == 0 else {
      Glibc.close(descriptor)
      close()
      throw NetworkError(.accept, endpoint.description, status: status)
    }
    tune(descriptor)
  }

  /// Whether ``close()`` was called or an error ended the connection.
  package var isClosed: Bool {
    stream == nil
  }

  /// Begins to call ``onBytes`` and ``onEnd``; goes on after ``stopReading()``.
  package func startReading() {
    loop.assertConfined()
    guard let stream, !hasEnded, !isReading else { return }
    let status = uv_read_start(stream, provideBuffer, receive)
    guard status == 0 else {
      return failLater(NetworkError(.read, endpoint.description, status: status))
    }
    isReading = true
  }

  /// Leaves further bytes with the system, and so slows the peer down; also no ``onEnd`` comes.
  package func stopReading() {
    loop.assertConfined()
    guard let stream, isReading else { return }
    isReading = false
    uv_read_stop(stream)
  }

  /// Closes at once: no callback comes any more, bytes waiting in either direction are dropped.
  ///
  /// For an end in which the peer gets everything first, see ``finish(within:)``.
  package func close() {
    closeHandle()
  }

  func closeHandle() {
    guard let stream else { return }
    loop.assertConfined()
    self.stream = nil
    writing = .over
    isReading = false
    deadline?.cancel()
    deadline = nil
    forgetCallbacks()
    Handle.close(stream)
  }

  /// Drops what the owner hung on the connection, and with it every cycle of references.
  func forgetCallbacks() {
    onBytes = nil
    onEnd = nil
    onWritable = nil
  }

  /// Reports an error and closes; only from a callback of the loop.
  func fail(_ error: NetworkError) {
    guard stream != nil else { return }
    writing = .over
    let report = onEnd
    onEnd = nil
    report?(error)
    close()
  }

  /// Reports an error once the caller has returned to the loop.
  func failLater(_ error: NetworkError) {
    writing = .over
    stopReading()
    loop.deferred { self.fail(error) }
  }

  fileprivate func received(_ count: Int, _ buffer: uv_buf_t) {
    if count > 0 {
      loop.noteNews()
      onBytes?(UnsafeRawBufferPointer(start: buffer.base, count: count))
    } else if count == Int(UV_EOF.rawValue) {
      stopReading()
      hasEnded = true
      onEnd?(nil)
      closeIfFinished()
    } else if count < 0 {
      fail(NetworkError(.read, endpoint.description, status: Int32(clamping: count)))
    }
  }

  private func open(_ descriptor: Int32) -> Int32 {
    guard let stream else { return UV_EBADF.rawValue }
    let raw = UnsafeMutableRawPointer(stream)
    switch endpoint {
    case .tcp: return uv_tcp_open(raw.assumingMemoryBound(to: uv_tcp_t.self), descriptor)
    case .unix: return uv_pipe_open(raw.assumingMemoryBound(to: uv_pipe_t.self), descriptor)
    }
  }

  /// Sends small messages at once, and finds out about peers that vanished without a word.
  func tune(_ descriptor: Int32) {
    guard case .tcp = endpoint else { return }
    let tcp = Int32(IPPROTO_TCP)
    ListeningSocket.setOption(descriptor, tcp, TCP_NODELAY, 1)
    ListeningSocket.setOption(descriptor, tcp, TCP_NOTSENT_LOWAT, Self.unsentBytes)
    ListeningSocket.setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    ListeningSocket.setOption(descriptor, tcp, TCP_KEEPIDLE, Self.quietSeconds)
    ListeningSocket.setOption(descriptor, tcp, TCP_KEEPINTVL, Self.probeSeconds)
    ListeningSocket.setOption(
      descriptor, tcp, TCP_KEEPCNT, (Self.deadSeconds - Self.quietSeconds) / Self.probeSeconds)
    ListeningSocket.setOption(descriptor, tcp, TCP_USER_TIMEOUT, Self.deadSeconds * 1_000)
  }

  /// How much the system takes ahead of what it can send.
  ///
  /// Without a bound it takes megabytes for each peer, and a crowd that reads a large state at once
  /// brings it to where it holds everybody up.
  private static let unsentBytes: Int32 = 262_144

  /// After so many seconds without a sign a peer is dead: one that answers no probe, does not
  /// acknowledge what was sent, or takes nothing of what waits.
  ///
  /// Without `TCP_USER_TIMEOUT` the second of these lasts a quarter of an hour: while bytes wait to be
  /// acknowledged, and heartbeats see to that, keepalive does not probe. The third can hit a peer that
  /// was only stopped; it comes back to where it was, and two minutes are more than most stops last.
  /// Less would gain nothing, as what others are told of a silent peer does not wait for this.
  private static let deadSeconds: Int32 = 120
  /// When a connection on which nothing happens is first probed: one packet a minute.
  private static let quietSeconds: Int32 = 60
  /// Pauses between probes: three are lost before a peer is given up, so that one lost packet is none.
  private static let probeSeconds: Int32 = 20
}

/// Hands out the loop's one read buffer: it is used up in `receive`, which follows at once.
private let provideBuffer: uv_alloc_cb = { handle, _, buffer in
  guard let buffer, let loop = EventLoop.of(handle?.pointee.loop) else { return }
  buffer.pointee = uv_buf_init(
    loop.readBuffer.baseAddress?.assumingMemoryBound(to: CChar.self),
    UInt32(EventLoop.readBufferBytes))
}

private let receive: uv_read_cb = { stream, count, buffer in
  guard let buffer else { return }
  Handle.owner(Connection.self, of: stream?.pointee.data)?.received(count, buffer.pointee)
}
