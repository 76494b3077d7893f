import DuxNetwork
import Testing

struct FinishTests {
  @Test(arguments: Transport.available)
  func everythingTakenArrivesThoughThePeersBytesWereNotRead(_ transport: Transport) throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let (accepted, connected) = try loop.pair(transport, in: folder)
        // Unread input: a plain close would answer it with a reset, and the peer lose the goodbye.
        _ = connected.write(text: String(repeating: "x", count: 10_000))
        let pump = Pump(Pattern(count: 1 << 30), into: accepted)
        let taken = pump.sent
        accepted.finish(within: .seconds(20))
        #expect(accepted.write(text: "more") == 0)
        var received = 0
        var failure: NetworkError?
        connected.onBytes = { received += $0.count }
        connected.onEnd = { error in
          failure = error
          connected.close()
          loop.timer(after: .milliseconds(10)) { loop.stop() }
        }
        connected.startReading()
        loop.run()
        #expect(received == taken)
        #expect(failure == nil)
        #expect(accepted.isClosed)
      }
    }
  }

  @Test
  func aPeerThatNeverEndsIsClosedWhenTheTimeIsOver() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      var isEndedFirst = false
      connected.onEnd = { _ in isEndedFirst = !accepted.isClosed }
      connected.startReading()
      accepted.onEnd = { _ in Issue.record("a finished connection called back") }
      accepted.finish(within: .milliseconds(300))
      loop.timer(after: .milliseconds(5), repeating: .milliseconds(5)) {
        if accepted.isClosed { loop.stop() }
      }
      loop.run()
      #expect(isEndedFirst)
      #expect(accepted.isClosed)
      #expect(!connected.isClosed)
    }
  }

  @Test
  func finishingTwiceOrAfterCloseIsHarmless() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      accepted.finish(within: .seconds(20))
      accepted.finish(within: .seconds(20))
      connected.onEnd = { _ in
        connected.close()
        connected.finish(within: .seconds(20))
        loop.timer(after: .milliseconds(10)) { loop.stop() }
      }
      connected.startReading()
      loop.run()
      #expect(accepted.isClosed)
      #expect(loop.openHandleCount == 1)
    }
  }
}
