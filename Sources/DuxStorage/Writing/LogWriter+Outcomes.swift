import DuxLog

extension LogWriter {
  /// How many outcomes of a client are kept whatever their age.
  package static var keptOutcomesPerClient: Int64 { 1000 }
  /// How long outcomes are kept whatever their number, in milliseconds: 14 days.
  package static var keptOutcomesAgeMs: Int64 { 14 * 24 * 3600 * 1000 }

  /// Drops outcomes that are both old and followed by enough newer ones of their client, for a
  /// few clients; the next call goes on with the next clients.
  ///
  /// A client's newest row always stays, so its highest `n` is known for ever.
  ///
  /// - Returns: Whether clients are left in this round.
  /// - Complexity: At most 32 clients, 1,000 rows looked at and 1,000 deleted for each.
  package func pruneOutcomes(now: Int64) throws(StorageError) -> Bool {
    try checkUsable()
    let clients = try nextClients()
    guard let last = clients.last else {
      pruneCursor = 0
      return false
    }
    let (oldest, overflow) = now.subtractingReportingOverflow(Self.keptOutcomesAgeMs)
    for client in clients {
      try prune(client, before: overflow ? .min : oldest)
    }
    pruneCursor = last
    return true
  }

  private func nextClients() throws(StorageError) -> [Int64] {
    let rows = try connection.prepare("SELECT id FROM clients WHERE id>?1 ORDER BY id LIMIT 32")
    defer { rows.reset() }
    rows.bind(1, pruneCursor)
    var clients: [Int64] = []
    while try rows.step() {
      clients.append(rows.integer(0))
    }
    return clients
  }

  private func prune(_ client: Int64, before oldest: Int64) throws(StorageError) {
    guard let firstKept = try firstKeptRow(client),
      let lastDropped = try lastOldRow(client, below: firstKept, before: oldest)
    else { return }
    let delete = try connection.prepare("DELETE FROM outcomes WHERE client=?1 AND lastN<=?2")
    delete.bind(1, client)
    delete.bind(2, lastDropped)
    try transaction { () throws(StorageError) in try delete.run() }
  }

  /// The row from which on there are enough outcomes; `nil` when there are not.
  private func firstKeptRow(_ client: Int64) throws(StorageError) -> Int64? {
    let rows = try connection.prepare(
      "SELECT lastN, count FROM outcomes WHERE client=?1 ORDER BY lastN DESC")
    defer { rows.reset() }
    rows.bind(1, client)
    var count: Int64 = 0
    while try rows.step() {
      count += max(1, min(rows.integer(1), Self.keptOutcomesPerClient))
      if count >= Self.keptOutcomesPerClient { return rows.integer(0) }
    }
    return nil
  }

  /// The last of the oldest rows that are all too old.
  private func lastOldRow(
    _ client: Int64, below firstKept: Int64, before oldest: Int64
  ) throws(StorageError) -> Int64? {
    let rows = try connection.prepare(
      """
      SELECT lastN, time FROM outcomes WHERE client=?1 AND lastN<?2 ORDER BY lastN LIMIT 1000
      """)
    defer { rows.reset() }
    rows.bind(1, client)
    rows.bind(2, firstKept)
    var last: Int64?
    while try rows.step(), rows.integer(1) < oldest {
      last = rows.integer(0)
    }
    return last
  }
}
