import Synchronization
import Testing

@testable import DuxServer

@Suite("What waits for the write-ahead log to be copied")
struct CopyRunTests {
  @Test("one run at a time, and another after it")
  func oneAtATime() {
    var run = CopyRun()
    let begun = [run.begin(), run.begin()]
    #expect(begun == [true, false])
    #expect(run.isUnderWay)
    let waiting = run.end().count
    #expect(waiting == 0)
    #expect(!run.isUnderWay)
    let beginsAgain = run.begin()
    #expect(beginsAgain)
  }

  @Test("jobs wait for a run, come back in order at its end, and once")
  func jobsWait() {
    let done = Mutex<[Int]>([])
    var run = CopyRun()
    let waitsForNothing = run.keep { done.withLock { $0.append(0) } }
    #expect(!waitsForNothing)
    let kept = [
      run.begin(), run.keep { done.withLock { $0.append(1) } },
      run.keep { done.withLock { $0.append(2) } },
    ]
    #expect(kept == [true, true, true])
    for job in run.end() { job() }
    #expect(done.withLock { $0 } == [1, 2])
    let left = run.end().count
    #expect(left == 0)
  }
}
