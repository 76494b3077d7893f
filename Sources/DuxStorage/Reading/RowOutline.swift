import DuxLog

/// What a row of the log says of its steps without a look at their payloads.
///
/// It is not checked against the row's digest, which takes the payloads: whoever only counts steps
/// and bytes must not fail on damage in what nobody asked for.
struct RowOutline {
  /// The row's first step.
  let first: SequenceNumber
  /// The row's last step.
  let last: SequenceNumber
  /// The number of steps.
  let count: Int64
  /// The bytes of the actions and patches of all steps.
  let payloadSize: Int
  private let total: Int64

  /// Reads the columns `seq`, `client`, `n`, `total` and the lengths of `actions` and `patch`.
  ///
  /// - Throws: `Malformed` when they do not go together.
  init(_ row: Statement) throws(StepRun.Malformed) {
    last = SequenceNumber(row.integer(0))
    total = row.integer(3)
    let (actions, patch) = (Int(clamping: row.integer(4)), Int(clamping: row.integer(5)))
    guard row.integer(1) == StepRun.mark else {
      first = last
      count = 1
      payloadSize = actions &+ patch
      return
    }
    count = row.integer(2)
    payloadSize = patch
    guard count > 0, count <= Int64(actions / StepRun.headSize), count <= last.value else {
      throw StepRun.Malformed()
    }
    first = SequenceNumber(last.value - count + 1)
  }

  /// The sum of the sizes of all steps before the row.
  var totalBefore: Int64 {
    total &- Int64(payloadSize) &- count &* Int64(LogEntry.flatSize)
  }

  /// The value of a rising column at a step of the row, which is a run.
  func value(
    _ column: LogReader.RisingColumn, at seq: SequenceNumber, _ heads: RunHeads
  ) throws(StepRun.Malformed) -> Int64 {
    let index = Int(clamping: seq.value &- first.value)
    switch column {
    case .time: return try heads.time(of: index)
    case .total:
      let bytes = try heads.end(of: index)
      return totalBefore &+ Int64(bytes) &+ Int64(index + 1) &* Int64(LogEntry.flatSize)
    }
  }
}
