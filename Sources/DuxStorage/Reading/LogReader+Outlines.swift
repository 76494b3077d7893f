import DuxLog

extension LogReader {
  /// A column whose values never fall along the log.
  enum RisingColumn {
    case time, total
  }

  /// What a search of a rising column comes upon.
  enum Place {
    /// The first row that has a value to reach, from the first of its steps that counts on.
    case row(RowOutline, from: SequenceNumber)
    /// One past the head: no value is reached.
    case end(SequenceNumber)
  }

  /// The first step whose value of a rising column is at least `value`; one past the head when
  /// none is.
  ///
  /// - Throws: `damaged` when a run's heads are not to be read; its payloads are not looked at.
  /// - Complexity: O(log *n*) look-ups, and the heads of one row.
  func first(
    in bounds: LogBounds, where column: RisingColumn, isAtLeast value: Int64
  ) throws(StorageError) -> SequenceNumber {
    switch try place(in: bounds, where: column, isAtLeast: value) {
    case .end(let end): return end
    case .row(let row, let start):
      return try first(in: row, from: start, where: column, isAtLeast: value)
    }
  }

  /// The row that has the first step whose value of a rising column is at least `value`.
  func place(
    in bounds: LogBounds, where column: RisingColumn, isAtLeast value: Int64
  ) throws(StorageError) -> Place {
    let steps = bounds.floor.next.value..<bounds.head.next.value
    // A row's value is its last step's: the first row that reaches it begins here, or at the floor.
    let start = try partition(steps) { (seq) throws(StorageError) in
      try last(column, ofRowOf: SequenceNumber(seq)) >= value
    }
    guard steps.contains(start) else { return .end(SequenceNumber(start)) }
    return .row(try outline(ofRowOf: SequenceNumber(start)), from: SequenceNumber(start))
  }

  /// The first step of a row, from one on, whose value of a rising column is at least `value`; its
  /// last where it is none of the others.
  func first(
    in row: RowOutline, from start: SequenceNumber, where column: RisingColumn,
    isAtLeast value: Int64
  ) throws(StorageError) -> SequenceNumber {
    guard start < row.last else { return row.last }
    return try withHeads(of: row) { (heads) throws(StepRun.Malformed) in
      let seq = try partition(start.value..<row.last.value) { (seq) throws(StepRun.Malformed) in
        try row.value(column, at: SequenceNumber(seq), heads) >= value
      }
      return SequenceNumber(seq)
    }
  }

  /// The outline of the row that has a step.
  ///
  /// - Throws: `damaged` when there is none, or it cannot be.
  func outline(ofRowOf seq: SequenceNumber) throws(StorageError) -> RowOutline {
    let statement = statements.outline
    defer { statement.reset() }
    statement.bind(1, seq.value)
    guard try statement.step() else { throw missing(seq) }
    let row = try decoding(seq) { () throws(StepRun.Malformed) in try RowOutline(statement) }
    guard row.first <= seq else { throw missing(seq) }
    return row
  }

  /// Reads the heads of a run.
  ///
  /// - Throws: `damaged` when they are not to be read, or cannot be.
  func withHeads<Value>(
    of row: RowOutline, _ body: (RunHeads) throws(StepRun.Malformed) -> Value
  ) throws(StorageError) -> Value {
    let statement = statements.heads
    defer { statement.reset() }
    statement.bind(1, row.last.value)
    guard try statement.step() else { throw missing(row.last) }
    let bytes = statement.bytes(0)
    return try decoding(row.first) { () throws(StepRun.Malformed) in
      try body(RunHeads(count: row.count, bytes, payloadSize: row.payloadSize))
    }
  }

  /// A column's value at the last step of the row that has a step.
  func last(_ column: RisingColumn, ofRowOf seq: SequenceNumber) throws(StorageError) -> Int64 {
    let statement = column == .time ? statements.time : statements.total
    guard let value = try single(statement, seq.value) else { throw missing(seq) }
    return value
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
