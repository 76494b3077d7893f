import Testing

@testable import DuxNetwork

/// A loop that stays awake for a moment after bytes came.
struct LingeringTests {
  @Test(.timeLimit(.minutes(1)))
  func turnsGoOnWithoutAnythingThatWakesTheLoop() throws {
    try withLoop { loop in
      loop.lingeringUs = .max
      let turns = try turns(of: loop) { $0 == 1_000 }
      #expect(turns == 1_000)
      #expect(loop.isLingering)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func theLoopSleepsInTheEnd() throws {
    try withLoop { loop in
      loop.lingeringUs = 50
      wake(loop)
      _ = try turns(of: loop) { $0 > 1 && !loop.isLingering }
      #expect(!loop.isLingering)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func whoLingeredInVainSleepsTheNextTime() throws {
    try withLoop { loop in
      loop.lingeringUs = 50
      wake(loop)
      _ = try turns(of: loop) { $0 > 1 && !loop.isLingering }
      _ = try turns(of: loop) { $0 == 1 }
      #expect(!loop.isLingering)
      _ = try turns(of: loop) { $0 == 1 }
      #expect(loop.isLingering)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func aLoopThatWasNotToldToNeverLingers() throws {
    try withLoop { loop in
      _ = try turns(of: loop) { $0 == 1 }
      #expect(!loop.isLingering)
    }
  }

  /// Gives a loop that sleeps a turn now and then.
  private func wake(_ loop: EventLoop) {
    loop.timer(after: .milliseconds(1), repeating: .milliseconds(1)) {}
  }

  /// Runs until a condition on the turns since bytes came.
  private func turns(of loop: EventLoop, until isEnough: @escaping (Int) -> Bool) throws -> Int {
    let pair = try loop.pair()
    var turns: Int?
    var isDone = false
    pair.accepted.onBytes = { _ in turns = 0 }
    pair.accepted.startReading()
    _ = pair.connected.write(text: "x")
    loop.atEndOfTurn = {
      // The end of the run is a turn's end too, and a loop that is stopped then would not run again.
      guard let counted = turns, !isDone else { return }
      turns = counted + 1
      isDone = isEnough(counted + 1)
      if isDone { loop.stop() }
    }
    loop.run()
    loop.atEndOfTurn = nil
    return turns ?? 0
  }
}
