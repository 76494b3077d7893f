import DuxNetwork
import Testing

struct TimerTests {
  @Test
  func timersFireInTheOrderOfTheirTimesAndNeverEarly() throws {
    try withLoop { loop in
      let begin = loop.now
      var fired: [Int] = []
      for delay in [9, 3, 6] {
        loop.timer(after: .milliseconds(delay)) {
          #expect(loop.now - begin >= .milliseconds(delay))
          fired.append(delay)
          if fired.count == 3 { loop.stop() }
        }
      }
      loop.run()
      #expect(fired == [3, 6, 9])
    }
  }

  @Test
  func aRepeatingTimerGoesOnUntilItIsCancelled() throws {
    try withLoop { loop in
      var count = 0
      var timer: LoopTimer?
      timer = loop.timer(after: .zero, repeating: .milliseconds(1)) {
        count += 1
        if count == 5 {
          timer?.cancel()
          loop.timer(after: .milliseconds(10)) { loop.stop() }
        }
      }
      loop.run()
      #expect(count == 5)
      #expect(timer?.isActive == false)
      timer = nil
    }
  }

  @Test
  func aTimerCancelledByAnotherOfTheSameTurnDoesNotFire() throws {
    try withLoop { loop in
      var second: LoopTimer?
      loop.timer(after: .zero) { second?.cancel() }
      second = loop.timer(after: .zero) { Issue.record("a cancelled timer fired") }
      loop.timer(after: .milliseconds(5)) { loop.stop() }
      loop.run()
    }
  }

  @Test
  func aSingleTimerLetsGoOfWhatItHolds() throws {
    try withLoop { loop in
      weak var held: Held?
      do {
        let object = Held()
        held = object
        loop.timer(after: .zero) { withExtendedLifetime(object) {} }
      }
      #expect(held != nil)
      loop.timer(after: .milliseconds(2)) { loop.stop() }
      loop.run()
      #expect(held == nil)
    }
  }

  @Test
  func aFarAwayTimerIsNoTrap() throws {
    try withLoop { loop in
      let far = loop.timer(after: .seconds(Int64.max)) { Issue.record("a far timer fired") }
      let past = loop.timer(after: .seconds(-5)) { loop.stop() }
      loop.run()
      #expect(far.isActive)
      #expect(!past.isActive)
    }
  }

  private final class Held {}
}
