import Synchronization

/// How long the write-ahead log may grow, in pages of 4 KiB.
package struct WALLimits: Hashable, Sendable {
  /// From so many pages that are not yet in the database on, `LogWriter.wantsCheckpoint` asks for
  /// a run of the checkpointer.
  package var checkpointPages: Int
  /// From so many pages on, the writer completes what the checkpointer began, so that the next
  /// commit starts the file over.
  package var restartPages: Int
  /// It does so only when no more than so many pages are left to copy, or a quarter of all.
  package var tailPages: Int
  /// From so many pages on, the writer copies all there is before its next commit.
  package var ceilingPages: Int

  /// Makes limits of their parts.
  package init(checkpointPages: Int, restartPages: Int, tailPages: Int, ceilingPages: Int) {
    self.checkpointPages = checkpointPages
    self.restartPages = restartPages
    self.tailPages = tailPages
    self.ceilingPages = ceilingPages
  }

  /// A file of about 4 MiB in quiet times and 64 MiB at most.
  package static let standard = WALLimits(
    checkpointPages: 1000, restartPages: 1000, tailPages: 256, ceilingPages: 16_384)
}

/// What writer and checkpointer tell each other across threads.
final class WALProgress: Sendable {
  private struct State {
    var generation = 0
    var copiedPages = 0
    var failure: StorageError?
  }

  private let state = Mutex(State())
  private let turn = Mutex(())

  /// Runs a checkpoint when no other one runs any more: SQLite would refuse a second one.
  func inTurn(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    try turn.withLock { _ throws(StorageError) in try body() }
  }

  /// Runs a checkpoint unless another one is running.
  func ifFree(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    try turn.withLockIfAvailable { _ throws(StorageError) in try body() }
  }

  /// Counts how often the write-ahead log started over.
  var generation: Int { state.withLock { $0.generation } }

  /// The pages of the current generation that are in the database.
  var copiedPages: Int { state.withLock { $0.copiedPages } }

  /// A sync that failed, after which no commit may be taken.
  var failure: StorageError? { state.withLock { $0.failure } }

  /// Notes that the write-ahead log started over.
  func startOver() {
    state.withLock {
      $0.generation += 1
      $0.copiedPages = 0
    }
  }

  /// Notes what a checkpoint copied; one that began in an earlier generation says nothing.
  func note(copiedPages: Int, generation: Int) {
    state.withLock {
      if $0.generation == generation {
        $0.copiedPages = max($0.copiedPages, copiedPages)
      }
    }
  }

  /// Notes a failed sync.
  func note(failure: StorageError) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }
}
