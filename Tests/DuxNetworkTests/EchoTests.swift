import DuxNetwork
import Testing

struct EchoTests {
  @Test(arguments: Transport.available)
  func bytesComeBackWholeAndInOrder(_ transport: Transport) throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let (accepted, connected) = try loop.pair(transport, in: folder)
        accepted.onBytes = { bytes in #expect(accepted.write(bytes) == bytes.count) }
        accepted.startReading()
        var received: [UInt8] = []
        connected.onBytes = { bytes in
          received += bytes
          if received.count >= 5 { loop.stop() }
        }
        connected.startReading()
        #expect(connected.write(text: "hello") == 5)
        loop.run()
        #expect(received == Array("hello".utf8))
      }
    }
  }

  @Test
  func manyBuffersGoOutInOneStreamInOrder() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      // More than one system call takes, with empty ones among them.
      let pieces = (0..<200).map { Array("\($0);".utf8.prefix($0 % 7 == 0 ? 0 : 9)) }
      let expected = pieces.flatMap { $0 }
      let memory = pieces.map { piece in
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
        copy.copyBytes(from: piece)
        return UnsafeRawBufferPointer(copy)
      }
      defer { memory.forEach { $0.deallocate() } }
      memory.withUnsafeBufferPointer { #expect(accepted.write($0) == expected.count) }
      var received: [UInt8] = []
      connected.onBytes = { bytes in
        received += bytes
        if received.count >= expected.count { loop.stop() }
      }
      connected.startReading()
      loop.run()
      #expect(received == expected)
    }
  }

  @Test
  func bytesWaitWithTheSystemUntilReadingStarts() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      var received = ""
      connected.onBytes = { bytes in
        received += String(decoding: bytes, as: UTF8.self)
        loop.stop()
      }
      _ = accepted.write(text: "early")
      loop.timer(after: .milliseconds(20)) {
        #expect(received.isEmpty)
        connected.startReading()
      }
      loop.run()
      #expect(received == "early")
    }
  }

  @Test
  func aStoppedReaderGetsNothingUntilItStartsAgain() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      var received = ""
      connected.onBytes = { bytes in
        received += String(decoding: bytes, as: UTF8.self)
        connected.stopReading()
        loop.stop()
      }
      connected.startReading()
      _ = accepted.write(text: "one")
      loop.run()
      _ = accepted.write(text: "two")
      loop.timer(after: .milliseconds(20)) { loop.stop() }
      loop.run()
      #expect(received == "one")
      connected.startReading()
      loop.run()
      #expect(received == "onetwo")
    }
  }

  @Test
  func aHostNameIsLookedUpOnBothSides() throws {
    try withLoop { loop in
      let listener = try Listener.listen(
        on: .tcp(host: "localhost", port: 0), loop: loop, backlog: 1
      ) { _ in }
      guard case .tcp(_, let port) = listener.endpoint else {
        Issue.record("a TCP listener has a TCP endpoint")
        return
      }
      #expect(port != 0)
      var isConnected = false
      Connection.connect(to: .tcp(host: "localhost", port: port), loop: loop) { result in
        isConnected = (try? result.get()) != nil
        loop.stop()
      }
      loop.run()
      #expect(isConnected)
    }
  }

  @Test
  func aTCPPeerIsKnownByItsAddress() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      guard case .tcp(let host, let port) = accepted.peerEndpoint else {
        Issue.record("a TCP peer has an address")
        return
      }
      #expect(host == "127.0.0.1")
      #expect(port != 0)
      #expect(accepted.peerDescription == "127.0.0.1:\(port)")
      #expect(accepted.peerCredentials == nil)
      #expect(connected.peerEndpoint != accepted.peerEndpoint)
    }
  }
}
