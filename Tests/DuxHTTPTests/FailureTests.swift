import DuxHTTP
import DuxJSON
import ExampleHTTP
import Foundation
import Testing

/// The live client and servers that are down, slow, or talk nonsense.
struct FailureTests {
  private func failure(_ request: HTTPRequest) async -> HTTPError? {
    await #expect(throws: HTTPError.self) { try await HTTPClient.live.perform(request) }
  }

  @Test func aServerThatIsDownIsUnreachable() async throws {
    let server = try RawServer()
    server.stop()
    let error = await failure(HTTPRequest(.get, server.url))
    #expect(error?.reason == .unreachable("no server accepts the connection"))
    #expect(error?.isTransient == true)
  }

  @Test func aHostThatNobodyKnowsIsUnreachable() async throws {
    let url = try #require(URL(string: "http://no-such-host.invalid/"))
    let error = await failure(HTTPRequest(.get, url))
    #expect(error?.reason == .unreachable("the host is not known"))
  }

  @Test func aServerThatIsSilentIsTimedOut() async throws {
    let server = try RawServer()
    defer { server.stop() }
    let timeout = Duration.milliseconds(100)
    let start = ContinuousClock.now
    let error = await failure(HTTPRequest(.get, server.url, timeout: timeout))
    #expect(error?.reason == .timedOut(after: timeout))
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(error?.description == "GET \(server.url): no whole answer within 0.1 seconds")
  }

  @Test func aServerThatDribblesIsTimedOutAllTheSame() async throws {
    let server = try RawServer { connection in
      RawServer.readHead(connection)
      RawServer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", to: connection)
      while RawServer.write("x", to: connection) { usleep(1_000) }
    }
    defer { server.stop() }
    let timeout = Duration.milliseconds(200)
    let error = await failure(HTTPRequest(.get, server.url, timeout: timeout))
    #expect(error?.reason == .timedOut(after: timeout))
  }

  @Test func cancellingTheTaskEndsTheExchangeAndTheConnection() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      RawServer.readHead(connection)
      arrived.yield()
      // Nothing more comes until the client closes.
      RawServer.readHead(connection)
      ended.yield()
    }
    defer { server.stop() }
    let request = HTTPRequest(.get, server.url)
    let task = Task { () throws(HTTPError) in try await HTTPClient.live.perform(request) }
    await arrivals.first { true }
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error?.reason == .cancelled)
    await ends.first { true }
  }

  @Test func aTaskThatIsCancelledAlreadySendsNothing() async throws {
    let server = try RawServer()
    defer { server.stop() }
    let request = HTTPRequest(.get, server.url)
    let task = Task { () throws(HTTPError) in
      while !Task.isCancelled { await Task.yield() }
      return try await HTTPClient.live.perform(request)
    }
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error?.reason == .cancelled)
  }

  @Test func cancellingAtAnyMomentIsHarmless() async throws {
    try await HTTPServer.running { request in
      request.path == "/"
        ? ServerResponse(status: 302, headers: ["Location": "/x"], body: Array("moved".utf8))
        : .json(.string(String(repeating: "x", count: 100_000)))
    } body: { server in
      let url = server.endpoint
      for round in 0..<300 {
        let task = Task { () throws(HTTPError) in try await HTTPClient.live.get(url) }
        for _ in 0..<(round * 7 % 100) { await Task.yield() }
        if round % 3 == 0 { try await Task.sleep(for: .microseconds(round * 10)) }
        task.cancel()
        switch await task.result {
        case .success(let response): #expect(response.body.count == 100_002)
        case .failure(let error): #expect((error as? HTTPError)?.reason == .cancelled)
        }
      }
    }
  }

  @Test(arguments: [true, false])
  func anAnswerThatIsTooLongIsNotReadToItsEnd(_ isAnnounced: Bool) async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      RawServer.readHead(connection)
      RawServer.write(
        "HTTP/1.1 200 OK\r\n" + (isAnnounced ? "Content-Length: 1000000000000\r\n" : "") + "\r\n",
        to: connection)
      let piece = String(repeating: "x", count: 10_000)
      while RawServer.write(piece, to: connection) { usleep(1_000) }
      ended.yield()
    }
    defer { server.stop() }
    let error = await failure(HTTPRequest(.get, server.url, maximumBodyBytes: 50_000))
    #expect(error?.reason == .tooLarge(maximumBytes: 50_000))
    await ends.first { true }
  }

  @Test func aBodyOfJustTheLengthAllowedIsTaken() async throws {
    try await HTTPServer.running { _ in
      ServerResponse(body: Array(repeating: 120, count: 1_000))
    } body: { server in
      let exact = HTTPRequest(.get, server.endpoint, maximumBodyBytes: 1_000)
      let response = try await HTTPClient.live.perform(exact)
      #expect(response.body.count == 1_000)
      let error = await failure(HTTPRequest(.get, server.endpoint, maximumBodyBytes: 999))
      #expect(error?.reason == .tooLarge(maximumBytes: 999))
    }
  }

  @Test func anAnswerThatEndsEarlyIsNoAnswer() async throws {
    let server = try RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":")
    defer { server.stop() }
    let error = await failure(HTTPRequest(.get, server.url))
    #expect(error?.reason == .unreachable("the answer broke off"))
  }

  @Test(arguments: [
    "", "\r\n\r\n", "hello\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1\r\n\r\n",
    "HTTP/1.1 abc OK\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\nx", "HTTP/1.1 99999 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}", "HTTP/1.1 200 OK\r\n: x\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnot gzip at all",
    "HTTP/1.1 302 Found\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation:\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: \u{0}\r\n\r\n", "HTTP/1.1 200 OK\r\n\u{FF}\u{FE}: \u{FF}\r\n\r\n",
    "HTTP/1.1 401 No\r\nWWW-Authenticate: \r\n\r\n",
    "HTTP/1.1 401 No\r\nWWW-Authenticate: ,,=\r\n\r\n",
    "HTTP/1.1 401 No\r\n\r\n", "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\n",
  ])
  func nonsenseIsAnErrorOrAnOddAnswerButNoCrash(_ text: String) async throws {
    let server = try RawServer.answering(text)
    defer { server.stop() }
    do throws(HTTPError) {
      _ = try await HTTPClient.live.perform(HTTPRequest(.get, server.url, timeout: .seconds(1)))
    } catch {
      switch error.reason {
      case .unreachable, .garbage, .refusedRedirect, .timedOut: break
      default: Issue.record("\(text.debugDescription): \(error)")
      }
    }
  }
}
