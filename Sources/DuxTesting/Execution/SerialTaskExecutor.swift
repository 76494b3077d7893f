import Dispatch
import Synchronization

/// Runs the tasks of effects one piece at a time, in the order in which they became ready.
///
/// So the same test runs its effects in the same order each time, as far as nothing outside wakes
/// them: what one operation of the test makes ready runs in the order in which it was made ready.
final class SerialTaskExecutor: TaskExecutor {
  private struct Content {
    var jobs: [UnownedJob] = []
    var isRunning = false
    var isHeld = false

    var isIdle: Bool { jobs.isEmpty && !isRunning }

    mutating func becomesRunning() -> Bool {
      guard !isRunning, !isHeld, !jobs.isEmpty else { return false }
      isRunning = true
      return true
    }
  }

  private let content = Mutex(Content())
  private let changes: ChangeSignal

  /// Makes an executor that signals when it has become idle.
  init(changes: ChangeSignal) {
    self.changes = changes
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let starts = content.withLock { content in
      content.jobs.append(job)
      return content.becomesRunning()
    }
    if starts { start() }
  }

  /// Lets what `body` makes ready begin only when `body` has returned.
  func holding<R>(_ body: () async -> R) async -> R {
    content.withLock { $0.isHeld = true }
    let result = await body()
    let starts = content.withLock { content in
      content.isHeld = false
      return content.becomesRunning()
    }
    if starts { start() }
    return result
  }

  /// Waits until nothing is ready to run.
  ///
  /// - Returns: whether that came to pass before the deadline.
  @discardableResult
  func settle(until deadline: ContinuousClock.Instant = .now + .seconds(1)) async -> Bool {
    while true {
      let version = changes.version
      if content.withLock({ $0.isIdle }) { return true }
      guard await changes.next(after: version, until: deadline) else { return false }
    }
  }

  private func start() {
    DispatchQueue.global().async { self.run() }
  }

  private func run() {
    while let jobs = takeJobs() {
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    changes.signal()
  }

  private func takeJobs() -> [UnownedJob]? {
    content.withLock { content in
      guard !content.isHeld, !content.jobs.isEmpty else {
        content.isRunning = false
        return nil
      }
      defer { content.jobs = [] }
      return content.jobs
    }
  }
}
