package import DuxLog

extension LogReader {
  /// The steps after `after`, in order and without a hole, in a bounded number.
  ///
  /// - Returns: At least one step where there is one, however large it is; none when `after` is
  ///   the last.
  /// - Throws: `compacted` when the log no longer has the first of them; `damaged` naming the step
  ///   when one is missing or does not read back as written.
  /// - Complexity: O(*n*) in the number of bytes given back, and a run of steps at either end.
  package func entries(
    after: SequenceNumber, through: SequenceNumber?, maximumCount: Int, maximumBytes: Int
  ) throws(StorageError) -> [LogEntry] {
    try snapshot { () throws(StorageError) in
      let floor = try currentFloor()
      guard after >= floor else {
        throw StorageError(
          .compacted(floor: floor), file: connection.file, check: "the steps after \(after)")
      }
      let through = through ?? SequenceNumber(.max)
      var slice = EntrySlice(maximumCount: maximumCount, maximumBytes: maximumBytes)
      var next = after.next
      let rows = statements.rows
      defer { rows.reset() }
      rows.bind(1, after.value)
      while next <= through, !slice.isFull, try rows.step() {
        let row = try row(rows, for: next)
        guard row.first == next || (row.first < next && slice.entries.isEmpty) else {
          throw missing(next)
        }
        let last = min(row.last, through)
        try decoding(next) { () throws(StepRun.Malformed) in
          try slice.take(row, next.value...last.value)
        }
        next = last.next
      }
      return slice.entries
    }
  }

  /// The first step at or after a moment, in milliseconds since 1970; `nil` when all are before.
  ///
  /// - Complexity: O(log *n*) look-ups, for time never falls along the log.
  package func firstEntry(atOrAfter time: Int64) throws(StorageError) -> SequenceNumber? {
    try snapshot { () throws(StorageError) in
      let bounds = try currentBounds()
      let found = try first(in: bounds, where: .time, isAtLeast: time)
      return found > bounds.head ? nil : found
    }
  }
}

/// The entries of one reading, bounded in number and bytes.
private struct EntrySlice {
  let maximumCount: Int
  let maximumBytes: Int
  private(set) var entries: [LogEntry] = []
  private var bytes = 0
  private(set) var isFull = false

  init(maximumCount: Int, maximumBytes: Int) {
    self.maximumCount = max(1, maximumCount)
    self.maximumBytes = maximumBytes
    entries.reserveCapacity(min(self.maximumCount, 1024))
  }

  /// Takes steps of a row up to the first that there is no room for; one there always is.
  mutating func take(_ row: LogRow, _ steps: ClosedRange<Int64>) throws(StepRun.Malformed) {
    for seq in steps {
      let entry = try row.entry(SequenceNumber(seq))
      bytes += entry.storedSize
      isFull = bytes > maximumBytes && !entries.isEmpty
      if isFull { return }
      entries.append(entry)
      isFull = entries.count == maximumCount
      if isFull { return }
    }
  }
}
