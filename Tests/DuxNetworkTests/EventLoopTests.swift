import DuxNetwork
import Glibc
import Testing

struct EventLoopTests {
  @Test
  func theEndOfATurnComesAfterEverythingThatArrivedInIt() throws {
    try withLoop { loop in
      let first = try loop.pair()
      let second = try loop.pair()
      var events: [String] = []
      for pair in [first, second] {
        pair.accepted.onBytes = { _ in events.append("bytes") }
        pair.accepted.startReading()
      }
      // Both are there before the loop looks, so that one turn finds both.
      _ = first.connected.write(text: "x")
      _ = second.connected.write(text: "x")
      loop.atEndOfTurn = {
        events.append("end")
        if events.contains("bytes") { loop.stop() }
      }
      loop.run()
      loop.atEndOfTurn = nil
      #expect(Array(events.drop { $0 == "end" }.prefix(3)) == ["bytes", "bytes", "end"])
    }
  }

  @Test
  func theEndOfATurnComesBetweenATimerAndTheNextWait() throws {
    try withLoop { loop in
      var events: [String] = []
      loop.timer(after: .milliseconds(1)) { events.append("timer") }
      loop.atEndOfTurn = {
        events.append("end")
        if events.contains("timer") { loop.stop() }
      }
      loop.run()
      #expect(events.suffix(3).first == "timer")
    }
  }

  @Test
  func theEndOfTheLastTurnIsNotLeftOut() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      var events: [String] = []
      accepted.onBytes = { _ in
        events.append("bytes")
        loop.stop()
      }
      accepted.startReading()
      _ = connected.write(text: "x")
      loop.atEndOfTurn = { events.append("end") }
      loop.run()
      #expect(events.suffix(2) == ["bytes", "end"])
    }
  }

  @Test
  func whatIsWrittenAtTheEndOfATurnGoesOut() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      var rounds = 0
      var owed: [Connection] = []
      for end in [accepted, connected] {
        end.onBytes = { _ in owed.append(end) }
        end.startReading()
      }
      loop.atEndOfTurn = {
        for end in owed {
          rounds += 1
          _ = end.write(text: "x")
        }
        owed = []
        if rounds >= 100 { loop.stop() }
      }
      _ = accepted.write(text: "x")
      loop.run()
      #expect(rounds >= 100)
    }
  }

  @Test
  func aLoopRunsAgainAfterItStopped() throws {
    try withLoop { loop in
      for _ in 0..<3 {
        var isCalled = false
        loop.timer(after: .zero) {
          isCalled = true
          loop.stop()
        }
        loop.run()
        #expect(isCalled)
      }
    }
  }

  @Test
  func aClosedLoopLeavesItsObjectsHarmless() throws {
    let loop = try EventLoop()
    let (accepted, connected) = try loop.pair()
    let listener = try Listener.listen(
      on: .tcp(host: "127.0.0.1", port: 0), loop: loop, backlog: 1
    ) { _ in }
    let timer = loop.timer(after: .seconds(60)) {}
    let signals = try loop.onSignal(SIGUSR2) {}
    let wakeup = try loop.makeWakeup {}
    _ = Pump(Pattern(count: 1 << 30), into: accepted)
    accepted.onEnd = { _ in Issue.record("a closed loop called back") }
    let connecting = Connection.connect(to: listener.endpoint, loop: loop) { _ in
      Issue.record("a closed loop called back")
    }
    loop.close()
    loop.close()
    #expect(accepted.isClosed)
    #expect(accepted.write(text: "x") == 0)
    #expect(!timer.isActive)
    #expect(loop.openHandleCount == 0)
    connected.close()
    connecting.cancel()
    listener.close()
    listener.resume()
    signals.cancel()
    timer.cancel()
    wakeup.wake()
    loop.cancel(wakeup)
    loop.stop()
  }

  @Test
  func aSignalIsHandledOnTheLoop() throws {
    try withLoop { loop in
      var count = 0
      let watch = try loop.onSignal(SIGUSR1) {
        count += 1
        loop.stop()
      }
      // To the process, for the threads of a pool block signals.
      #expect(kill(getpid(), SIGUSR1) == 0)
      loop.run()
      #expect(count == 1)
      watch.cancel()
      watch.cancel()
    }
  }

  @Test
  func aSignalThatCannotBeCaughtIsRefused() throws {
    try withLoop { loop in
      #expect(throws: NetworkError(.watch, "signal \(SIGKILL)", errno: EINVAL)) {
        _ = try loop.onSignal(SIGKILL) {}
      }
    }
  }
}
