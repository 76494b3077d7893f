import DuxLog

/// A row of the log that was found to be as written: one step, or a run of them.
///
/// Good until its statement goes on to the next row.
struct LogRow {
  /// The row's first step.
  let first: SequenceNumber
  /// The row's last step.
  let last: SequenceNumber
  private let content: Content

  private enum Content {
    case step(LogEntry)
    case run(StepRun, clients: [String])
  }

  init(_ entry: LogEntry) {
    first = entry.seq
    last = entry.seq
    content = .step(entry)
  }

  init(
    _ run: StepRun, last: SequenceNumber, clients: [String]
  ) throws(StepRun.Malformed) {
    let count = Int64(run.heads.count)
    guard last.value >= count else { throw StepRun.Malformed() }
    first = SequenceNumber(last.value - count + 1)
    self.last = last
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

  private func index(of seq: SequenceNumber) -> Int {
    Int(clamping: seq.value &- first.value)
  }
}
