import CSQLite

/// A client's steps whose outcomes are not known, and the client's name, on SQLite.
///
/// The name is made once, with the database: together with a step's number it is what makes the step
/// happen once, whatever becomes of the program. Used by one thread at a time.
package final class StepStorage {
  /// The client's name.
  package let client: String
  /// The folder that the steps are in.
  package let folder: DataFolder

  private let connection: Connection
  private let put: Statement
  private let remove: Statement
  private let begin: Statement
  private let commit: Statement
  /// Pages that were written since the write-ahead log was last copied.
  private let walLength: WALLength
  private let progress = WALProgress()

  /// A step as it is kept.
  package struct Row: Hashable, Sendable {
    /// Its place in the order of asking.
    package var id: Int64
    /// Its number; `nil` until it was about to be sent.
    package var n: Int64?
    /// When it got its number: wall clock in milliseconds.
    package var numberedMs: Int64?
    /// What it asks for.
    package var bytes: [UInt8]

    /// Makes a row of its parts.
    package init(id: Int64, n: Int64?, numberedMs: Int64?, bytes: [UInt8]) {
      self.id = id
      self.n = n
      self.numberedMs = numberedMs
      self.bytes = bytes
    }
  }

  /// What is to be written.
  package enum Change: Hashable, Sendable {
    /// A row, in place of one with its id.
    case put(Row)
    /// The row with this id is not needed any more.
    case remove(id: Int64)
  }

  /// Opens the folder's steps, or makes a new database where there is none.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - name: the client's name in a new database.
  /// - Throws: `damaged`, `foreign`, `newerFormat`, `unwritable` or `busy` when what is there is not
  ///   to be used; nothing was written then.
  package init(opening folder: DataFolder, naming name: String) throws(StorageError) {
    let pages = try DatabaseFile.prepare(folder, .steps, .full) {
      (connection) throws(StorageError) in
      try Meta(connection).setText(.client, name)
    }
    self.folder = folder
    connection = try Connection(folder.databasePath, .writing(.full))
    try Schema.steps.verify(in: connection)
    client = try Meta(connection).text(.client)
    put = try connection.prepare(
      "INSERT OR REPLACE INTO steps(id, n, numbered, bytes) VALUES(?1, ?2, ?3, ?4)")
    remove = try connection.prepare("DELETE FROM steps WHERE id=?1")
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    walLength = WALLength(pages: pages, progress: progress)
    walLength.follow(connection)
  }

  /// All steps, in the order of asking.
  ///
  /// - Throws: `damaged` where what is there is not what was written.
  package func rows() throws(StorageError) -> [Row] {
    let statement = try connection.prepare("SELECT id, n, numbered, bytes FROM steps ORDER BY id")
    defer { statement.reset() }
    var rows: [Row] = []
    while try statement.step() {
      rows.append(
        Row(
          id: statement.integer(0), n: statement.isNull(1) ? nil : statement.integer(1),
          numberedMs: statement.isNull(2) ? nil : statement.integer(2),
          bytes: statement.array(3)))
    }
    return rows
  }

  /// Makes changes durable, all of them or none.
  ///
  /// - Throws: `full` when there is no space; `syncFailed` when it is not known what is on disk.
  package func write(_ changes: [Change]) throws(StorageError) {
    if let failure = progress.failure { throw failure }
    do throws(StorageError) {
      try begin.run()
      for change in changes { try write(change) }
      try commit.run()
    } catch {
      connection.rollBack()
      if error.kind == .syncFailed { progress.note(failure: error) }
      throw error
    }
    if walLength.pages > Self.longestWALPages { copyWAL() }
  }

  private static let longestWALPages = 1_024

  private func write(_ change: Change) throws(StorageError) {
    switch change {
    case .remove(let id):
      remove.bind(1, id)
      try remove.run()
    case .put(let row):
      put.bind(1, row.id)
      put.bind(2, row.n)
      put.bind(3, row.numberedMs)
      let code = row.bytes.withUnsafeBytes { bytes in
        put.bind(4, bytes)
        return put.runForCode()
      }
      guard code == SQLITE_OK else { throw put.failure(code) }
    }
  }

  /// Copies the write-ahead log into the database; when that fails, all is still in the log.
  private func copyWAL() {
    try? connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE, progress)
  }

  /// Ends the use of the steps, with all in the database where that is possible.
  package func close() {
    if connection.isOpen, progress.failure == nil { copyWAL() }
    connection.close()
  }
}
