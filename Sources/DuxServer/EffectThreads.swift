import Dispatch

/// The threads that effects run on: more are made when all of them are blocked.
///
/// Swift's own threads are as many as cores. An app's closure that blocks one (a system call, a
/// library that waits) would hold up every other effect, the limits of time that should end it, and
/// the end of the process.
final class EffectThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "dux-effects", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
