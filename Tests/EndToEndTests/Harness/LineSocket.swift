import Glibc

/// A stream socket that never blocks, and the lines that come on it.
final class LineSocket {
  let descriptor: Int32
  private var received: [UInt8] = []
  private var lineStart = 0
  private var searched = 0
  private var unsent: [UInt8] = []
  private var sent = 0
  /// Whether the other side has ended the connection, or it is broken.
  private(set) var hasEnded = false

  /// Connects over TCP.
  init(host: String, port: UInt16) throws {
    descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | flags, 0)
    guard descriptor >= 0 else { throw SystemFailure("socket") }
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    try connect(&address, what: "connect to \(host):\(port)")
  }

  /// Connects to a Unix socket.
  init(path: String) throws {
    descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | flags, 0)
    guard descriptor >= 0 else { throw SystemFailure("socket") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    try connect(&address, what: "connect to \(path)")
  }

  deinit {
    close(descriptor)
  }

  private func connect<Address>(_ address: inout Address, what: String) throws {
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard code == 0 || errno == EINPROGRESS else { throw SystemFailure(what) }
  }

  // Reading.

  /// Takes in what has come, up to about `limit` bytes.
  func receive(upTo limit: Int = 1 << 20) {
    var left = limit
    while left > 0 {
      let (count, code) = receiveChunk(min(left, 1 << 18))
      if count > 0 {
        left -= count
      } else if count == 0 || (code != EAGAIN && code != EINTR) {
        hasEnded = true
        return
      } else if code == EAGAIN {
        return
      }
    }
  }

  private func receiveChunk(_ size: Int) -> (count: Int, code: Int32) {
    var code: Int32 = 0
    var count = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      count = recv(descriptor, buffer.baseAddress, size, 0)
      code = errno
      initialized = max(0, count)
    }
    received += chunk
    return (count, code)
  }

  /// The next whole line that has come, without its LF.
  func takeLine() -> [UInt8]? {
    let length = received.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, searched < bytes.count,
        let found = memchr(base + searched, 10, bytes.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - (base + lineStart)
    }
    guard let length else {
      searched = received.count
      compact()
      return nil
    }
    let line = Array(received[lineStart..<lineStart + length])
    lineStart += length + 1
    searched = lineStart
    return line
  }

  /// Bytes after the last LF.
  var unfinishedLine: [UInt8] { Array(received[lineStart...]) }

  private func compact() {
    guard lineStart > 0 else { return }
    received.removeSubrange(..<lineStart)
    searched -= lineStart
    lineStart = 0
  }

  // Writing.

  var hasUnsent: Bool { sent < unsent.count }

  func queue(_ bytes: some Collection<UInt8>) {
    unsent += bytes
  }

  /// Sends what the other side takes now.
  func flush() {
    while hasUnsent && !hasEnded {
      let count = unsent.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        // What the other side said before it closed is still to be read.
        unsent = []
        sent = 0
        return
      }
    }
    if !hasUnsent {
      unsent = []
      sent = 0
    }
  }

  /// Says that nothing more will be sent.
  func finishSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Makes the kernel hold little for this reader.
  func shrinkReceiveBuffer() {
    var size: Int32 = 4_096
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Makes the end of this connection a reset.
  func endWithReset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  /// Waits until something can be done with the socket.
  ///
  /// - Returns: whether it can before the deadline.
  func wait(for events: Int32, _ deadline: Deadline) -> Bool {
    while true {
      var wanted = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let ready = poll(&wanted, 1, deadline.milliseconds)
      if ready > 0 { return true }
      if ready == 0 || errno != EINTR { return false }
    }
  }
}

private let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
