import DuxNetwork
import Testing

struct EndTests {
  @Test(arguments: Transport.available)
  func thePeersLastByteIsFollowedByOneEnd(_ transport: Transport) throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let (accepted, connected) = try loop.pair(transport, in: folder)
        var events: [String] = []
        accepted.onBytes = { events.append(String(decoding: $0, as: UTF8.self)) }
        accepted.onEnd = { error in
          events.append(error == nil ? "end" : "error")
          loop.timer(after: .milliseconds(10)) { loop.stop() }
        }
        accepted.startReading()
        _ = connected.write(text: "last")
        connected.close()
        loop.run()
        #expect(events == ["last", "end"])
        #expect(!accepted.isClosed)
      }
    }
  }

  @Test
  func aHalfClosedPeerStillGetsItsAnswer() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      var answer = ""
      accepted.onBytes = { _ in }
      accepted.onEnd = { error in
        #expect(error == nil)
        #expect(accepted.write(text: "answer") == 6)
        accepted.finish(within: .seconds(5))
      }
      accepted.startReading()
      connected.onBytes = { answer += String(decoding: $0, as: UTF8.self) }
      connected.onEnd = { _ in loop.stop() }
      connected.startReading()
      _ = connected.write(text: "question")
      try connected.endSending()
      loop.run()
      #expect(answer == "answer")
    }
  }

  @Test
  func aResetEndsTheConnectionOnceAndCloses() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      var errors: [NetworkError?] = []
      accepted.onEnd = { error in
        errors.append(error)
        loop.timer(after: .milliseconds(10)) { loop.stop() }
      }
      accepted.startReading()
      try connected.reset()
      loop.run()
      #expect(errors.count == 1)
      #expect(errors.first??.isConnectionLost == true)
      #expect(accepted.isClosed)
      #expect(accepted.write(text: "late") == 0)
    }
  }

  @Test
  func aBrokenPipeIsReportedFromTheLoopAndNeverInsideWrite() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let (accepted, connected) = try loop.pair(.unix, in: folder)
        var errors: [NetworkError?] = []
        accepted.onEnd = { error in
          errors.append(error)
          loop.timer(after: .milliseconds(10)) { loop.stop() }
        }
        connected.close()
        loop.timer(after: .milliseconds(1)) {
          #expect(accepted.write(text: "nobody there") == 0)
          #expect(errors.isEmpty)
          #expect(!accepted.isWritable)
          #expect(accepted.write(text: "again") == 0)
        }
        loop.run()
        #expect(errors.count == 1)
        #expect(errors.first??.operation == .write)
        #expect(errors.first??.isConnectionLost == true)
        #expect(accepted.isClosed)
      }
    }
  }

  @Test
  func aWriteThatFailsAtTheEndOfATurnIsReportedWithoutOtherTraffic() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let (accepted, connected) = try loop.pair(.unix, in: folder)
        accepted.onEnd = { error in
          #expect(error != nil)
          loop.stop()
        }
        connected.close()
        var turns = 0
        loop.atEndOfTurn = {
          turns += 1
          if turns == 3 { _ = accepted.write(text: "nobody there") }
        }
        for delay in 1...3 {
          loop.timer(after: .milliseconds(delay)) {}
        }
        loop.run()
        #expect(accepted.isClosed)
      }
    }
  }

  @Test
  func anErrorAfterTheEndOfThePeerIsStillReported() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let (accepted, connected) = try loop.pair(.unix, in: folder)
        var ends: [Bool] = []
        accepted.onEnd = { error in
          ends.append(error == nil)
          if error == nil {
            _ = accepted.write(text: "nobody there")
          } else {
            loop.stop()
          }
        }
        accepted.startReading()
        connected.close()
        loop.run()
        #expect(ends == [true, false])
      }
    }
  }

  @Test
  func nothingIsCalledAfterClose() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      accepted.onBytes = { _ in Issue.record("bytes after close") }
      accepted.onEnd = { _ in Issue.record("an end after close") }
      accepted.startReading()
      _ = connected.write(text: "bytes")
      connected.close()
      accepted.close()
      accepted.close()
      #expect(accepted.isClosed)
      #expect(!accepted.isWritable)
      #expect(accepted.write(text: "late") == 0)
      accepted.startReading()
      accepted.stopReading()
      #expect(accepted.peerEndpoint == nil)
      loop.timer(after: .milliseconds(10)) { loop.stop() }
      loop.run()
    }
  }

  @Test(arguments: ["bytes", "end", "writable"])
  func aConnectionMayBeClosedFromItsOwnCallbacks(_ place: String) throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      let close = {
        accepted.close()
        loop.stop()
      }
      switch place {
      case "bytes":
        accepted.onBytes = { _ in close() }
        _ = connected.write(text: "bytes")
      case "end":
        accepted.onEnd = { _ in close() }
        connected.close()
      default:
        _ = Pump(Pattern(count: 1 << 30), into: accepted)
        accepted.onWritable = close
        connected.onBytes = { _ in }
        connected.startReading()
      }
      accepted.startReading()
      loop.run()
      #expect(accepted.isClosed)
    }
  }

  @Test
  func closingOneConnectionFromTheCallbackOfAnotherSilencesIt() throws {
    try withLoop { loop in
      let first = try loop.pair()
      let second = try loop.pair()
      var calls = 0
      for (mine, other) in [(first.accepted, second.accepted), (second.accepted, first.accepted)] {
        mine.onBytes = { _ in
          calls += 1
          other.close()
          loop.timer(after: .milliseconds(10)) { loop.stop() }
        }
        mine.startReading()
      }
      _ = first.connected.write(text: "x")
      _ = second.connected.write(text: "x")
      loop.run()
      #expect(calls == 1)
    }
  }
}
