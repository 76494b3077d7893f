import CLibUV
import Glibc

extension Connection {
  /// Buffers given to one system call.
  private static var buffersPerCall: Int { 64 }
  /// Bytes copied and left waiting when the system takes no more: what makes it tell when it does again.
  private static var waitingBytes: Int { 4_096 }

  /// Whether ``write(_:)`` takes bytes now.
  package var isWritable: Bool {
    stream != nil && writing == .direct
  }

  /// Sends as many of the bytes as the system takes now.
  ///
  /// Never calls back: an error is reported from the loop, through ``onEnd``.
  /// - Parameter buffers: bytes in order; needed during the call only. An empty buffer is allowed.
  /// - Returns: bytes taken, which are the connection's from now on. The rest stays the caller's, who
  ///   waits for ``onWritable`` before writing again. 0 after an error or ``close()``.
  package func write(_ buffers: UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Int {
    loop.assertConfined()
    var taken = 0
    var start = 0
    while isWritable, start < buffers.count {
      let end = min(start + Self.buffersPerCall, buffers.count)
      taken += write(part: UnsafeBufferPointer(rebasing: buffers[start..<end]))
      start = end
    }
    return taken
  }

  /// Sends as many of the bytes as the system takes now; see ``write(_:)-swift.method``.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    withUnsafePointer(to: bytes) { write(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  private func write(part buffers: UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Int {
    let total = buffers.reduce(0) { $0 + $1.count }
    guard total > 0 else { return 0 }
    let result = buffers.count == 1 ? transmit(buffers[0]) : transmit(buffers)
    guard result >= 0 || result == UV_EAGAIN.rawValue else {
      failLater(NetworkError(.write, endpoint.description, status: Int32(clamping: result)))
      return 0
    }
    let sent = max(0, result)
    return sent == total ? sent : sent + leaveWaiting(buffers, after: sent)
  }

  /// Sends one run of bytes: what most sends are, and the cheapest call there is for it.
  private func transmit(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let descriptor else { return Int(UV_EBADF.rawValue) }
    return Self.result(of: send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags))
  }

  private func transmit(_ buffers: UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Int {
    guard let descriptor else { return Int(UV_EBADF.rawValue) }
    return withUnsafeTemporaryAllocation(of: iovec.self, capacity: buffers.count) { list in
      for (index, buffer) in buffers.enumerated() {
        // The system only reads through this pointer; C has no way to say so here.
        let base = UnsafeMutableRawPointer(mutating: buffer.baseAddress)
        list.initializeElement(at: index, to: iovec(iov_base: base, iov_len: buffer.count))
      }
      var message = msghdr()
      message.msg_iov = list.baseAddress
      message.msg_iovlen = list.count
      return Self.result(of: sendmsg(descriptor, &message, Self.sendFlags))
    }
  }

  private static var sendFlags: Int32 {
    Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
  }

  /// The count of a system call, or libuv's number for its error; one that passes is as a full system.
  private static func result(of count: Int) -> Int {
    guard count < 0 else { return count }
    let isPassing = errno == EINTR || errno == ENOBUFS
    return isPassing ? Int(UV_EAGAIN.rawValue) : -Int(errno)
  }

  /// Copies a piece of what is left and lets libuv send it when the system has room again.
  private func leaveWaiting(
    _ buffers: UnsafeBufferPointer<UnsafeRawBufferPointer>, after sent: Int
  ) -> Int {
    guard let stream else { return 0 }
    let left = buffers.reduce(0) { $0 + $1.count } - sent
    let request = WriteRequest(bytes: min(left, Self.waitingBytes))
    request.fill(from: buffers, after: sent)
    let status = request.send(to: stream)
    guard status == 0 else {
      request.free()
      failLater(NetworkError(.write, endpoint.description, status: status))
      return 0
    }
    writing = .blocked
    return request.count
  }

  /// Ends the wait that ``leaveWaiting(_:after:)`` began.
  fileprivate func waitingPieceWent(_ status: Int32) {
    guard !isClosed, status != UV_ECANCELED.rawValue else { return }
    guard status == 0 else {
      return fail(NetworkError(.write, endpoint.description, status: status))
    }
    guard writing == .blocked else { return }
    writing = .direct
    onWritable?()
  }
}

/// A request of libuv and the bytes it sends, in one piece of memory freed when it is done.
private struct WriteRequest {
  private let memory: UnsafeMutableRawPointer
  let count: Int

  init(bytes count: Int) {
    self.count = count
    memory = .allocate(
      byteCount: MemoryLayout<uv_write_t>.size + count,
      alignment: MemoryLayout<uv_write_t>.alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<uv_write_t>.size)
  }

  private var request: UnsafeMutablePointer<uv_write_t> {
    // The memory begins with a zeroed request, and is aligned for one.
    memory.assumingMemoryBound(to: uv_write_t.self)
  }

  private var payload: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: memory + MemoryLayout<uv_write_t>.size, count: count)
  }

  /// Copies bytes of the buffers, the first `skipped` left out, until the payload is full.
  func fill(
    from buffers: UnsafeBufferPointer<UnsafeRawBufferPointer>, after skipped: Int
  ) {
    var skip = skipped
    var room = payload
    for buffer in buffers where room.count > 0 {
      let skippedHere = min(skip, buffer.count)
      skip -= skippedHere
      let rest = buffer[skippedHere...].prefix(room.count)
      room.copyBytes(from: rest)
      room = UnsafeMutableRawBufferPointer(rebasing: room[rest.count...])
    }
  }

  /// Queues the payload; on success libuv's callback frees the memory.
  func send(to stream: UnsafeMutablePointer<uv_stream_t>) -> Int32 {
    var buffer = uv_buf_t(
      base: payload.baseAddress?.assumingMemoryBound(to: CChar.self), len: payload.count)
    return uv_write(request, stream, &buffer, 1) { request, status in
      guard let request else { return }
      // The stream's owner lives until its close callback, which comes after this one.
      let connection = Handle.owner(Connection.self, of: request.pointee.handle?.pointee.data)
      UnsafeMutableRawPointer(request).deallocate()
      connection?.waitingPieceWent(status)
    }
  }

  func free() {
    memory.deallocate()
  }
}
