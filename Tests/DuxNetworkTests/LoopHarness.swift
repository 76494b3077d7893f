import DuxNetwork
import Glibc
import Testing

/// Runs a body with a loop of its own, which is closed afterwards.
///
/// A test that waits for something that never comes fails after a while instead of hanging.
func withLoop(_ body: (EventLoop) throws -> Void) throws {
  let loop = try EventLoop()
  defer { loop.close() }
  loop.timer(after: .seconds(30)) {
    Issue.record("what the test waits for did not come")
    loop.stop()
  }
  try body(loop)
}

/// Makes a folder for one test and removes it afterwards.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  var template = Array("/tmp/dux-net-XXXXXX".utf8CString)
  let made = mkdtemp(&template) != nil
  try #require(made)
  let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  defer {
    for name in ["a.sock", "plain", "link"] {
      unlink("\(folder)/\(name)")
    }
    rmdir(folder)
  }
  try body(folder)
}

/// The kinds of socket a test is run on.
enum Transport: CaseIterable {
  case ipv4
  case ipv6
  case unix

  func endpoint(in folder: String) -> Endpoint {
    switch self {
    case .ipv4: .tcp(host: "127.0.0.1", port: 0)
    case .ipv6: .tcp(host: "::1", port: 0)
    case .unix: .unix(path: "\(folder)/a.sock")
    }
  }

  /// What this machine has; a container may be without IPv6.
  static var available: [Transport] {
    allCases.filter { $0 != .ipv6 || hasIPv6 }
  }

  private static var hasIPv6: Bool {
    guard let loop = try? EventLoop() else { return false }
    defer { loop.close() }
    let endpoint = Endpoint.tcp(host: "::1", port: 0)
    let listener = try? Listener.listen(on: endpoint, loop: loop, backlog: 1) { _ in }
    return listener != nil
  }
}

extension EventLoop {
  /// Listens and runs `accept` on each connection.
  func listen(
    _ transport: Transport, in folder: String, accept: @escaping (Connection) -> Void
  ) throws -> Listener {
    try Listener.listen(
      on: transport.endpoint(in: folder), loop: self, backlog: 128, accept: accept)
  }

  /// Two ends of one connection: the accepted one and the one that connected.
  func pair(
    _ transport: Transport = .ipv4, in folder: String = ""
  ) throws -> (accepted: Connection, connected: Connection) {
    var accepted: Connection?
    var connected: Connection?
    let arrive = {
      if accepted != nil, connected != nil {
        self.stop()
      }
    }
    let listener = try listen(transport, in: folder) {
      accepted = $0
      arrive()
    }
    Connection.connect(to: listener.endpoint, loop: self) {
      connected = try? $0.get()
      arrive()
    }
    run()
    listener.close()
    return (try #require(accepted), try #require(connected))
  }
}

/// A long stream of bytes that never needs to be in memory: one block of noise, repeated.
struct Pattern {
  let count: Int
  private let block: [UInt8]

  /// The block's length is odd, so that bytes lost or doubled in usual sizes show.
  init(count: Int) {
    self.count = count
    var state: UInt64 = 1
    block = (0..<65_537).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  /// Lends the bytes from a place on, up to a limit or to the end of the block.
  func withBytes<Result>(
    from start: Int, atMost limit: Int = .max, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    block.withUnsafeBytes { all in
      let offset = start % all.count
      let length = min(limit, all.count - offset, count - start)
      return body(UnsafeRawBufferPointer(rebasing: all[offset..<offset + length]))
    }
  }
}

/// Checks that bytes are those of a pattern, one after the other.
struct PatternCheck {
  let pattern: Pattern
  private(set) var received = 0
  private(set) var isIntact = true

  init(_ pattern: Pattern) {
    self.pattern = pattern
  }

  var isComplete: Bool {
    received == pattern.count && isIntact
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while let first = rest.indices.first, isIntact, received < pattern.count {
      let piece = UnsafeRawBufferPointer(rebasing: rest[first...])
      let equal = pattern.withBytes(from: received, atMost: piece.count) { expected in
        guard let wanted = expected.baseAddress, let got = piece.baseAddress else { return 0 }
        return memcmp(wanted, got, expected.count) == 0 ? expected.count : 0
      }
      isIntact = equal > 0
      received += equal
      rest = rest.dropFirst(equal)
    }
    isIntact = isIntact && rest.isEmpty
  }
}

/// Sends a pattern as fast as the connection takes it.
final class Pump {
  private let pattern: Pattern
  private let connection: Connection
  private(set) var sent = 0

  init(_ pattern: Pattern, into connection: Connection) {
    self.pattern = pattern
    self.connection = connection
    connection.onWritable = { self.push() }
    push()
  }

  private func push() {
    while sent < pattern.count, connection.isWritable {
      sent += pattern.withBytes(from: sent) { connection.write($0) }
    }
  }
}

extension Connection {
  /// Writes a text that must fit.
  func write(text: String) -> Int {
    Array(text.utf8).withUnsafeBytes { write($0) }
  }

  /// Lets the connection end with a reset, as a crashing machine would.
  func reset() throws {
    // Lingering for zero seconds makes `close` send a reset.
    let descriptor = try #require(descriptor)
    var value = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<linger>.size)
    try #require(setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, size) == 0)
    close()
  }
}

extension Connection {
  /// Tells the peer that nothing more comes, while still listening to it.
  func endSending() throws {
    try #require(shutdown(try #require(descriptor), Int32(SHUT_WR)) == 0)
  }
}
