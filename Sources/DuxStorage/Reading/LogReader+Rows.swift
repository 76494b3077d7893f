import DuxLog

extension LogReader {
  /// The row that `statements.rows` has stepped to, checked against its digest.
  ///
  /// - Throws: `damaged` naming the step that the row is needed for.
  func row(
    _ row: Statement, for needed: SequenceNumber
  ) throws(StorageError) -> LogRow {
    row.integer(2) == StepRun.mark ? try run(row, for: needed) : try step(row, for: needed)
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
    return LogRow(entry)
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
    for place in 0..<run.heads.clientCount {
      let client = try decoding(needed) { () throws(StepRun.Malformed) in
        try run.heads.client(at: place)
      }
      clients.append(try name(ofClient: client, at: needed))
    }
    let digest = RowDigest.run(
      last: last, time: time, count: count, total: total, clients: clients, heads: heads,
      payloads: payloads)
    guard digest == row.integer(5) else { throw damage(needed) }
    return try decoding(needed) { () throws(StepRun.Malformed) in
      try LogRow(run, last: SequenceNumber(last), clients: clients)
    }
  }
}
