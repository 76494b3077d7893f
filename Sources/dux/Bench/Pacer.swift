import DuxNetwork
import Glibc
import Synchronization

/// Calls back on a loop at each tick of a time, to some ten microseconds.
///
/// The loop's own timers have steps of a millisecond. A thread sleeps until each tick instead and
/// wakes the loop; ticks that come while it is busy make one call.
final class Pacer {
  private let loop: EventLoop
  private let thread: SerialThread
  private let wakeup: Wakeup
  private let end = End()

  /// Whether the thread is to end.
  private final class End: Sendable {
    let isDue = Atomic(false)
  }

  /// The longest sleep, after which the thread looks whether it is to end.
  private static let longestSleep: Int64 = 50_000_000

  /// Begins to tick at a time of the monotonic clock.
  init(
    on loop: EventLoop, from start: Int64, every tick: Int64, _ body: @escaping () -> Void
  ) throws(NetworkError) {
    self.loop = loop
    wakeup = try loop.makeWakeup(body)
    thread = try SerialThread(named: "dux-pacer")
    thread.submit { [wakeup, end] in Self.run(wakeup, end, start, max(1, tick)) }
  }

  /// Ends the ticking, and waits for the thread.
  func stop() {
    end.isDue.store(true, ordering: .relaxed)
    thread.stopAndJoin()
    loop.cancel(wakeup)
  }

  private static func run(_ wakeup: Wakeup, _ end: End, _ start: Int64, _ tick: Int64) {
    askForShortSleeps()
    var next = start
    while !end.isDue.load(ordering: .relaxed) {
      let now = MonotonicClock.now
      if now >= next {
        wakeup.wake()
        next += (now - next) / tick * tick + tick
      }
      let until = min(next, now + longestSleep)
      var time = timespec(
        tv_sec: Int(until / 1_000_000_000), tv_nsec: Int(until % 1_000_000_000))
      clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil)
    }
  }

  /// Lets the kernel end this thread's sleeps exactly; it usually takes 50 µs more, to save wakeups.
  private static func askForShortSleeps() {
    // What `prctl(PR_SET_TIMERSLACK)` does, which is not in Swift's view of the C library.
    let file = open("/proc/thread-self/timerslack_ns", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = write(file, "1", 1)
    close(file)
  }
}

/// The clock that never jumps, in nanoseconds from an arbitrary start.
enum MonotonicClock {
  static var now: Int64 { read(CLOCK_MONOTONIC) }

  /// What the calling thread has used of a processor.
  static var threadTime: Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

  /// What the process has used of all processors.
  static var processTime: Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
