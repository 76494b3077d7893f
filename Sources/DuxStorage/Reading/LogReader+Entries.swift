package import DuxLog

extension LogReader {
  /// The steps after `after`, in order and without a hole, in a bounded number.
  ///
  /// - Returns: At least one step where there is one, however large it is; none when `after` is
  ///   the last.
  /// - Throws: `compacted` when the log no longer has the first of them; `damaged` naming the step
  ///   when one is missing or does not read back as written.
  /// - Complexity: O(*n*) in the number of bytes given back.
  package func entries(
    after: SequenceNumber, through: SequenceNumber?, maximumCount: Int, maximumBytes: Int
  ) throws(StorageError) -> [LogEntry] {
    try snapshot { () throws(StorageError) in
      let rows = statements.entries
      defer { rows.reset() }
      rows.bind(1, after.value)
      rows.bind(2, through?.value ?? .max)
      rows.bind(3, Int64(max(1, maximumCount)))
      var entries: [LogEntry] = []
      entries.reserveCapacity(min(max(1, maximumCount), 1024))
      var bytes = 0
      var expected = after.next
      while try rows.step() {
        let seq = SequenceNumber(rows.integer(0))
        guard seq == expected else { throw try missing(expected, after: after) }
        let entry = try entry(rows, seq)
        bytes += entry.storedSize
        if bytes > maximumBytes && !entries.isEmpty { break }
        entries.append(entry)
        expected = seq.next
      }
      if entries.isEmpty {
        try checkNothingFollows(after, through)
      }
      return entries
    }
  }

  /// The first step at or after a moment, in milliseconds since 1970; `nil` when all are before.
  ///
  /// - Complexity: O(log *n*) look-ups, for time never falls along the log.
  package func firstEntry(atOrAfter time: Int64) throws(StorageError) -> SequenceNumber? {
    try snapshot { () throws(StorageError) in
      let bounds = try currentBounds()
      let found = try first(in: bounds, where: statements.time, isAtLeast: time)
      return found > bounds.head ? nil : found
    }
  }

  /// The first step whose value of a rising column is at least `value`; one past the head when
  /// none is.
  func first(
    in bounds: LogBounds, where column: Statement, isAtLeast value: Int64
  ) throws(StorageError) -> SequenceNumber {
    var low = bounds.floor.next.value
    var high = bounds.head.next.value
    while low < high {
      let middle = low + (high - low) / 2
      if try rising(column, SequenceNumber(middle)) >= value {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return SequenceNumber(low)
  }

  /// A column's value at a step that must be there.
  func rising(_ column: Statement, _ seq: SequenceNumber) throws(StorageError) -> Int64 {
    guard let value = try single(column, seq.value) else {
      throw StorageError(.damaged, file: connection.file, check: "a step is missing", seq: seq)
    }
    return value
  }

  private func entry(_ row: Statement, _ seq: SequenceNumber) throws(StorageError) -> LogEntry {
    let time = row.integer(1)
    var client = try name(ofClient: row.integer(2), at: seq)
    let n = row.isNull(3) ? nil : row.integer(3)
    let actions = row.bytes(6)
    let patch = row.bytes(7)
    let digest = client.withUTF8 { name in
      RowDigest.entry(
        seq: seq.value, time: time, client: UnsafeRawBufferPointer(name), n: n,
        total: row.integer(4), actions: actions, patch: patch)
    }
    guard digest == row.integer(5) else {
      throw StorageError(
        .damaged, file: connection.file, check: "a step's digest does not match", seq: seq)
    }
    return LogEntry(
      seq: seq, time: time, client: client, n: n, actions: [UInt8](actions),
      patch: [UInt8](patch))
  }

  private func missing(
    _ expected: SequenceNumber, after: SequenceNumber
  ) throws(StorageError) -> StorageError {
    let floor = try currentBounds().floor
    guard after >= floor else {
      return StorageError(
        .compacted(floor: floor), file: connection.file, check: "the steps after \(after)")
    }
    return StorageError(
      .damaged, file: connection.file, check: "a step is missing", seq: expected)
  }

  private func checkNothingFollows(
    _ after: SequenceNumber, _ through: SequenceNumber?
  ) throws(StorageError) {
    let bounds = try currentBounds()
    if after < min(bounds.head, through ?? bounds.head) || after < bounds.floor {
      throw try missing(after.next, after: after)
    }
  }
}
