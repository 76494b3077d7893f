import DuxNetwork
import Testing

struct ConnectTests {
  @Test
  func aPortWithoutAListenerIsRefused() throws {
    try withLoop { loop in
      let listener = try loop.listen(.ipv4, in: "") { _ in }
      let endpoint = listener.endpoint
      listener.close()
      let error = failure(of: endpoint, on: loop)
      #expect(error?.isConnectionRefused == true)
      #expect(error?.description == "cannot connect to \(endpoint): connection refused")
    }
  }

  @Test
  func aMissingSocketPathIsNotFound() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let error = failure(of: .unix(path: "\(folder)/missing.sock"), on: loop)
        #expect(error?.isNotFound == true)
        #expect(error?.operation == .connect)
      }
    }
  }

  @Test
  func aSocketPathTooLongIsRefusedAndNotCut() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let path = folder + "/" + String(repeating: "x", count: 108)
        let error = failure(of: .unix(path: path), on: loop)
        #expect(error?.isPathTooLong == true)
        #expect(error?.description.contains("107 bytes") == true)
      }
    }
  }

  @Test
  func anUnknownHostIsNotFound() throws {
    try withLoop { loop in
      // A name that RFC 6761 sets aside to never exist; without a name server the answer is missing.
      let error = failure(of: .tcp(host: "dux.invalid", port: 1), on: loop)
      #expect(error?.operation == .resolve)
      #expect(error.map { $0.isNotFound || $0.isLookupUnanswered } == true)
    }
  }

  @Test
  func theAnswerNeverComesInsideTheCall() throws {
    try withLoop { loop in
      let endpoints: [Endpoint] = [
        .tcp(host: "127.0.0.1", port: 1), .tcp(host: "not an address", port: 1),
        .unix(path: "/nowhere"), .unix(path: ""), .unix(path: String(repeating: "x", count: 200)),
      ]
      var answers = 0
      for endpoint in endpoints {
        var hasReturned = false
        Connection.connect(to: endpoint, loop: loop) { result in
          #expect(hasReturned)
          #expect(throws: NetworkError.self) { _ = try result.get() }
          answers += 1
          if answers == endpoints.count { loop.stop() }
        }
        hasReturned = true
      }
      loop.run()
      #expect(answers == endpoints.count)
    }
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func aCancelledAttemptNeverAnswers(_ host: String) throws {
    try withLoop { loop in
      let listener = try loop.listen(.ipv4, in: "") { $0.close() }
      guard case .tcp(_, let port) = listener.endpoint else { return }
      let connecting = Connection.connect(to: .tcp(host: host, port: port), loop: loop) { _ in
        Issue.record("a cancelled attempt answered")
      }
      connecting.cancel()
      connecting.cancel()
      loop.timer(after: .milliseconds(20)) { loop.stop() }
      loop.run()
      #expect(loop.openHandleCount == 2)
    }
  }

  @Test
  func twoListenersCannotShareAPort() throws {
    try withLoop { loop in
      let listener = try loop.listen(.ipv4, in: "") { _ in }
      let error = #expect(throws: NetworkError.self) {
        _ = try Listener.listen(on: listener.endpoint, loop: loop, backlog: 1) { _ in }
      }
      #expect(error?.isAddressInUse == true)
      #expect(error?.description == "cannot listen on \(listener.endpoint): address already in use")
    }
  }

  @Test
  func anAddressOfAnotherMachineIsUnavailable() throws {
    try withLoop { loop in
      let error = #expect(throws: NetworkError.self) {
        // From the range that RFC 5737 keeps for documentation.
        let endpoint = Endpoint.tcp(host: "192.0.2.1", port: 0)
        _ = try Listener.listen(on: endpoint, loop: loop, backlog: 1) { _ in }
      }
      #expect(error?.isAddressUnavailable == true)
    }
  }

  private func failure(of endpoint: Endpoint, on loop: EventLoop) -> NetworkError? {
    var failure: NetworkError?
    Connection.connect(to: endpoint, loop: loop) { result in
      if case .failure(let error) = result { failure = error }
      loop.stop()
    }
    loop.run()
    return failure
  }
}
