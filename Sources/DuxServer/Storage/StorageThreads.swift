import DuxEngine
import DuxJSON
import DuxLog
import DuxNetwork
import DuxStorage
import Synchronization

/// What the storage threads have to tell the loop's thread.
enum StorageMessage: Sendable {
  case committed
  /// Nothing of the commit is on disk.
  case commitFailed(StorageFault)
  /// Nobody can tell whether the commit is on disk before the log is opened again.
  case commitLost(String)
  case answer(Answer, Token)
  case checkpointEnded
  case figures(StorageFigures)
  /// The log could be shortened if there were a newer checkpoint.
  case checkpointWanted
  case warned(String)
}

/// The threads that wait for the disk, so that the loop's never does: one commits, one reads, one
/// encodes big values, one copies the write-ahead log into the database.
///
/// The objects behind each thread are used by jobs of that thread only.
final class StorageThreads: Sendable {
  let mailbox: Mailbox<StorageMessage>
  private let retention: RetentionLimits
  private let committing: SerialThread
  private let reading: SerialThread
  private let encoding: SerialThread
  private let copying: SerialThread
  private let writer: Confined<LogWriter>
  private let reader: Confined<HistoryReader>
  private let copier: Confined<WALCheckpointer>
  private let isTidying = Atomic(false)
  private let isCopying = Atomic(false)

  /// Takes over an open log.
  init(
    writer: LogWriter, reader: HistoryReader, copier: WALCheckpointer, retention: RetentionLimits,
    mailbox: Mailbox<StorageMessage>
  ) throws(NetworkError) {
    self.writer = Confined(writer)
    self.reader = Confined(reader)
    self.copier = Confined(copier)
    self.retention = retention
    self.mailbox = mailbox
    committing = try SerialThread(named: "dux-commit")
    reading = try SerialThread(named: "dux-read")
    encoding = try SerialThread(named: "dux-encode")
    copying = try SerialThread(named: "dux-wal")
  }

  /// Makes a group durable.
  func commit(_ commit: Commit) {
    committing.submit { [self] in
      do throws(StorageError) {
        try writer.value.append(commit)
        mailbox.post(.committed)
      } catch {
        mailbox.post(
          error.isFatal ? .commitLost(error.description) : .commitFailed(error.fault))
      }
      settleWAL()
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
      committing.submit { [self] in writeParts(of: checkpoint, from: end) }
    }
  }

  private func write(
    _ checkpoint: Checkpoint, _ body: (LogWriter) throws(StorageError) -> Void,
    next: () -> Void
  ) {
    do throws(StorageError) {
      try body(writer.value)
      next()
    } catch {
      mailbox.post(.warned("the checkpoint at \(checkpoint.seq) was given up: \(error)"))
      mailbox.post(.checkpointEnded)
    }
    settleWAL()
  }

  /// Keeps the write-ahead log short; a job of the committing thread.
  private func settleWAL() {
    do throws(StorageError) {
      try writer.value.settleWAL()
    } catch {
      mailbox.post(.warned("the write-ahead log can't be copied: \(error)"))
    }
    guard writer.value.wantsCheckpoint, !isCopying.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    copying.submit { [self] in
      do throws(StorageError) {
        try copier.value.run()
      } catch {
        mailbox.post(.warned("the write-ahead log can't be copied: \(error)"))
      }
      isCopying.store(false, ordering: .releasing)
    }
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
      let hasMore = try writer.value.compact(keeping: wanted, slice: Self.compactionSlice)
      settleWAL()
      if hasMore {
        committing.submit { [self] in compact(to: wanted, now: now) }
      } else {
        _ = try writer.value.pruneOutcomes(now: now)
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
        try writer.value.writeCheckpoint(last)
      } catch {
        mailbox.post(.warned("the last checkpoint was given up: \(error)"))
      }
    }
    reader.value.close()
    copier.value.close()
    writer.value.close()
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

extension StorageError {
  fileprivate var fault: StorageFault {
    kind == .full ? .full(description) : .broken(description)
  }

  /// Whether the log has to be opened again before anything can be written.
  fileprivate var isFatal: Bool {
    kind == .syncFailed || kind == .damaged
  }
}
