import DuxNetwork
import Testing

struct BackPressureTests {
  @Test(arguments: Transport.available)
  func aPeerThatReadsLateGetsEveryByteInOrder(_ transport: Transport) throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let (accepted, connected) = try loop.pair(transport, in: folder)
        let pattern = Pattern(count: 50_000_000)
        let pump = Pump(pattern, into: accepted)
        #expect(pump.sent < pattern.count)
        #expect(!accepted.isWritable)
        var check = PatternCheck(pattern)
        connected.onBytes = { bytes in
          check.add(bytes)
          if check.received == pattern.count || !check.isIntact { loop.stop() }
        }
        connected.startReading()
        loop.run()
        #expect(check.isComplete)
      }
    }
  }

  @Test
  func manySmallBuffersCutAnywhereGoOnWhereTheyWereCut() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      let pattern = Pattern(count: 30_000_000)
      var sent = 0
      func push() {
        while sent < pattern.count, accepted.isWritable {
          sent += pattern.withBytes(from: sent) { bytes in
            let pieces = stride(from: 0, to: bytes.count, by: 611).map {
              UnsafeRawBufferPointer(rebasing: bytes[$0..<min($0 + 611, bytes.count)])
            }
            return pieces.withUnsafeBufferPointer { accepted.write($0) }
          }
        }
      }
      accepted.onWritable = push
      push()
      var check = PatternCheck(pattern)
      connected.onBytes = { bytes in
        check.add(bytes)
        if check.received == pattern.count || !check.isIntact { loop.stop() }
      }
      connected.startReading()
      loop.run()
      #expect(check.isComplete)
    }
  }

  @Test
  func aFullConnectionTakesNothingUntilItSaysSo() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      var writableCalls = 0
      let pump = Pump(Pattern(count: 1 << 30), into: accepted)
      accepted.onWritable = {
        writableCalls += 1
        loop.stop()
      }
      let taken = pump.sent
      #expect(taken > 0)
      #expect(!accepted.isWritable)
      #expect(accepted.write(text: "more") == 0)
      loop.timer(after: .milliseconds(20)) {
        #expect(writableCalls == 0)
        connected.onBytes = { _ in }
        connected.startReading()
      }
      loop.run()
      #expect(writableCalls == 1)
      #expect(accepted.isWritable)
    }
  }

  @Test
  func whatIsTakenNeverExceedsWhatArrives() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      let pump = Pump(Pattern(count: 1 << 30), into: accepted)
      accepted.onWritable = nil
      let taken = pump.sent
      var received = 0
      connected.onBytes = { bytes in
        received += bytes.count
        if received >= taken { accepted.close() }
      }
      connected.onEnd = { _ in loop.stop() }
      connected.startReading()
      loop.run()
      #expect(received == taken)
    }
  }

  @Test
  func closingAFullConnectionDropsTheRestWithoutACall() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      _ = Pump(Pattern(count: 1 << 30), into: accepted)
      accepted.onWritable = { Issue.record("a closed connection called back") }
      accepted.onEnd = { _ in Issue.record("a closed connection called back") }
      accepted.close()
      connected.onEnd = { _ in loop.stop() }
      connected.startReading()
      loop.run()
      #expect(loop.openHandleCount == 2)
    }
  }
}
