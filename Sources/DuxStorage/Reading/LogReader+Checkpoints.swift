package import DuxLog

extension LogReader {
  /// The newest checkpoint that reads back as written, at or before a step where one is given.
  ///
  /// - Returns: The checkpoint, and a warning for each newer one that was passed over as damaged.
  /// - Complexity: O(*n*) in the number of its bytes, which are all in memory then.
  package func newestCheckpoint(
    atOrBefore seq: SequenceNumber?
  ) throws(StorageError) -> CheckpointSearch {
    try snapshot { () throws(StorageError) in
      var warnings: [StorageError] = []
      for stored in try storedCheckpoints(atOrBefore: seq) {
        do throws(StorageError) {
          let state = try load(stored)
          return CheckpointSearch(
            checkpoint: Checkpoint(seq: stored.seq, time: stored.time, state: state),
            warnings: warnings)
        } catch  where error.kind == .damaged {
          var warning = error
          warning.seq = stored.seq
          warnings.append(warning)
        }
      }
      return CheckpointSearch(checkpoint: nil, warnings: warnings)
    }
  }

  /// The complete checkpoints' steps, newest first.
  package func checkpoints() throws(StorageError) -> [SequenceNumber] {
    try snapshot { () throws(StorageError) in
      try storedCheckpoints(atOrBefore: nil).map(\.seq)
    }
  }

  private func storedCheckpoints(
    atOrBefore seq: SequenceNumber?
  ) throws(StorageError) -> [StoredCheckpoint] {
    let rows = try connection.prepare(
      """
      SELECT \(StoredCheckpoint.columns) FROM checkpoints WHERE complete=1 AND seq<=?1
      ORDER BY seq DESC, id DESC
      """)
    defer { rows.reset() }
    rows.bind(1, seq?.value ?? .max)
    var found: [StoredCheckpoint] = []
    while try rows.step() {
      found.append(StoredCheckpoint(row: rows))
    }
    return found
  }

  private func load(_ stored: StoredCheckpoint) throws(StorageError) -> [UInt8] {
    var verification = CheckpointVerification(stored)
    var state: [UInt8] = []
    state.reserveCapacity(Int(clamping: min(stored.byteCount, stored.partCount &* (256 << 10))))
    try verification.advance(connection, parts: .max) { state.append(contentsOf: $0) }
    return state
  }
}
