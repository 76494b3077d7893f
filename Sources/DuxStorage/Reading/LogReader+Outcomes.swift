package import DuxLog

extension LogReader {
  /// What became of a client's request, `nil` when that is not known, or no longer.
  ///
  /// - Throws: `damaged` when the stored outcomes do not read back as written.
  /// - Complexity: One look-up, and a scan of the recent outcomes, 256 KiB at most.
  package func outcome(client: String, n: Int64) throws(StorageError) -> Outcome? {
    try snapshot { () throws(StorageError) in
      guard let id = try id(ofClient: client) else { return nil }
      let row = statements.outcome
      defer { row.reset() }
      row.bind(1, id)
      row.bind(2, n)
      guard try row.step() else { return try recentOutcome(client: id, n: n) }
      return try gatheredOutcome(client: id, n: n, row)
    }
  }

  /// The highest `n` of a client, which is kept for ever; `nil` for a client never seen.
  ///
  /// - Complexity: As for `outcome(client:n:)`.
  package func lastN(client: String) throws(StorageError) -> Int64? {
    try snapshot { () throws(StorageError) in
      guard let id = try id(ofClient: client) else { return nil }
      var last: Int64?
      try forEachRecentRow { row throws(OutcomeCoding.Malformed) in
        try OutcomeGroup.forEach(in: row.bytes(3)) { group in
          if group.client == id { last = group.lastN }
        }
        return .goOn
      }
      if let last { return last }
      return try single(statements.lastN, id)
    }
  }

  private func gatheredOutcome(
    client: Int64, n: Int64, _ row: Statement
  ) throws(StorageError) -> Outcome? {
    let bytes = row.bytes(4)
    let digest = RowDigest.outcomes(
      client: client, lastN: row.integer(0), time: row.integer(1), count: row.integer(2),
      bytes: bytes)
    guard digest == row.integer(3) else { throw damage }
    do {
      return try OutcomeCoding.find(n: n, in: bytes)
    } catch {
      throw damage
    }
  }

  /// What is not among the gathered outcomes can only be in a later, recent one.
  private func recentOutcome(client: Int64, n: Int64) throws(StorageError) -> Outcome? {
    var found: Outcome?
    try forEachRecentRow { row throws(OutcomeCoding.Malformed) in
      var group: OutcomeGroup?
      try OutcomeGroup.forEach(in: row.bytes(3)) {
        if $0.client == client && $0.lastN >= n { group = group ?? $0 }
      }
      guard let group else { return .goOn }
      let digest = RowDigest.recentOutcomes(
        id: row.integer(0), time: row.integer(1), bytes: row.bytes(3))
      guard digest == row.integer(2) else { throw OutcomeCoding.Malformed() }
      found = try OutcomeCoding.find(n: n, in: group.bytes)
      return .stop
    }
    return found
  }

  private enum Scan {
    case goOn, stop
  }

  private func forEachRecentRow(
    _ body: (Statement) throws(OutcomeCoding.Malformed) -> Scan
  ) throws(StorageError) {
    let row = statements.recentOutcomes
    defer { row.reset() }
    while try row.step() {
      do throws(OutcomeCoding.Malformed) {
        if try body(row) == .stop { return }
      } catch {
        throw damage
      }
    }
  }

  private var damage: StorageError {
    StorageError(.damaged, file: connection.file, check: "the outcomes of a client's requests")
  }
}
