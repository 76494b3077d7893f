import DuxLog

extension LogReader {
  /// A column whose values never fall along the log.
  enum RisingColumn {
    case time, total
  }

  /// The row that `statements.rows` has stepped to, checked against its digest.
  ///
  /// - Throws: `damaged` naming the step that the row is needed for.
  func row(
    _ row: Statement, for needed: SequenceNumber
  ) throws(StorageError) -> LogRow {
    row.integer(2) == StepRun.mark ? try run(row, for: needed) : try step(row, for: needed)
  }

  /// Reads the row that has a step.
  ///
  /// - Throws: `damaged` when there is none, or it is not as written.
  func withRow<Value>(
    of seq: SequenceNumber, _ body: (LogRow) throws(StepRun.Malformed) -> Value
  ) throws(StorageError) -> Value {
    let rows = statements.rows
    defer { rows.reset() }
    rows.bind(1, seq.previous.value)
    guard try rows.step() else { throw missing(seq) }
    let row = try row(rows, for: seq)
    guard row.first <= seq else { throw missing(seq) }
    return try decoding(seq) { () throws(StepRun.Malformed) in try body(row) }
  }

  /// The first step whose value of a rising column is at least `value`; one past the head when
  /// none is.
  ///
  /// - Complexity: O(log *n*) look-ups, and one row read.
  func first(
    in bounds: LogBounds, where column: RisingColumn, isAtLeast value: Int64
  ) throws(StorageError) -> SequenceNumber {
    let steps = bounds.floor.next.value..<bounds.head.next.value
    // A row's value is its last step's: the first row that reaches it begins here, or at the floor.
    let start = try partition(steps) { (seq) throws(StorageError) in
      try last(column, ofRowOf: SequenceNumber(seq)) >= value
    }
    guard steps.contains(start) else { return SequenceNumber(start) }
    return try withRow(of: SequenceNumber(start)) { (row) throws(StepRun.Malformed) in
      let seq = try partition(start..<row.last.value) { (seq) throws(StepRun.Malformed) in
        try row.value(column, SequenceNumber(seq)) >= value
      }
      return SequenceNumber(seq)
    }
  }

  /// A column's value at the last step of the row that has a step.
  func last(_ column: RisingColumn, ofRowOf seq: SequenceNumber) throws(StorageError) -> Int64 {
    let statement = column == .time ? statements.time : statements.total
    guard let value = try single(statement, seq.value) else { throw missing(seq) }
    return value
  }

  /// Runs a body that reads a row's bytes; what they cannot be is damage.
  func decoding<Value>(
    _ needed: SequenceNumber, _ body: () throws(StepRun.Malformed) -> Value
  ) throws(StorageError) -> Value {
    do throws(StepRun.Malformed) {
      return try body()
    } catch {
      throw damage(needed)
    }
  }

  func missing(_ seq: SequenceNumber) -> StorageError {
    StorageError(.damaged, file: connection.file, check: "a step is missing", seq: seq)
  }

  private func damage(_ needed: SequenceNumber) -> StorageError {
    StorageError(
      .damaged, file: connection.file, check: "a step's digest does not match", seq: needed)
  }

  private func step(
    _ row: Statement, for needed: SequenceNumber
  ) throws(StorageError) -> LogRow {
    let seq = row.integer(0)
    let time = row.integer(1)
    var client = try name(ofClient: row.integer(2), at: needed)
    let n = row.isNull(3) ? nil : row.integer(3)
    let total = row.integer(4)
    let actions = row.bytes(6)
    let patch = row.bytes(7)
    let digest = client.withUTF8 { name in
      RowDigest.entry(
        seq: seq, time: time, client: UnsafeRawBufferPointer(name), n: n, total: total,
        actions: actions, patch: patch)
    }
    guard digest == row.integer(5) else { throw damage(needed) }
    let entry = LogEntry(
      seq: SequenceNumber(seq), time: time, client: client, n: n, actions: [UInt8](actions),
      patch: [UInt8](patch))
    return LogRow(entry, total: total)
  }

  private func run(
    _ row: Statement, for needed: SequenceNumber
  ) throws(StorageError) -> LogRow {
    let (last, time) = (row.integer(0), row.integer(1))
    let (count, total) = (row.integer(3), row.integer(4))
    let heads = row.bytes(6)
    let payloads = row.bytes(7)
    let run = try decoding(needed) { () throws(StepRun.Malformed) in
      try StepRun(count: count, heads: heads, payloads: payloads)
    }
    var clients: [String] = []
    for place in 0..<run.clientCount {
      let client = try decoding(needed) { () throws(StepRun.Malformed) in
        try run.client(at: place)
      }
      clients.append(try name(ofClient: client, at: needed))
    }
    let digest = RowDigest.run(
      last: last, time: time, count: count, total: total, clients: clients, heads: heads,
      payloads: payloads)
    guard digest == row.integer(5) else { throw damage(needed) }
    return try decoding(needed) { () throws(StepRun.Malformed) in
      try LogRow(run, last: SequenceNumber(last), total: total, clients: clients)
    }
  }
}

/// The first number of a range from which on a condition holds, or the range's end.
private func partition<Failure: Error>(
  _ range: Range<Int64>, by holds: (Int64) throws(Failure) -> Bool
) throws(Failure) -> Int64 {
  var low = range.lowerBound
  var high = range.upperBound
  while low < high {
    let middle = low + (high - low) / 2
    if try holds(middle) {
      high = middle
    } else {
      low = middle + 1
    }
  }
  return low
}
