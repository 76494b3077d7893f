/// How a database file is laid out, and how a file is known to be so.
struct Schema: Sendable {
  /// Marks a file as ours, in SQLite's header field for it.
  let applicationID: Int64
  /// The layout's number, in SQLite's `user_version`.
  let format: Int64
  /// The tables in the order in which they were added.
  let tables: [Table]

  /// The layouts that this release reads, and brings up to date.
  var knownFormats: ClosedRange<Int64> { 1...format }

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

  /// Makes the tables and marks the file, in one transaction.
  func create(in connection: Connection) throws(StorageError) {
    try connection.execute("BEGIN")
    for table in tables {
      try connection.execute(table.sql)
    }
    try connection.execute(
      "PRAGMA application_id=\(applicationID); PRAGMA user_version=\(format); COMMIT")
  }

  /// Brings an older layout up to date, within the caller's transaction.
  func upgrade(from found: Int64, in connection: Connection) throws(StorageError) {
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
  func verify(in connection: Connection) throws(StorageError) -> Int64 {
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
  func check(format found: Int64, of file: String) throws(StorageError) {
    guard found <= format else {
      throw StorageError(
        .newerFormat(found: found, supported: format), file: file, check: "format")
    }
    guard knownFormats.contains(found) else {
      throw StorageError(.damaged, file: file, check: "there is no format \(found)")
    }
  }
}
