package import DuxLog

extension LogWriter {
  /// Takes one small step towards a log that starts right after the newest complete checkpoint at
  /// or before `wanted`.
  ///
  /// The floor always is a checkpoint's step, so that the state at any step from the floor on can
  /// be had, and a checkpoint that turns out damaged later is covered by the one before it. Before
  /// the first step goes, that checkpoint is read back whole, in slices. Then go the steps, then
  /// the older and the unfinished checkpoints, then the file shrinks, but for a reserve that the
  /// next commits will use.
  ///
  /// - Parameters:
  ///   - wanted: The last step that need not be kept.
  ///   - slice: How many steps one call may delete, or as much other work.
  /// - Returns: Whether more is left to do.
  /// - Throws: `damaged` when the checkpoint does not read back as written: nothing was deleted.
  package func compact(
    keeping wanted: SequenceNumber, slice: Int
  ) throws(StorageError) -> Bool {
    try checkUsable()
    let slice = Int64(max(1, slice))
    let parts = max(1, slice / 128)
    if let kept = try newestCheckpoint(atOrBefore: wanted), kept.seq >= floor {
      guard try verify(kept, parts: parts) else { return true }
      if floor < kept.seq {
        try deleteEntries(through: kept.seq, slice: slice)
        return true
      }
      if try deleteParts(ofCheckpointsBefore: kept, parts: parts) { return true }
    } else if try deleteParts(ofCheckpointsBefore: nil, parts: parts) {
      return true
    }
    return try shrink(pages: max(64, slice / 4))
  }

  private func newestCheckpoint(
    atOrBefore seq: SequenceNumber
  ) throws(StorageError) -> StoredCheckpoint? {
    let row = try connection.prepare(
      """
      SELECT \(StoredCheckpoint.columns) FROM checkpoints WHERE complete=1 AND seq<=?1
      ORDER BY seq DESC, id DESC LIMIT 1
      """)
    defer { row.reset() }
    row.bind(1, seq.value)
    return try row.step() ? StoredCheckpoint(row: row) : nil
  }

  private func verify(_ kept: StoredCheckpoint, parts: Int64) throws(StorageError) -> Bool {
    var verification = self.verification ?? CheckpointVerification(kept)
    if verification.checkpoint != kept {
      verification = CheckpointVerification(kept)
    }
    self.verification = nil
    if !verification.isDone || kept.partCount == 0 {
      try verification.advance(connection, parts: parts) { _ in }
    }
    self.verification = verification
    return verification.isDone
  }

  /// Deletes the rows that end at or before a step, or at the slice's end.
  ///
  /// A run that goes on past it stays whole: the floor says where in it the log begins.
  private func deleteEntries(
    through seq: SequenceNumber, slice: Int64
  ) throws(StorageError) {
    let last = SequenceNumber(floor.value + min(slice, seq.value - floor.value))
    let delete = try connection.prepare("DELETE FROM log WHERE seq<=?1")
    delete.bind(1, last.value)
    try transaction { () throws(StorageError) in
      try delete.run()
      try meta.setInteger(.floor, last.value)
    }
    floor = last
  }

  /// Deletes parts of one checkpoint that is older than `kept` or was never finished.
  ///
  /// It stops counting in the transaction that takes its first part.
  private func deleteParts(
    ofCheckpointsBefore kept: StoredCheckpoint?, parts: Int64
  ) throws(StorageError) -> Bool {
    let find = try connection.prepare(
      """
      SELECT id FROM checkpoints WHERE (complete=0 AND id<>?3)
      OR (complete=1 AND (seq<?1 OR (seq=?1 AND id<?2))) ORDER BY id LIMIT 1
      """)
    find.bind(1, kept?.seq.value ?? -1)
    find.bind(2, kept?.id ?? 0)
    find.bind(3, openCheckpoint?.id ?? 0)
    let id = try find.step() ? find.integer(0) : nil
    find.reset()
    guard let id else { return false }
    try transaction { () throws(StorageError) in
      try run("UPDATE checkpoints SET complete=0 WHERE id=?1", id)
      try run(
        """
        DELETE FROM checkpoint_parts WHERE checkpoint=?1 AND part IN
        (SELECT part FROM checkpoint_parts WHERE checkpoint=?1 ORDER BY part LIMIT ?2)
        """, id, parts)
      try run(
        """
        DELETE FROM checkpoints WHERE id=?1
        AND NOT EXISTS(SELECT 1 FROM checkpoint_parts WHERE checkpoint=?1)
        """, id)
    }
    return true
  }

  private func run(_ sql: String, _ first: Int64, _ second: Int64? = nil) throws(StorageError) {
    let statement = try connection.prepare(sql)
    statement.bind(1, first)
    if let second { statement.bind(2, second) }
    try statement.run()
  }

  /// Gives free pages back to the file system, but for a reserve.
  private func shrink(pages: Int64) throws(StorageError) -> Bool {
    let free = try connection.integer("PRAGMA freelist_count")
    let reserve = 256 + (try connection.integer("PRAGMA page_count")) / 8
    guard free > reserve else { return false }
    try transaction { () throws(StorageError) in
      try connection.execute("PRAGMA incremental_vacuum(\(min(pages, free - reserve)))")
    }
    return free - reserve > pages
  }
}
