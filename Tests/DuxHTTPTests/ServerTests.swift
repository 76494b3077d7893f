import DuxHTTP
import DuxJSON
import ExampleHTTP
import Foundation
import Glibc
import Synchronization
import Testing

/// The examples' HTTP server, and what peers may do to it.
struct ServerTests {
  /// Sends bytes to a server and gives back all it says until it closes.
  private func exchange(_ text: String, port: UInt16) async -> String {
    // On a thread of its own, for the server's handlers need those of the tasks.
    await withCheckedContinuation { waiter in
      Thread.detachNewThread { waiter.resume(returning: Self.exchange(text, port: port)) }
    }
  }

  private static func exchange(_ text: String, port: UInt16) -> String {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return "" }
    RawServer.write(text, to: descriptor)
    shutdown(descriptor, Int32(SHUT_WR))
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 {
      answer += chunk[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  @Test(arguments: [
    "", "\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "hello", "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /?a=%ff HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /\u{0} HTTP/1.1\r\n\r\n", "G\u{0}T / HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 100_000) + "\r\n\r\n",
  ])
  func badInputIsHarmless(_ text: String) async throws {
    try await HTTPServer.running(idleSeconds: 1) { request in
      .json(["path": .string(request.path)])
    } body: { server in
      _ = await exchange(text, port: server.port)
      try await HTTPClient.live.get(server.endpoint).successful()
    }
  }

  @Test func anEndlessBodyEndsTheConnection() async throws {
    try await HTTPServer.running(maximumBodyBytes: 10_000) { _ in
      ServerResponse()
    } body: { server in
      let chunk = "3e8\r\n" + String(repeating: "x", count: 1_000) + "\r\n"
      let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      let answer = await exchange(head + String(repeating: chunk, count: 50), port: server.port)
      #expect(!answer.contains("200 OK"))
      try await HTTPClient.live.get(server.endpoint).successful()
    }
  }

  @Test func twoRequestsOnOneConnectionAreAnsweredInOrder() async throws {
    try await HTTPServer.running { request in
      ServerResponse(body: Array(request.path.utf8))
    } body: { server in
      let answer = await exchange(
        "GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n",
        port: server.port)
      let first = try #require(answer.firstRange(of: "/first"))
      let second = try #require(answer.firstRange(of: "/second"))
      #expect(first.lowerBound < second.lowerBound)
      _ = try await HTTPClient.live.get(server.endpoint)
    }
  }

  @Test func stoppingCancelsTheHandlersAndWaitsForThem() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let hasEnded = Mutex(false)
    let server = try HTTPServer { _ in
      arrived.yield()
      try? await Task.sleep(for: .seconds(3_600))
      hasEnded.withLock { $0 = true }
      return ServerResponse()
    }
    let url = server.endpoint
    let task = Task { () throws(HTTPError) in try await HTTPClient.live.get(url) }
    await arrivals.first { true }
    await server.stop()
    #expect(hasEnded.withLock { $0 })
    _ = await task.result
    let error = await #expect(throws: HTTPError.self) { try await HTTPClient.live.get(url) }
    #expect(error?.reason == .unreachable("no server accepts the connection"))
    await server.stop()
  }

  @Test func aPortThatIsTakenIsNamed() async throws {
    let server = try HTTPServer { _ in ServerResponse() }
    let error = #expect(throws: ListeningError.self) {
      try HTTPServer(port: server.port) { _ in ServerResponse() }
    }
    #expect(
      error?.description
        == "cannot listen on 127.0.0.1 port \(server.port): Address already in use")
    await server.stop()
  }
}
