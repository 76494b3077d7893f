package import DuxLog
import CSQLite

extension LogWriter {
  /// A checkpoint that is being written.
  struct OpenCheckpoint {
    var id: Int64
    var byteCount: Int
    var written = 0
    var partCount: Int64 = 0
    var digest: QuickDigest
  }

  /// Begins to keep a checkpoint of `byteCount` bytes.
  ///
  /// One that was begun before and not finished is dropped. The checkpoint counts only after
  /// `finishCheckpoint()`.
  ///
  /// - Throws: `outOfSequence` when the step is not within the log.
  package func beginCheckpoint(
    seq: SequenceNumber, time: Int64, byteCount: Int
  ) throws(StorageError) {
    guard seq >= floor && seq <= head && byteCount >= 0 else {
      throw StorageError(
        .outOfSequence, file: connection.file, check: "a checkpoint outside of the log", seq: seq)
    }
    openCheckpoint = nil
    let insert = try connection.prepare(
      """
      INSERT INTO checkpoints(seq, time, byteCount, partCount, digest, complete)
      VALUES(?1, ?2, ?3, 0, 0, 0)
      """)
    insert.bind(1, seq.value)
    insert.bind(2, time)
    insert.bind(3, Int64(byteCount))
    try transaction { () throws(StorageError) in try insert.run() }
    openCheckpoint = OpenCheckpoint(
      id: sqlite3_last_insert_rowid(connection.handle), byteCount: byteCount,
      digest: RowDigest.checkpoint(seq: seq.value, time: time, byteCount: Int64(byteCount)))
  }

  /// Adds the next bytes of the checkpoint, in a transaction of their own.
  ///
  /// - Throws: `outOfSequence` when no checkpoint is open, the part is empty or longer than
  ///   `checkpointPartSize`, or the checkpoint longer than announced; after any throw the same
  ///   part may be written again.
  package func writePart(_ bytes: ArraySlice<UInt8>) throws(StorageError) {
    guard var open = openCheckpoint, !bytes.isEmpty, bytes.count <= Self.checkpointPartSize,
      bytes.count <= open.byteCount - open.written
    else {
      throw StorageError(
        .outOfSequence, file: connection.file, check: "a part that no checkpoint waits for")
    }
    try transaction { () throws(StorageError) in
      let statement = statements.part
      let code = bytes.withUnsafeBytes { buffer in
        statement.bind(1, open.id)
        statement.bind(2, open.partCount)
        statement.bind(3, buffer)
        return statement.runForCode()
      }
      guard code == SQLITE_OK else { throw statement.failure(code) }
    }
    bytes.withUnsafeBytes { open.digest.update($0) }
    open.written += bytes.count
    open.partCount += 1
    openCheckpoint = open
  }

  /// Makes the checkpoint count.
  ///
  /// - Throws: `outOfSequence` when not all of it was written.
  package func finishCheckpoint() throws(StorageError) {
    guard let open = openCheckpoint, open.written == open.byteCount else {
      throw StorageError(
        .outOfSequence, file: connection.file, check: "a checkpoint that is not whole")
    }
    let update = try connection.prepare(
      "UPDATE checkpoints SET partCount=?2, digest=?3, complete=1 WHERE id=?1")
    update.bind(1, open.id)
    update.bind(2, open.partCount)
    update.bind(3, open.digest.signedValue)
    try transaction { () throws(StorageError) in try update.run() }
    openCheckpoint = nil
  }
}
