import DuxLog

/// A row of the log that was found to be as written: one step, or a run of them.
///
/// Good until its statement goes on to the next row.
struct LogRow {
  /// The row's first step.
  let first: SequenceNumber
  /// The row's last step.
  let last: SequenceNumber
  private let total: Int64
  private let content: Content

  private enum Content {
    case step(LogEntry)
    case run(StepRun, clients: [String])
  }

  init(_ entry: LogEntry, total: Int64) {
    first = entry.seq
    last = entry.seq
    self.total = total
    content = .step(entry)
  }

  init(
    _ run: StepRun, last: SequenceNumber, total: Int64, clients: [String]
  ) throws(StepRun.Malformed) {
    guard last.value >= run.count else { throw StepRun.Malformed() }
    first = SequenceNumber(last.value - Int64(run.count) + 1)
    self.last = last
    self.total = total
    content = .run(run, clients: clients)
  }

  /// A step of the row.
  ///
  /// - Throws: `Malformed` when the row does not have it.
  /// - Complexity: O(*n*) in the step's bytes.
  func entry(_ seq: SequenceNumber) throws(StepRun.Malformed) -> LogEntry {
    switch content {
    case .step(let entry): return entry
    case .run(let run, let clients):
      let step = try run.step(at: index(of: seq))
      guard clients.indices.contains(step.client) else { throw StepRun.Malformed() }
      return LogEntry(
        seq: seq, time: step.time, client: clients[step.client], n: step.n,
        actions: [UInt8](step.actions), patch: [UInt8](step.patch))
    }
  }

  /// The value of a rising column for a step of the row.
  func value(
    _ column: LogReader.RisingColumn, _ seq: SequenceNumber
  ) throws(StepRun.Malformed) -> Int64 {
    switch (column, content) {
    case (.time, .step(let entry)): return entry.time
    case (.time, .run(let run, _)): return try run.time(of: index(of: seq))
    case (.total, .step): return total
    case (.total, .run(let run, _)):
      let index = index(of: seq)
      let bytes = try run.end(of: run.count - 1) - run.end(of: index)
      return total &- Int64(bytes + (run.count - 1 - index) * LogEntry.flatSize)
    }
  }

  /// The sum of the sizes of all steps before one of the row's.
  func totalBefore(_ seq: SequenceNumber) throws(StepRun.Malformed) -> Int64 {
    try value(.total, seq) &- Int64(try entry(seq).storedSize)
  }

  private func index(of seq: SequenceNumber) -> Int {
    Int(clamping: seq.value &- first.value)
  }
}
