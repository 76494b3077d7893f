import DuxNetwork
import Glibc
import Testing

/// Each runs in a process of its own, whose limit it lowers.
struct DescriptorLimitTests {
  @Test
  func peersWithoutADescriptorAreTurnedAwayAndTheNextAreServed() async {
    await #expect(processExitsWith: .success) {
      // Dispatch keeps descriptors of its own from its first timer on: not the listener's reserve.
      try await ContinuousClock().sleep(for: .milliseconds(1))
      try withLoop { loop in
        var accepted: [Connection] = []
        let listener = try loop.listen(.ipv4, in: "") { accepted.append($0) }
        var refused = 0
        listener.onRefused = { error, peers in
          #expect(error.isDescriptorLimit)
          refused += peers
        }
        let peers = try (0..<40).map { _ in try rawSocket() }
        // Room for ten descriptors, where forty connections come.
        try setLimit(to: try firstFreeDescriptor() + 10)
        try peers.forEach { try connect($0, to: listener.endpoint) }
        loop.timer(after: .zero, repeating: .milliseconds(1)) {
          if accepted.count + refused >= 40 { loop.stop() }
        }
        loop.run()
        // What else the process opens and closes makes the number differ a little.
        try #require((1...12).contains(accepted.count))
        try #require(accepted.count + refused == 40)
        // A peer turned away sees the end; one that was accepted waits.
        try #require(peers.filter(isEnded).count == refused)

        accepted.forEach { $0.close() }
        accepted = []
        peers.forEach { close($0) }
        let late = try rawSocket()
        try connect(late, to: listener.endpoint)
        loop.timer(after: .zero, repeating: .milliseconds(1)) {
          if !accepted.isEmpty { loop.stop() }
        }
        loop.run()
        try #require(accepted.count == 1)
      }
    }
  }

  @Test
  func withoutEvenAReserveTheListenerWaitsInsteadOfTurning() async {
    await #expect(processExitsWith: .success) {
      try withLoop { loop in
        let peers = try (0..<3).map { _ in try rawSocket() }
        var accepted: [Connection] = []
        let listener = try loop.listen(.ipv4, in: "") { accepted.append($0) }
        var reports = 0
        listener.onRefused = { error, peers in
          reports += error.isDescriptorLimit && peers == 0 ? 1 : 1_000
        }
        try peers.forEach { try connect($0, to: listener.endpoint) }
        // Not even the descriptor of the reserve can be used again.
        let former = try setLimit(to: 0)
        var turns = 0
        loop.atEndOfTurn = { turns += 1 }
        loop.timer(after: .milliseconds(250)) { loop.stop() }
        loop.run()
        try #require(accepted.isEmpty)
        try #require((1...4).contains(reports))
        try #require(turns < 20)

        try setLimit(to: former)
        loop.timer(after: .zero, repeating: .milliseconds(1)) {
          if accepted.count == 3 { loop.stop() }
        }
        loop.run()
        try #require(accepted.count == 3)
      }
    }
  }

  @Test
  func connectingWithoutADescriptorSaysSo() async {
    await #expect(processExitsWith: .success) {
      try withLoop { loop in
        let listener = try loop.listen(.ipv4, in: "") { _ in }
        let former = try setLimit(to: 0)
        var failure: NetworkError?
        Connection.connect(to: listener.endpoint, loop: loop) { result in
          if case .failure(let error) = result { failure = error }
          loop.stop()
        }
        loop.run()
        try setLimit(to: former)
        try #require(failure?.isDescriptorLimit == true)
      }
    }
  }

  @Test
  func theLimitIsRaisedAsFarAsTheUserMay() async {
    await #expect(processExitsWith: .success) {
      try setLimit(to: 100)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      try #require(limit.rlim_cur == 100)
      try #require(DescriptorLimit.raise() == Int(clamping: limit.rlim_max))
    }
  }
}

private func rawSocket() throws -> Int32 {
  let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
  let descriptor = socket(AF_INET, flags, 0)
  try #require(descriptor >= 0)
  return descriptor
}

private func connect(_ descriptor: Int32, to endpoint: Endpoint) throws {
  guard case .tcp(_, let port) = endpoint else { return }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  let status = withUnsafePointer(to: address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  try #require(status == 0 || errno == EINPROGRESS)
}

/// Whether the peer has closed: reading finds the end rather than nothing yet.
private func isEnded(_ descriptor: Int32) -> Bool {
  var byte: UInt8 = 0
  let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
  return count == 0 || (count < 0 && errno == ECONNRESET)
}

@discardableResult
private func setLimit(to count: Int32) throws -> Int32 {
  var limit = rlimit()
  let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  try #require(getrlimit(resource, &limit) == 0)
  let former = Int32(clamping: limit.rlim_cur)
  limit.rlim_cur = rlim_t(count)
  try #require(setrlimit(resource, &limit) == 0)
  return former
}

private func firstFreeDescriptor() throws -> Int32 {
  let descriptor = dup(1)
  try #require(descriptor >= 0)
  close(descriptor)
  return descriptor
}
