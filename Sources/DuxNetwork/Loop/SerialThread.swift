// The headers of libuv bring the C library's thread types with them.
import CLibUV
import Glibc

/// A thread of its own that runs jobs one after the other, in the order they were submitted.
///
/// For work that blocks, such as commits, which must never wait for a shared pool of threads.
package final class SerialThread: Sendable {
  private let queue: JobQueue
  private let thread: pthread_t

  /// How much of the processor a thread gets where there is not enough for all.
  package enum Urgency: Sendable {
    /// As much as any other.
    case usual
    /// A third of what any other gets, and later: for work that nobody waits for as long as it
    /// keeps up.
    case low
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: what `top -H` and debuggers show; the first 15 bytes count.
  ///   - urgency: how much of the processor it gets.
  /// - Throws: when the system has no thread left.
  package init(named name: String, urgency: Urgency = .usual) throws(NetworkError) {
    let queue = JobQueue(name: name, urgency: urgency)
    var thread = pthread_t()
    // The retain is given back by the new thread, or below when there is none.
    let argument = Unmanaged.passRetained(queue).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument {
          Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, argument)
    guard status == 0 else {
      Unmanaged<JobQueue>.fromOpaque(argument).release()
      throw NetworkError(.startThread, name, errno: status)
    }
    self.queue = queue
    self.thread = thread
  }

  deinit {
    // Without this the thread would wait for ever; the jobs it has are still run.
    if queue.stop() == .now {
      pthread_detach(thread)
    }
  }

  /// Adds a job behind all others; from any thread.
  ///
  /// - Returns: `false` after ``stopAndJoin()`` began; the job is then dropped.
  @discardableResult
  package func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
    queue.append(job)
  }

  /// Runs what was submitted before, and returns when the thread has ended; harmless when repeated.
  ///
  /// - Precondition: not called from a job of this thread, which would wait for itself.
  package func stopAndJoin() {
    precondition(pthread_equal(thread, pthread_self()) == 0, "a thread cannot wait for its own end")
    if queue.stop() == .now {
      pthread_join(thread, nil)
    }
  }
}

/// Jobs waiting for the thread, behind a lock and a condition.
// Unchecked: every stored variable is touched between lock and unlock only, and the lock and the
// condition, which must not move in memory, live on the heap until the last user is gone.
private final class JobQueue: @unchecked Sendable {
  enum Stop {
    case now
    case before
  }

  private let name: String
  private let urgency: SerialThread.Urgency
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [@Sendable () -> Void] = []
  private var isStopping = false

  init(name: String, urgency: SerialThread.Urgency) {
    self.name = name
    self.urgency = urgency
    lock.initialize(to: pthread_mutex_t())
    arrival.initialize(to: pthread_cond_t())
    pthread_mutex_init(lock, nil)
    pthread_cond_init(arrival, nil)
  }

  deinit {
    pthread_cond_destroy(arrival)
    pthread_mutex_destroy(lock)
    arrival.deallocate()
    lock.deallocate()
  }

  func append(_ job: @escaping @Sendable () -> Void) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard !isStopping else { return false }
    jobs.append(job)
    pthread_cond_signal(arrival)
    return true
  }

  func stop() -> Stop {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard !isStopping else { return .before }
    isStopping = true
    pthread_cond_signal(arrival)
    return .now
  }

  /// The life of the thread.
  func run() {
    showName()
    if urgency == .low { stepBack() }
    while let batch = nextBatch() {
      for job in batch {
        job()
      }
    }
  }

  /// Everything that waits, in order; `nil` when stopping and nothing is left.
  private func nextBatch() -> [@Sendable () -> Void]? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while jobs.isEmpty {
      guard !isStopping else { return nil }
      pthread_cond_wait(arrival, lock)
    }
    let batch = jobs
    jobs = []
    return batch
  }

  /// Lowers the priority of the calling thread, which Linux keeps for each; nothing depends on it.
  private func stepBack() {
    let which = __priority_which_t(PRIO_PROCESS.rawValue)
    setpriority(which, 0, max(5, getpriority(which, 0)))
  }

  private func showName() {
    // The file does what `pthread_setname_np` does, which is not in Swift's view of the C library.
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    let bytes = Array(name.utf8.prefix(15))
    _ = write(file, bytes, bytes.count)
    close(file)
  }
}
