package import DuxLog

// The seam between the daemon and where its log lives. Nothing here says that the log is a local
// file: what is appended is a batch after a known last step, and all else is asked by step.

/// The writing side of a log: one at a time, used by one thread at a time.
package protocol LogWriting: AnyObject {
  /// The last step in the log.
  var head: SequenceNumber { get }
  /// The last step that is no longer in the log.
  var floor: SequenceNumber { get }

  /// Makes a commit durable, whole or not at all.
  ///
  /// - Throws: `outOfSequence` when the first step is not right after `head`, there is a hole, or
  ///   time falls; `full` when there is no space; `syncFailed` when the outcome is not known and
  ///   the log must be opened again.
  func append(_ commit: Commit) throws(StorageError)

  /// Begins to keep a checkpoint of `byteCount` bytes; one that was begun before is dropped.
  func beginCheckpoint(
    seq: SequenceNumber, time: Int64, byteCount: Int
  ) throws(StorageError)

  /// Adds the next bytes of the checkpoint, `checkpointPartSize` at most; after a throw the same
  /// may be written again.
  func writePart(_ bytes: ArraySlice<UInt8>) throws(StorageError)

  /// Makes the checkpoint count.
  func finishCheckpoint() throws(StorageError)

  /// Takes one small step towards a log that starts at the newest checkpoint at or before
  /// `wanted`; call it between commits until it answers that nothing is left.
  ///
  /// - Returns: Whether more is left to do.
  func compact(keeping wanted: SequenceNumber, slice: Int) throws(StorageError) -> Bool

  /// Takes one small step through the clients, dropping outcomes that need not be kept.
  ///
  /// - Returns: Whether clients are left in this round.
  func pruneOutcomes(now: Int64) throws(StorageError) -> Bool
}

/// The reading side of a log, used by one thread at a time; there may be many.
///
/// No call leaves a read transaction open.
package protocol LogReading: AnyObject {
  /// Where the log begins and ends now.
  func bounds() throws(StorageError) -> LogBounds

  /// The steps after `after`, in order and without a hole, in a bounded number.
  ///
  /// - Returns: At least one step where there is one, however large it is.
  /// - Throws: `compacted` when the log no longer has the first of them; `damaged` naming the step.
  func entries(
    after: SequenceNumber, through: SequenceNumber?, maximumCount: Int, maximumBytes: Int
  ) throws(StorageError) -> [LogEntry]

  /// The first step at or after a moment, in milliseconds since 1970; `nil` when all are before.
  func firstEntry(atOrAfter time: Int64) throws(StorageError) -> SequenceNumber?

  /// What became of a client's request, `nil` when that is not known, or no longer.
  func outcome(client: String, n: Int64) throws(StorageError) -> Outcome?

  /// The highest `n` of a client, which is kept for ever; `nil` for a client never seen.
  func lastN(client: String) throws(StorageError) -> Int64?

  /// The effects that are not done with, in the order in which each key was first put.
  ///
  /// - Throws: `damaged` naming the key.
  func outbox() throws(StorageError) -> [OutboxRow]

  /// The newest checkpoint that reads back as written, at or before a step where one is given.
  func newestCheckpoint(
    atOrBefore seq: SequenceNumber?
  ) throws(StorageError) -> CheckpointSearch

  /// The complete checkpoints' steps, newest first.
  func checkpoints() throws(StorageError) -> [SequenceNumber]

  /// The lowest step to compact to so that all limits hold.
  func retentionFloor(_ limits: RetentionLimits, now: Int64) throws(StorageError) -> SequenceNumber
}

/// Where a log begins and ends.
package struct LogBounds: Hashable, Sendable {
  /// The last step that is no longer in the log; 0 for a log that is whole.
  package var floor: SequenceNumber
  /// The last step in the log.
  package var head: SequenceNumber

  /// Makes bounds of their parts.
  package init(floor: SequenceNumber, head: SequenceNumber) {
    self.floor = floor
    self.head = head
  }
}

/// A search for a checkpoint.
package struct CheckpointSearch: Sendable {
  /// The newest good one.
  package var checkpoint: Checkpoint?
  /// The newer ones that were passed over because they are damaged.
  package var warnings: [StorageError]

  /// Makes the result of its parts.
  package init(checkpoint: Checkpoint?, warnings: [StorageError]) {
    self.checkpoint = checkpoint
    self.warnings = warnings
  }
}

/// How much of the log is kept; `nil` is no limit.
package struct RetentionLimits: Hashable, Sendable {
  /// At most so many steps.
  package var count: Int64?
  /// Steps no older than so many milliseconds.
  package var ageMs: Int64?
  /// At most so many bytes of steps, as `LogSizes.logBytes` counts them.
  package var bytes: Int64?

  /// Makes limits of their parts.
  package init(count: Int64?, ageMs: Int64?, bytes: Int64?) {
    self.count = count
    self.ageMs = ageMs
    self.bytes = bytes
  }
}

extension LogWriting {
  /// The longest part of a checkpoint, in bytes, which is what a commit may have to wait for; there
  /// are logs with parts four times as long.
  package static var checkpointPartSize: Int { 64 << 10 }

  /// Keeps a whole checkpoint at once, part by part.
  package func writeCheckpoint(_ checkpoint: Checkpoint) throws(StorageError) {
    try beginCheckpoint(
      seq: checkpoint.seq, time: checkpoint.time, byteCount: checkpoint.state.count)
    var rest = checkpoint.state[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.checkpointPartSize)
      try writePart(part)
      rest = rest.dropFirst(part.count)
    }
    try finishCheckpoint()
  }
}
