import DuxNetwork
import Synchronization
import Testing

struct WakeupTests {
  @Test
  func noWakeFromAnyThreadIsLost() throws {
    try withLoop { loop in
      let posted = Counter()
      var calls = 0
      let wakeup = try loop.makeWakeup {
        calls += 1
        // Every wake follows its post: if the last one were lost, this would never be reached.
        if posted.value == 20_000 { loop.stop() }
      }
      let threads = try (0..<4).map { try SerialThread(named: "waker \($0)") }
      for thread in threads {
        thread.submit {
          for _ in 0..<5_000 {
            posted.increment()
            wakeup.wake()
          }
        }
      }
      loop.run()
      threads.forEach { $0.stopAndJoin() }
      #expect(posted.value == 20_000)
      #expect(calls <= 20_000)
    }
  }

  @Test
  func wakesThatComeTogetherMakeOneCall() throws {
    try withLoop { loop in
      var calls = 0
      let wakeup = try loop.makeWakeup {
        calls += 1
        loop.timer(after: .milliseconds(5)) { loop.stop() }
      }
      for _ in 0..<100 {
        wakeup.wake()
      }
      loop.run()
      #expect(calls == 1)
    }
  }

  @Test
  func aCancelledWakeupIsHarmless() throws {
    try withLoop { loop in
      let before = loop.openHandleCount
      let wakeup = try loop.makeWakeup { Issue.record("a cancelled wakeup called back") }
      #expect(loop.openHandleCount == before + 1)
      wakeup.wake()
      loop.cancel(wakeup)
      wakeup.wake()
      loop.cancel(wakeup)
      loop.timer(after: .milliseconds(5)) { loop.stop() }
      loop.run()
      #expect(loop.openHandleCount == before)
    }
  }

  @Test
  func wakingFromManyThreadsWhileTheLoopClosesIsSafe() throws {
    let loop = try EventLoop()
    let wakeup = try loop.makeWakeup {}
    let thread = try SerialThread(named: "waker")
    let count = Counter()
    thread.submit {
      for _ in 0..<50_000 {
        wakeup.wake()
        count.increment()
      }
    }
    loop.close()
    thread.stopAndJoin()
    #expect(count.value == 50_000)
  }
}

/// A number that threads count up.
final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int {
    count.load(ordering: .acquiring)
  }

  func increment() {
    count.add(1, ordering: .acquiringAndReleasing)
  }
}
