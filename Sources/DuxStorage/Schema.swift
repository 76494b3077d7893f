/// The layout of the database, format 1.
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
enum Schema {
  /// Marks a file as ours: "Dux1" in ASCII, in SQLite's header field for it.
  static let applicationID: Int64 = 0x4475_7831
  /// The layout's number, in SQLite's `user_version`.
  static let format: Int64 = 1

  /// The tables by name.
  static let tables: [(name: String, sql: String)] = [
    ("meta", "CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID"),
    ("clients", "CREATE TABLE clients(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT"),
    (
      "log",
      """
      CREATE TABLE log(seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, client INTEGER NOT NULL, \
      n INTEGER, total INTEGER NOT NULL, digest INTEGER NOT NULL, actions BLOB NOT NULL, \
      patch BLOB NOT NULL) STRICT
      """
    ),
    (
      "recent_outcomes",
      """
      CREATE TABLE recent_outcomes(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, \
      digest INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT
      """
    ),
    (
      "outcomes",
      """
      CREATE TABLE outcomes(client INTEGER NOT NULL, lastN INTEGER NOT NULL, \
      time INTEGER NOT NULL, count INTEGER NOT NULL, digest INTEGER NOT NULL, \
      bytes BLOB NOT NULL, PRIMARY KEY(client, lastN)) STRICT, WITHOUT ROWID
      """
    ),
    (
      "checkpoints",
      """
      CREATE TABLE checkpoints(id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, \
      time INTEGER NOT NULL, byteCount INTEGER NOT NULL, partCount INTEGER NOT NULL, \
      digest INTEGER NOT NULL, complete INTEGER NOT NULL) STRICT
      """
    ),
    (
      "checkpoint_parts",
      """
      CREATE TABLE checkpoint_parts(checkpoint INTEGER NOT NULL, part INTEGER NOT NULL, \
      bytes BLOB NOT NULL, PRIMARY KEY(checkpoint, part)) STRICT, WITHOUT ROWID
      """
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

  /// Checks that the database is laid out as this release would lay it out.
  ///
  /// - Throws: `damaged`, or `newerFormat` when the write-ahead log holds a later layout.
  static func verify(in connection: Connection) throws(StorageError) {
    let found = try connection.integer("PRAGMA user_version")
    guard found <= format else {
      throw StorageError(
        .newerFormat(found: found, supported: format), file: connection.file, check: "format")
    }
    let statement = try connection.prepare(
      "SELECT CAST(sql AS BLOB) FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    defer { statement.reset() }
    for table in tables {
      guard try statement.step(), statement.array(0) == Array(table.sql.utf8) else {
        throw StorageError(
          .damaged, file: connection.file, check: "the table \(table.name) is not as laid out")
      }
    }
    guard try !statement.step() else {
      throw StorageError(.damaged, file: connection.file, check: "a table that is not ours")
    }
  }
}
