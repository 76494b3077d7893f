import DuxEngine
import DuxJSON
import DuxLog
import DuxNetwork
import DuxStorage
import Synchronization

/// What became of a commit.
enum CommitOutcome: Sendable {
  case durable
  /// Nothing of it is on disk.
  case failed(StorageFault)
  /// Nobody can tell whether it is on disk before the log is opened again.
  case lost(String)
}

/// What the storage threads have to tell the loop's thread.
enum StorageMessage: Sendable {
  case commitEnded(CommitOutcome)
  case answer(Answer, Token)
  case checkpointEnded
  case figures(StorageFigures)
  /// The log could be shortened if there were a newer checkpoint.
  case checkpointWanted
  case warned(String)
}

/// The threads that wait for the disk, so that the loop's never waits long: one commits, one reads,
/// one encodes big values, one copies the write-ahead log into the database.
///
/// The objects behind each thread are used by jobs of that thread only, but for the writer: small
/// commits are made on the loop's own thread (see ``CommitPace``).
final class StorageThreads: Sendable {
  let mailbox: Mailbox<StorageMessage>
  private let retention: RetentionLimits
  private let committing: SerialThread
  private let reading: SerialThread
  private let encoding: SerialThread
  private let copying: SerialThread
  private let writer: Shared<LogWriter>
  private let reader: Confined<HistoryReader>
  private let copier: Confined<WALCheckpointer>
  private let pace = Mutex(CommitPace())
  private let isSettling = Atomic(false)
  private let isTidying = Atomic(false)
  private let copy = Mutex(CopyRun())

  /// Takes over an open log.
  init(
    writer: LogWriter, reader: HistoryReader, copier: WALCheckpointer, retention: RetentionLimits,
    mailbox: Mailbox<StorageMessage>
  ) throws(NetworkError) {
    self.writer = Shared(writer)
    self.reader = Confined(reader)
    self.copier = Confined(copier)
    self.retention = retention
    self.mailbox = mailbox
    committing = try SerialThread(named: "dux-commit")
    reading = try SerialThread(named: "dux-read")
    encoding = try SerialThread(named: "dux-encode")
    // It copies for milliseconds, again and again, while commits and the loop want the processor.
    copying = try SerialThread(named: "dux-wal", urgency: .low)
  }

  /// Begins a turn of the loop, in which a few commits may be made at once.
  func beginTurn() {
    pace.withLock { $0.beginTurn() }
  }

  /// Makes a group durable, at once where that is quick; on the loop's thread.
  ///
  /// - Returns: what became of it; `nil` where a message will tell.
  func commit(_ commit: Commit) -> CommitOutcome? {
    if pace.withLock({ $0.isBestAtOnce(commit) }),
      let outcome = writer.withLockIfAvailable({
        $0.isAtCeiling ? nil : outcome(of: commit, by: $0)
      }) ?? nil
    {
      pace.withLock { $0.noteMade() }
      settleWALSoon()
      return outcome
    }
    committing.submit { [self] in
      mailbox.post(.commitEnded(writer.withLock { outcome(of: commit, by: $0) }))
      settleWAL()
    }
    return nil
  }

  private func outcome(of commit: Commit, by writer: LogWriter) -> CommitOutcome {
    let begun = ContinuousClock.now
    defer {
      let taken = ContinuousClock.now - begun
      pace.withLock { $0.note(taken) }
    }
    do throws(StorageError) {
      try writer.append(commit)
      return .durable
    } catch {
      return error.isFatal ? .lost(error.description) : .failed(error.fault)
    }
  }

  /// Finds an answer.
  func ask(_ question: Question, _ token: Token) {
    let thread =
      switch question {
      case .text, .snapshotParts: encoding
      default: reading
      }
    thread.submit { [self] in
      let answer = answer(question)
      if case .failed(let text) = answer { mailbox.post(.warned(text)) }
      mailbox.post(.answer(answer, token))
    }
  }

  private func answer(_ question: Question) -> Answer {
    switch question {
    case .text(let value): .text(SharedBytes(value.bytes))
    case .snapshotParts(let value, let header, let maximumLineBytes):
      .text(
        SharedBytes(
          SnapshotParts.text(header, state: value, maximumLineBytes: maximumLineBytes)))
    default: reader.value.answer(question)
    }
  }

  /// Writes a checkpoint, a part at a time between commits.
  func writeCheckpoint(seq: SequenceNumber, time: Int64, state: JSON) {
    encoding.submit { [self] in
      let checkpoint = Checkpoint(seq: seq, time: time, state: state.bytes)
      committing.submit { [self] in
        write(checkpoint) { (writer) throws(StorageError) in
          try writer.beginCheckpoint(
            seq: checkpoint.seq, time: checkpoint.time, byteCount: checkpoint.state.count)
        } next: { [self] in
          writeParts(of: checkpoint, from: 0)
        }
      }
    }
  }

  private func writeParts(of checkpoint: Checkpoint, from start: Int) {
    let state = checkpoint.state
    guard start < state.count else {
      return write(checkpoint) { (writer) throws(StorageError) in
        try writer.finishCheckpoint()
      } next: { [self] in
        mailbox.post(.checkpointEnded)
      }
    }
    let end = min(start + LogWriter.checkpointPartSize, state.count)
    write(checkpoint) { (writer) throws(StorageError) in
      try writer.writePart(state[start..<end])
    } next: { [self] in
      // What is written has to be copied too: commits would wait behind both at once.
      submitAfterCopying { [self] in writeParts(of: checkpoint, from: end) }
    }
  }

