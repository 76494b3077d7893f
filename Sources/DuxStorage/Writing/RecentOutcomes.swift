import DuxLog

/// The outcomes of the latest commits, before they are gathered by client.
///
/// Outcomes are asked for by client and come by commit. Put in their client's place at once, the
/// few bytes of each would cost a page of the disk; so a commit's outcomes are first kept as one
/// row, and of every few hundred groups the older half is gathered: all outcomes of one client
/// become one row in its place, within the transaction of some commit.
final class RecentOutcomes {
  /// From so many groups, or bytes of them, on the older half is gathered.
  private static let groupLimit = 1024
  private static let byteLimit = 256 << 10

  private let connection: Connection
  private let insert: Statement
  private let scan: Statement
  private let delete: Statement
  private let insertGathered: Statement
  private let gatheredLastN: Statement
  private var rows: [Row] = []
  private var nextID: Int64 = 1
  private var groupCount = 0
  private var byteCount = 0
  private var lastNs: [Int64: Int64] = [:]
  private var buffer: [UInt8] = []

  private struct Row {
    var id: Int64
    var groupCount: Int
    var byteCount: Int
  }

  fileprivate struct Gathered {
    var lastN: Int64 = .min
    var time: Int64 = .min
    var count: Int64 = 0
    var bytes: [UInt8] = []
  }

  init(_ connection: Connection) throws(StorageError) {
    self.connection = connection
    insert = try connection.prepare(
      "INSERT INTO recent_outcomes(id, time, digest, bytes) VALUES(?1, ?2, ?3, ?4)")
    scan = try connection.prepare(
      "SELECT id, time, digest, bytes FROM recent_outcomes WHERE id<=?1 ORDER BY id")
    delete = try connection.prepare("DELETE FROM recent_outcomes WHERE id<=?1")
    insertGathered = try connection.prepare(
      """
      INSERT INTO outcomes(client, lastN, time, count, digest, bytes)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6)
      """)
    gatheredLastN = try connection.prepare("SELECT max(lastN) FROM outcomes WHERE client=?1")
    try reload()
  }

  /// The highest `n` of a client, `nil` when it has no outcome.
  func lastN(ofClient id: Int64) throws(StorageError) -> Int64? {
    if let recent = lastNs[id] { return recent }
    gatheredLastN.bind(1, id)
    defer { gatheredLastN.reset() }
    guard try gatheredLastN.step(), !gatheredLastN.isNull(0) else { return nil }
    return gatheredLastN.integer(0)
  }

  /// Keeps a commit's outcomes, within its transaction; call `reload()` when that fails.
  func append(
    _ groups: [(client: Int64, outcomes: [Outcome])], time: Int64
  ) throws(StorageError) {
    buffer.removeAll(keepingCapacity: true)
    for group in groups {
      OutcomeGroup.append(group.outcomes, of: group.client, to: &buffer)
    }
    let code = buffer.withUnsafeBytes { bytes in
      insert.bind(1, nextID)
      insert.bind(2, time)
      insert.bind(3, RowDigest.recentOutcomes(id: nextID, time: time, bytes: bytes))
      insert.bind(4, bytes)
      return insert.runForCode()
    }
    guard code == 0 else { throw insert.failure(code) }
    note(Row(id: nextID, groupCount: groups.count, byteCount: buffer.count))
    for group in groups {
      lastNs[group.client] = group.outcomes.last?.n
    }
    if groupCount >= Self.groupLimit || byteCount >= Self.byteLimit {
      try gather()
    }
  }

  /// Learns anew what is on disk, at the start and after a transaction was undone.
  func reload() throws(StorageError) {
    rows.removeAll()
    lastNs.removeAll()
    (groupCount, byteCount, nextID) = (0, 0, 1)
    try forEachRow(through: .max) { row, groups in
      self.note(row)
      for group in groups { self.lastNs[group.client] = group.lastN }
    }
  }

  private func note(_ row: Row) {
    rows.append(row)
    nextID = row.id + 1
    groupCount += row.groupCount
    byteCount += row.byteCount
  }

  /// Goes through rows and their groups, checking each row against its digest.
  private func forEachRow(
    through last: Int64, _ body: (Row, [OutcomeGroup]) -> Void
  ) throws(StorageError) {
    scan.bind(1, last)
    defer { scan.reset() }
    while try scan.step() {
      let id = scan.integer(0)
      let bytes = scan.bytes(3)
      var groups: [OutcomeGroup] = []
      let digest = RowDigest.recentOutcomes(id: id, time: scan.integer(1), bytes: bytes)
      guard digest == scan.integer(2),
        (try? OutcomeGroup.forEach(in: bytes) { groups.append($0) }) != nil
      else {
        throw StorageError(
          .damaged, file: connection.file, check: "the digest of recent outcomes")
      }
      body(Row(id: id, groupCount: groups.count, byteCount: bytes.count), groups)
    }
  }

  private func gather() throws(StorageError) {
    var taken = 0
    while taken < rows.count,
      groupCount > Self.groupLimit / 2 || byteCount > Self.byteLimit / 2
    {
      groupCount -= rows[taken].groupCount
      byteCount -= rows[taken].byteCount
      taken += 1
    }
    guard taken > 0 else { return }
    let last = rows[taken - 1].id
    rows.removeFirst(taken)
    var gathered: [Int64: Gathered] = [:]
    try forEachRow(through: last) { [scan] _, groups in
      for group in groups {
        gathered[group.client, default: Gathered()].add(group, time: scan.integer(1))
      }
    }
    for (client, outcomes) in gathered.sorted(by: { $0.key < $1.key }) {
      try insert(outcomes, of: client)
    }
    delete.bind(1, last)
    try delete.run()
  }

  private func insert(_ gathered: Gathered, of client: Int64) throws(StorageError) {
    let statement = insertGathered
    let code = gathered.bytes.withUnsafeBytes { bytes in
      statement.bind(1, client)
      statement.bind(2, gathered.lastN)
      statement.bind(3, gathered.time)
      statement.bind(4, gathered.count)
      statement.bind(
        5,
        RowDigest.outcomes(
          client: client, lastN: gathered.lastN, time: gathered.time, count: gathered.count,
          bytes: bytes))
      statement.bind(6, bytes)
      return statement.runForCode()
    }
    guard code == 0 else { throw statement.failure(code) }
    if lastNs[client] == gathered.lastN {
      lastNs[client] = nil
    }
  }
}

extension RecentOutcomes.Gathered {
  fileprivate mutating func add(_ group: OutcomeGroup, time: Int64) {
    lastN = group.lastN
    self.time = max(self.time, time)
    count += Int64(group.count)
    bytes.append(contentsOf: group.bytes)
  }
}
