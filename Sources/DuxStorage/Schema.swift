/// The layout of the database, format 2.
///
/// Format 1 is the same without `outbox`.
///
/// | table | row |
/// |---|---|
/// | `meta` | a named value: `epoch`, `app`, `appVersion`, `floor` |
/// | `clients` | a client's name as bytes, so that any string is kept as it is |
/// | `log` | a step; `total` is the sum of sizes up to it, so that a stretch's is a subtraction |
/// | `recent_outcomes` | the outcomes of one commit, in the order of commits |
/// | `outcomes` | outcomes of one client, gathered from recent commits, `lastN` the highest |
/// | `checkpoints` | a checkpoint; it counts only when `complete` |
/// | `checkpoint_parts` | a piece of a checkpoint's state |
/// | `outbox` | an effect that is not done with; `id` rises in the order of first puts |
enum Schema {
  /// Marks a file as ours: "Dux1" in ASCII, in SQLite's header field for it.
  static let applicationID: Int64 = 0x4475_7831
  /// The layout's number, in SQLite's `user_version`.
  static let format: Int64 = 2
  /// The layouts that this release reads, and brings up to date.
  static let knownFormats = 1...format

  /// A table, and the format that it came with.
  struct Table {
    let name: String
    let sql: String
    let since: Int64

    init(_ name: String, _ sql: String, since: Int64 = 1) {
      self.name = name
      self.sql = sql
      self.since = since
    }
  }

  /// The tables in the order in which they were added.
  static let tables: [Table] = [
    Table("meta", "CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID"),
    Table(
      "clients", "CREATE TABLE clients(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT"),
    Table(
      "log",
      """
      CREATE TABLE log(seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, client INTEGER NOT NULL, \
      n INTEGER, total INTEGER NOT NULL, digest INTEGER NOT NULL, actions BLOB NOT NULL, \
      patch BLOB NOT NULL) STRICT
      """
    ),
    Table(
      "recent_outcomes",
      """
      CREATE TABLE recent_outcomes(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, \
      digest INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT
      """
    ),
    Table(
      "outcomes",
      """
      CREATE TABLE outcomes(client INTEGER NOT NULL, lastN INTEGER NOT NULL, \
      time INTEGER NOT NULL, count INTEGER NOT NULL, digest INTEGER NOT NULL, \
      bytes BLOB NOT NULL, PRIMARY KEY(client, lastN)) STRICT, WITHOUT ROWID
      """
    ),
    Table(
      "checkpoints",
      """
      CREATE TABLE checkpoints(id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, \
      time INTEGER NOT NULL, byteCount INTEGER NOT NULL, partCount INTEGER NOT NULL, \
      digest INTEGER NOT NULL, complete INTEGER NOT NULL) STRICT
      """
    ),
    Table(
      "checkpoint_parts",
      """
      CREATE TABLE checkpoint_parts(checkpoint INTEGER NOT NULL, part INTEGER NOT NULL, \
      bytes BLOB NOT NULL, PRIMARY KEY(checkpoint, part)) STRICT, WITHOUT ROWID
      """
    ),
    Table(
      "outbox",
      """
      CREATE TABLE outbox(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, \
      digest INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT
      """, since: 2
    ),
  ]

  /// Makes the tables and marks the file, in one transaction.
  static func create(in connection: Connection) throws(StorageError) {
    try connection.execute("BEGIN")
    for table in tables {
      try connection.execute(table.sql)
    }
    try connection.execute(
      "PRAGMA application_id=\(applicationID); PRAGMA user_version=\(format); COMMIT")
  }

  /// Brings an older layout up to date, within the caller's transaction.
  static func upgrade(from found: Int64, in connection: Connection) throws(StorageError) {
    for table in tables where table.since > found {
      try connection.execute(table.sql)
    }
    try connection.execute("PRAGMA user_version=\(format)")
  }

  /// Checks that the database is laid out as the release of its format would lay it out.
  ///
  /// - Returns: The format.
  /// - Throws: `damaged`, or `newerFormat` when the write-ahead log holds a later layout.
  @discardableResult
  static func verify(in connection: Connection) throws(StorageError) -> Int64 {
    let found = try connection.integer("PRAGMA user_version")
    try check(format: found, of: connection.file)
    let statement = try connection.prepare(
      "SELECT CAST(sql AS BLOB) FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    defer { statement.reset() }
    for table in tables where table.since <= found {
      guard try statement.step(), statement.array(0) == Array(table.sql.utf8) else {
        throw StorageError(
          .damaged, file: connection.file, check: "the table \(table.name) is not as laid out")
      }
    }
    guard try !statement.step() else {
      throw StorageError(.damaged, file: connection.file, check: "a table that is not ours")
    }
    return found
  }

  /// Checks that a format is one that this release reads.
  static func check(format found: Int64, of file: String) throws(StorageError) {
    guard found <= format else {
      throw StorageError(
        .newerFormat(found: found, supported: format), file: file, check: "format")
    }
    guard knownFormats.contains(found) else {
      throw StorageError(.damaged, file: file, check: "there is no format \(found)")
    }
  }
}