  private func write(
    _ checkpoint: Checkpoint, _ body: (LogWriter) throws(StorageError) -> Void,
    next: () -> Void
  ) {
    do throws(StorageError) {
      try writer.withLock { (writer) throws(StorageError) in try body(writer) }
    } catch {
      mailbox.post(.warned("the checkpoint at \(checkpoint.seq) was given up: \(error)"))
      mailbox.post(.checkpointEnded)
      return settleWAL()
    }
    // First, so that what comes next knows whether the log is being copied.
    settleWAL()
    next()
  }

  /// Has the committing thread look after the write-ahead log, where that may be due.
  private func settleWALSoon() {
    let isDue = writer.withLockIfAvailable { writer in
      writer.canSettle || (writer.wantsCheckpoint && !copy.withLock { $0.isUnderWay })
    }
    guard isDue ?? false, !isSettling.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    committing.submit { [self] in
      isSettling.store(false, ordering: .releasing)
      settleWAL()
    }
  }

  /// Keeps the write-ahead log short; a job of the committing thread.
  private func settleWAL() {
    let wantsCopying = writer.withLock { writer in
      do throws(StorageError) {
        try writer.settleWAL()
      } catch {
        mailbox.post(.warned("the write-ahead log can't be copied: \(error)"))
      }
      return writer.wantsCheckpoint
    }
    guard wantsCopying, copy.withLock({ $0.begin() }) else { return }
    copying.submit { [self] in
      do throws(StorageError) {
        try copier.value.run()
      } catch {
        mailbox.post(.warned("the write-ahead log can't be copied: \(error)"))
      }
      for job in copy.withLock({ $0.end() }) { committing.submit(job) }
    }
  }

  /// Gives the committing thread a job, once nothing of the write-ahead log is being copied.
  private func submitAfterCopying(_ job: @escaping @Sendable () -> Void) {
    if !copy.withLock({ $0.keep(job) }) { committing.submit(job) }
  }

  /// Lets the log go that the retention limits don't ask for, and what else is no longer needed.
  ///
  /// - Parameters:
  ///   - now: wall clock in milliseconds since 1970.
  ///   - needed: the oldest place that somebody is being served from.
  func tidy(now: Int64, keeping needed: SequenceNumber?) {
    guard !isTidying.exchange(true, ordering: .acquiringAndReleasing) else { return }
    reading.submit { [self] in
      do throws(StorageError) {
        let figures = try reader.value.figures()
        mailbox.post(.figures(figures))
        let wanted = try reader.value.retentionFloor(retention, now: now)
        if wanted > figures.checkpoint { mailbox.post(.checkpointWanted) }
        committing.submit { [self] in compact(to: min(wanted, needed ?? wanted), now: now) }
      } catch {
        mailbox.post(.warned("the log can't be tidied: \(error)"))
        isTidying.store(false, ordering: .releasing)
      }
    }
  }

  private static let compactionSlice = 500

  private func compact(to wanted: SequenceNumber, now: Int64) {
    do throws(StorageError) {
      let hasMore = try writer.withLock { (writer) throws(StorageError) in
        try writer.compact(keeping: wanted, slice: Self.compactionSlice)
      }
      settleWAL()
      if hasMore {
        committing.submit { [self] in compact(to: wanted, now: now) }
      } else {
        _ = try writer.withLock { (writer) throws(StorageError) in
          try writer.pruneOutcomes(now: now)
        }
        isTidying.store(false, ordering: .releasing)
      }
    } catch {
      mailbox.post(.warned("the log can't be compacted: \(error)"))
      isTidying.store(false, ordering: .releasing)
    }
  }

  /// Ends the threads when they have done what they were given, and closes the log.
  ///
  /// - Parameter last: a checkpoint to write first, so that the next start is quick.
  func close(writing last: Checkpoint?) {
    encoding.stopAndJoin()
    reading.stopAndJoin()
    committing.stopAndJoin()
    copying.stopAndJoin()
    if let last {
      do throws(StorageError) {
        try writer.withLock { (writer) throws(StorageError) in try writer.writeCheckpoint(last) }
      } catch {
        mailbox.post(.warned("the last checkpoint was given up: \(error)"))
      }
    }
    reader.value.close()
    copier.value.close()
    writer.withLock { $0.close() }
  }
}

/// An object that is used by the jobs of one thread only, once it was handed over.
// Unchecked: whoever makes it stops using the object, and jobs of one SerialThread never overlap.
private struct Confined<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// An object that is used by one thread at a time, once it was handed over.
// Unchecked: whoever makes it stops using the object, and it is reached under the lock only.
private final class Shared<Value>: @unchecked Sendable {
  private let value: Value
  private let turn = Mutex(())

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Result, Failure: Error>(
    _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try turn.withLock { _ throws(Failure) in try body(value) }
  }

  /// - Returns: `nil` when another thread uses the object.
  func withLockIfAvailable<Result>(_ body: (Value) -> Result) -> Result? {
    turn.withLockIfAvailable { _ in body(value) }
  }
}

extension StorageError {
  fileprivate var fault: StorageFault {
    kind == .full ? .full(description) : .broken(description)
  }

  /// Whether the log has to be opened again before anything can be written.
  fileprivate var isFatal: Bool {
    kind == .syncFailed || kind == .damaged
  }
}
