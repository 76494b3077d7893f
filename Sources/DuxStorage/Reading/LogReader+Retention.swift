package import DuxLog

/// How much room the log takes.
package struct LogSizes: Hashable, Sendable {
  /// The number of steps in the log.
  package var entryCount: Int64
  /// The bytes of the steps in the log: payloads and 64 for the rest of each.
  package var logBytes: Int64
  /// The length of the database file.
  package var databaseBytes: Int64
  /// The length of the write-ahead log's file.
  package var walBytes: Int64
}

extension LogReader {
  /// How much room the log takes now.
  ///
  /// Damage in payloads is not met. A run that the log begins within counts whole where its heads
  /// are not to be read.
  ///
  /// - Complexity: A few look-ups, whatever the length of the log.
  package func sizes() throws(StorageError) -> LogSizes {
    try snapshot { () throws(StorageError) in
      let bounds = try currentBounds()
      let count = bounds.head.value - bounds.floor.value
      return LogSizes(
        entryCount: count, logBytes: count == 0 ? 0 : try logBytes(bounds),
        databaseBytes: try SystemFile.length(of: folder.databasePath) ?? 0,
        walBytes: try SystemFile.length(of: folder.walPath) ?? 0)
    }
  }

  /// The lowest step to compact to so that all limits hold; never below the floor of today.
  ///
  /// A run whose heads are not to be read is kept where a limit falls within it.
  ///
  /// - Complexity: O(log *n*) look-ups.
  package func retentionFloor(
    _ limits: RetentionLimits, now: Int64
  ) throws(StorageError) -> SequenceNumber {
    try snapshot { () throws(StorageError) in
      let bounds = try currentBounds()
      guard bounds.floor < bounds.head else { return bounds.floor }
      var floor = bounds.floor
      if let count = limits.count {
        floor = max(floor, SequenceNumber(bounds.head.value - max(0, count)))
      }
      if let age = limits.ageMs {
        let (oldest, overflow) = now.subtractingReportingOverflow(max(0, age))
        let first = try firstToKeep(
          bounds, where: .time, isAtLeast: overflow ? .min : oldest)
        floor = max(floor, first.previous)
      }
      if let bytes = limits.bytes {
        floor = max(floor, try floorForBytes(max(0, bytes), bounds))
      }
      return min(floor, bounds.head)
    }
  }

  /// The lowest step after which no more than so many bytes follow.
  private func floorForBytes(
    _ bytes: Int64, _ bounds: LogBounds
  ) throws(StorageError) -> SequenceNumber {
    if try logBytes(bounds) <= bytes { return bounds.floor }
    let total = try last(.total, ofRowOf: bounds.head)
    return try firstToKeep(bounds, where: .total, isAtLeast: total &- bytes)
  }

  /// As `first` finds it, or the first step of a run whose heads are not to be read.
  private func firstToKeep(
    _ bounds: LogBounds, where column: RisingColumn, isAtLeast value: Int64
  ) throws(StorageError) -> SequenceNumber {
    switch try place(in: bounds, where: column, isAtLeast: value) {
    case .end(let end): return end
    case .row(let row, let start):
      do throws(StorageError) {
        return try first(in: row, from: start, where: column, isAtLeast: value)
      } catch  where error.kind == .damaged {
        return start
      }
    }
  }

  private func logBytes(_ bounds: LogBounds) throws(StorageError) -> Int64 {
    try last(.total, ofRowOf: bounds.head) &- totalBefore(bounds.floor.next)
  }

  private func totalBefore(_ first: SequenceNumber) throws(StorageError) -> Int64 {
    let row = try outline(ofRowOf: first)
    guard row.first < first else { return row.totalBefore }
    do throws(StorageError) {
      return try withHeads(of: row) { (heads) throws(StepRun.Malformed) in
        try row.value(.total, at: first.previous, heads)
      }
    } catch  where error.kind == .damaged {
      return row.totalBefore
    }
  }
}
