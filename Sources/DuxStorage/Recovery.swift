package import DuxLog

/// What a recovery found.
package struct Recovery: Sendable {
  /// Where the log begins and ends.
  package var bounds: LogBounds
  /// The step of the checkpoint it started from; `nil` when it started from the first step.
  package var checkpoint: SequenceNumber?
  /// How many steps followed the checkpoint.
  package var entryCount: Int64
  /// Damaged checkpoints that were passed over.
  package var warnings: [StorageError]
}

/// How many steps, and bytes of them, are read at a time.
private let sliceCount = 1024
private let sliceBytes = 4 << 20

/// Reads a log back: the newest good checkpoint, then every step after it up to the head.
///
/// Every row is checked against its digest and every number against its predecessor.
///
/// - Parameters:
///   - log: The log; nothing may be appended meanwhile.
///   - restore: Takes the checkpoint, or `nil` to begin with the app's initial state.
///   - apply: Takes the steps one by one.
/// - Returns: What was found.
/// - Throws: `damaged` naming the step when the state at the head cannot be had exactly, a failure
///   of the disk, or what the closures throw.
/// - Complexity: O(*n*) in the bytes read; memory for the checkpoint and one slice of steps.
package func recover(
  from log: some LogReading, restore: (Checkpoint?) throws -> Void,
  apply: (LogEntry) throws -> Void
) throws -> Recovery {
  let bounds = try log.bounds()
  let search = try log.newestCheckpoint(atOrBefore: nil)
  let start = search.checkpoint?.seq ?? .zero
  guard start >= bounds.floor, start <= bounds.head else {
    throw noWayToHead(from: search, bounds)
  }
  try restore(search.checkpoint)
  var last = start
  while last < bounds.head {
    let slice = try log.entries(
      after: last, through: bounds.head, maximumCount: sliceCount, maximumBytes: sliceBytes)
    guard !slice.isEmpty else {
      throw StorageError(.damaged, file: "the log", check: "a step is missing", seq: last.next)
    }
    for entry in slice {
      guard entry.seq == last.next else {
        throw StorageError(.damaged, file: "the log", check: "a step is missing", seq: last.next)
      }
      try apply(entry)
      last = entry.seq
    }
  }
  return Recovery(
    bounds: bounds, checkpoint: search.checkpoint?.seq,
    entryCount: bounds.head.value - start.value, warnings: search.warnings)
}

private func noWayToHead(from search: CheckpointSearch, _ bounds: LogBounds) -> StorageError {
  if var damage = search.warnings.first {
    damage.check += ", and the log starts only after seq \(bounds.floor)"
    return damage
  }
  return StorageError(
    .damaged, file: "the log",
    check: "no checkpoint joins the steps \(bounds.floor.next) to \(bounds.head)",
    seq: search.checkpoint?.seq)
}
