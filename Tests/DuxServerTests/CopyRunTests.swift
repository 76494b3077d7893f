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

  @Test("a job waits for the run's end after some that went on")
  func jobsWait() {
    let done = Mutex(0)
    let job: CopyRun.Job = { done.withLock { $0 += 1 } }
    var run = CopyRun()
    let count = CopyRun.patience
    var kept = (0..<count).map { _ in run.keep(job) }
    kept.append(run.begin())
    kept.append(run.keep(job))
    #expect(kept == Array(repeating: false, count: count) + [true, true])

    for job in run.end() { job() }
    #expect(done.withLock { $0 } == 1)
    let left = run.end().count
    #expect(left == 0)
  }

  @Test("where runs follow each other, one job of many waits for each")
  func runsFollowEachOther() {
    var run = CopyRun()
    var keptCount = 0
    for _ in 0..<10 * (CopyRun.patience + 1) {
      _ = run.begin()
      guard run.keep({}) else { continue }
      keptCount += 1
      let waiting = run.end().count
      #expect(waiting == 1)
    }
    #expect(keptCount == 10)
  }
}
