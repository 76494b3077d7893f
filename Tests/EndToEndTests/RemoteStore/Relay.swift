import Glibc
import Synchronization

@testable import DuxClient

/// A proxy between a store and a daemon, on a thread of its own, that does to the bytes what a test
/// wants.
final class Relay: Sendable {
  /// What becomes of the bytes.
  struct Rules: Sendable {
    /// Ends the next connection after so many bytes, counted over both ways.
    var cutAfter: Int?
    /// Whether that goes for each connection.
    var cutsAll = false
    /// Holds bytes back, both ways, and opens nothing.
    var isHolding = false
    /// Bytes passed on at a time.
    var piece = 1 << 16
    /// What stands in the daemon's words in place of something of the same length.
    var replacement: (of: String, by: String)?
  }

  let address: DaemonAddress
  private let desk: Desk

  /// What the test and the thread tell each other.
  fileprivate final class Desk: Sendable {
    struct Content {
      var rules: Rules
      var cuts = 0
      var longest = 0
      var isOver = false
    }

    let content: Mutex<Content>
    /// Held while bytes are moved, so that none are moved by rules of before.
    let turn = Mutex(())

    init(_ rules: Rules) {
      content = Mutex(Content(rules: rules))
    }
  }

  /// Makes a relay in front of a daemon, whatever process that is at a time.
  init(to daemon: DaemonProcess, _ rules: Rules = Rules()) throws {
    desk = Desk(rules)
    let host = "127.\(Int.random(in: 1...254)).\(Int.random(in: 1...254)).7"
    let (listener, port) = try Self.listen(on: host)
    address = try DaemonAddress("\(host):\(port)")
    let thread = RelayThread(listener, desk, host: daemon.host, port: daemon.port)
    var handle = pthread_t()
    // The retain is given back by the new thread.
    let argument = Unmanaged.passRetained(thread).toOpaque()
    pthread_create(
      &handle, nil,
      { argument in
        if let argument {
          Unmanaged<RelayThread>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, argument)
    pthread_detach(handle)
  }

  deinit {
    desk.content.withLock { $0.isOver = true }
  }

  /// Has the relay do something else from now on.
  func change(_ body: (inout Rules) -> Void) {
    desk.turn.withLock { _ in desk.content.withLock { body(&$0.rules) } }
  }

  /// How often it has cut a connection.
  var cuts: Int { desk.content.withLock { $0.cuts } }

  /// The most bytes that have passed on one connection.
  var longest: Int { desk.content.withLock { $0.longest } }

  private static func listen(on host: String) throws -> (Int32, UInt16) {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let listener = socket(AF_INET, flags, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, host, &address.sin_addr)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && Glibc.listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw SystemFailure("listen on \(host)") }
    return (listener, UInt16(bigEndian: address.sin_port))
  }
}

/// The thread of a relay.
private final class RelayThread {
  private let listener: Int32
  private let desk: Relay.Desk
  private let host: String
  private let port: UInt16
  private var pairs: [Pair] = []

  private final class Pair {
    let client: Int32
    let server: LineSocket
    var passed = 0
    var toServer: [UInt8] = []
    var toClient: [UInt8] = []
    var isOver = false

    init(_ client: Int32, _ server: LineSocket) {
      self.client = client
      self.server = server
    }

    deinit { close(client) }
  }

  init(_ listener: Int32, _ desk: Relay.Desk, host: String, port: UInt16) {
    self.listener = listener
    self.desk = desk
    self.host = host
    self.port = port
  }

  func run() {
    defer { close(listener) }
    while true {
      let (rules, isOver) = desk.content.withLock { ($0.rules, $0.isOver) }
      if isOver { return }
      wait(rules)
      desk.turn.withLock { _ in moveAll() }
    }
  }

  private func moveAll() {
    guard !desk.content.withLock({ $0.rules.isHolding }) else { return }
    let client = accept4(listener)
    if client >= 0 { open(client) }
    for pair in pairs { move(pair, desk.content.withLock { $0.rules }) }
    pairs.removeAll { $0.isOver }
  }

  /// Waits until there may be something to do, never long, since the rules may change.
  private func wait(_ rules: Relay.Rules) {
    var wanted = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
    for pair in pairs where !rules.isHolding {
      wanted.append(pollfd(fd: pair.client, events: Int16(POLLIN), revents: 0))
      wanted.append(pollfd(fd: pair.server.descriptor, events: Int16(POLLIN), revents: 0))
    }
    poll(&wanted, nfds_t(rules.isHolding ? 0 : wanted.count), 5)
  }

  private func accept4(_ listener: Int32) -> Int32 {
    let client = accept(listener, nil, nil)
    guard client >= 0 else { return -1 }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    _ = fcntl(client, F_SETFL, O_NONBLOCK)
    return client
  }

  private func open(_ client: Int32) {
    guard let server = try? LineSocket(host: host, port: port) else {
      close(client)
      return
    }
    pairs.append(Pair(client, server))
  }

  private func move(_ pair: Pair, _ rules: Relay.Rules) {
    take(from: pair.client, into: &pair.toServer, pair, rules)
    take(from: pair.server.descriptor, into: &pair.toClient, pair, rules)
    if let (old, new) = rules.replacement { replace(Array(old.utf8), Array(new.utf8), pair) }
    give(&pair.toServer, to: pair.server.descriptor, pair, rules)
    give(&pair.toClient, to: pair.client, pair, rules)
  }

  private func take(
    from descriptor: Int32, into buffer: inout [UInt8], _ pair: Pair, _ rules: Relay.Rules
  ) {
    guard !pair.isOver, buffer.count < 1 << 18 else { return }
    var chunk = [UInt8](repeating: 0, count: rules.piece)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count > 0 {
      buffer += chunk[..<count]
    } else if count == 0 || (errno != EAGAIN && errno != EINTR && errno != ENOTCONN) {
      pair.isOver = buffer.isEmpty
    }
  }

  private func give(
    _ buffer: inout [UInt8], to descriptor: Int32, _ pair: Pair, _ rules: Relay.Rules
  ) {
    guard !buffer.isEmpty else { return }
    var count = min(buffer.count, rules.piece)
    if let limit = rules.cutAfter { count = min(count, max(0, limit - pair.passed)) }
    let sent = count == 0 ? 0 : send(descriptor, buffer, count, Int32(MSG_NOSIGNAL))
    if sent > 0 {
      buffer.removeFirst(sent)
      pair.passed += sent
    } else if sent < 0, errno != EAGAIN, errno != ENOTCONN {
      pair.isOver = true
    }
    let isCut = rules.cutAfter.map { pair.passed >= $0 } ?? false
    if isCut { pair.isOver = true }
    desk.content.withLock { content in
      content.longest = max(content.longest, pair.passed)
      guard isCut else { return }
      content.cuts += 1
      if !content.rules.cutsAll { content.rules.cutAfter = nil }
    }
  }

  private func replace(_ old: [UInt8], _ new: [UInt8], _ pair: Pair) {
    guard let range = pair.toClient.firstRange(of: old) else { return }
    pair.toClient.replaceSubrange(range, with: new)
  }
}
