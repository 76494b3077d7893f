import DuxLog

/// A complete checkpoint as its row describes it.
struct StoredCheckpoint: Hashable {
  var id: Int64
  var seq: SequenceNumber
  var time: Int64
  var byteCount: Int64
  var partCount: Int64
  var digest: Int64

  /// The columns in the order that `init(row:)` reads them.
  static let columns = "id, seq, time, byteCount, partCount, digest"

  init(row: Statement) {
    id = row.integer(0)
    seq = SequenceNumber(row.integer(1))
    time = row.integer(2)
    byteCount = row.integer(3)
    partCount = row.integer(4)
    digest = row.integer(5)
  }
}

/// Reads a checkpoint's parts back and checks them against its digest, in slices.
struct CheckpointVerification {
  let checkpoint: StoredCheckpoint
  private var nextPart: Int64 = 0
  private var byteCount: Int64 = 0
  private var digest: QuickDigest

  init(_ checkpoint: StoredCheckpoint) {
    self.checkpoint = checkpoint
    self.digest = RowDigest.checkpoint(
      seq: checkpoint.seq.value, time: checkpoint.time, byteCount: checkpoint.byteCount)
  }

  /// Whether all parts were read and found good.
  var isDone: Bool { nextPart >= checkpoint.partCount }

  /// Reads on, at most so many parts.
  ///
  /// - Throws: `damaged` naming the checkpoint's step.
  mutating func advance(
    _ connection: Connection, parts: Int64, take: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) {
    let rows = try connection.prepare(
      """
      SELECT part, bytes FROM checkpoint_parts WHERE checkpoint=?1 AND part>=?2
      ORDER BY part LIMIT ?3
      """)
    defer { rows.reset() }
    rows.bind(1, checkpoint.id)
    rows.bind(2, nextPart)
    rows.bind(3, parts)
    while !isDone, try rows.step() {
      let bytes = rows.bytes(1)
      guard rows.integer(0) == nextPart, Int64(bytes.count) <= checkpoint.byteCount - byteCount
      else { throw damage(connection, "a part is missing") }
      digest.update(bytes)
      take(bytes)
      nextPart += 1
      byteCount += Int64(bytes.count)
    }
    if isDone || parts == .max {
      try finish(connection)
    }
  }

  private func finish(_ connection: Connection) throws(StorageError) {
    guard isDone, byteCount == checkpoint.byteCount else {
      throw damage(connection, "parts are missing")
    }
    guard digest.signedValue == checkpoint.digest else {
      throw damage(connection, "its digest does not match")
    }
  }

  private func damage(_ connection: Connection, _ check: String) -> StorageError {
    StorageError(
      .damaged, file: connection.file, check: "checkpoint: \(check)", seq: checkpoint.seq)
  }
}
