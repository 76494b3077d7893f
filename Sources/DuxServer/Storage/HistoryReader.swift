import DuxEngine
import DuxJSON
import DuxLog
import DuxStorage
import DuxStore

/// Answers what only the disk knows: old entries, old outcomes, and the state as it was.
///
/// Used by one thread at a time.
final class HistoryReader {
  private let log: LogReader
  private let initialState: JSON
  /// The last state made from the log, which the next question may begin with.
  private var recent: (seq: SequenceNumber, state: JSON)?

  init(_ log: LogReader, initialState: JSON) {
    self.log = log
    self.initialState = initialState
  }

  func close() {
    log.close()
  }

  func answer(_ question: Question) -> Answer {
    do throws(StorageError) {
      return try find(question)
    } catch {
      if case .compacted(let floor) = error.kind {
        return .compacted(floor: floor)
      }
      return .failed(error.description)
    }
  }

  func figures() throws(StorageError) -> StorageFigures {
    let bounds = try log.bounds()
    return StorageFigures(
      floor: bounds.floor, logBytes: try log.sizes().logBytes,
      checkpoint: try log.checkpoints().first ?? .zero)
  }

  func retentionFloor(
    _ limits: RetentionLimits, now: Int64
  ) throws(StorageError) -> SequenceNumber {
    try log.retentionFloor(limits, now: now)
  }

  private func find(_ question: Question) throws(StorageError) -> Answer {
    switch question {
    case .entries(let after, let through, let count, let bytes):
      return .entries(
        try log.entries(
          after: after, through: through, maximumCount: count, maximumBytes: bytes))
    case .seq(let time):
      if let first = try log.firstEntry(atOrAfter: time) { return .seq(first.previous) }
      return .seq(try log.bounds().head)
    case .lastN(let client):
      return .lastN(try log.lastN(client: client) ?? 0)
    case .outcome(let client, let n):
      return .outcome(try log.outcome(client: client, n: n))
    case .state(let seq):
      return try state(at: seq)
    case .text, .snapshotParts:
      return .failed("this is not a question to the log")
    }
  }

  private static let sliceEntries = 1_000
  private static let sliceBytes = 4 << 20

  private func state(at seq: SequenceNumber) throws(StorageError) -> Answer {
    let search = try log.newestCheckpoint(atOrBefore: seq)
    var position = search.checkpoint?.seq ?? .zero
    guard position >= (try log.bounds().floor) else {
      return .compacted(floor: try log.bounds().floor)
    }
    var state: JSON
    if let recent, recent.seq <= seq, recent.seq > position {
      (position, state) = recent
    } else if let checkpoint = search.checkpoint {
      guard let json = try? JSON(parsing: checkpoint.state, maximumDepth: .max) else {
        return .failed("the checkpoint at \(checkpoint.seq) is no JSON")
      }
      state = json
    } else {
      state = initialState
    }
    while position < seq {
      let entries = try log.entries(
        after: position, through: seq, maximumCount: Self.sliceEntries,
        maximumBytes: Self.sliceBytes)
      guard let last = entries.last else { return .failed("the log ends before \(seq)") }
      for entry in entries {
        guard state.apply(logged: entry.patch) else {
          return .failed("the patch of seq \(entry.seq) does not apply")
        }
      }
      position = last.seq
    }
    recent = (position, state)
    return .state(state)
  }
}

extension JSON {
  /// Applies a patch as the log holds it, in place.
  ///
  /// - Returns: whether it is a patch and applies; the value is of no use where not.
  mutating func apply(logged text: [UInt8]) -> Bool {
    guard let patch = JSONPatch(logged: text) else { return false }
    return (try? patch.applyInPlace(to: &self)) != nil
  }
}
