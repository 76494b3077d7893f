import CSQLite
import DuxLog
import Glibc

/// One connection to the database, with SQLite's failures translated.
///
/// Used by one thread at a time.
final class Connection {
  /// What a connection is for, which decides how it is opened.
  enum Role {
    /// Builds a database that is not there yet.
    case creating
    /// Writes the log.
    case writing(Durability)
    /// Reads the log, or copies the write-ahead log into the database.
    case reading
  }

  /// The database file.
  let file: String
  /// SQLite's connection; valid while `isOpen`.
  let handle: OpaquePointer
  private(set) var isOpen = true

  /// How long to wait for another connection of this process, in milliseconds.
  private static let busyTimeoutMs: Int32 = 2000

  /// Opens the database file; nothing is read or written before the first statement.
  ///
  /// - Throws: `unwritable` when the file may be read only.
  init(_ file: String, _ role: Role) throws(StorageError) {
    guard CheckedVFS.registration == SQLITE_OK else {
      throw StorageError(
        .io, file: file, check: "start SQLite", code: CheckedVFS.registration)
    }
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(file, &opened, flags, CheckedVFS.name)
    guard let opened else {
      throw StorageError(.io, file: file, check: "open", code: code, message: "out of memory")
    }
    self.file = file
    self.handle = opened
    guard code == SQLITE_OK else { throw error(code, "open the database") }
    sqlite3_busy_timeout(opened, Self.busyTimeoutMs)
    try configure(role)
    guard sqlite3_db_readonly(opened, "main") == 0 else {
      throw StorageError(.unwritable, file: file, check: "the database may be read only")
    }
  }

  deinit {
    close()
  }

  /// Ends the connection and its statements; a second call does nothing.
  ///
  /// The write-ahead log stays as it is: a connection that ends because of damage must not write.
  func close() {
    guard isOpen else { return }
    isOpen = false
    while let statement = sqlite3_next_stmt(handle, nil) {
      sqlite3_finalize(statement)
    }
    sqlite3_close_v2(handle)
  }

  /// Runs statements that give no rows.
  func execute(_ sql: String) throws(StorageError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql) }
  }

  /// The first column of a statement's only row; 0 where it has none.
  func integer(_ sql: String) throws(StorageError) -> Int64 {
    let statement = try prepare(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Compiles a statement to be run many times.
  func prepare(_ sql: String) throws(StorageError) -> Statement {
    var prepared: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw error(code, sql) }
    return Statement(prepared, sql: sql, of: self)
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool {
    sqlite3_get_autocommit(handle) == 0
  }

  /// Undoes the open transaction, if SQLite has not done so itself.
  func rollBack() {
    if isInTransaction {
      // A rollback that fails leaves the transaction open, and the next BEGIN then says so.
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }
  }

  /// Translates SQLite's code for what was just tried.
  func error(_ code: Int32, _ check: String, seq: SequenceNumber? = nil) -> StorageError {
    var check = check
    if code == ExtendedCode.damagedPage {
      let page = CheckedVFS.damagedPage(of: handle).map { "page \($0)" } ?? "a page"
      check = "\(page) fails its checksum (\(check))"
    }
    return StorageError(
      kind(of: code), file: file, check: check, seq: seq, code: code,
      message: sqlite3_errmsg(handle).map { String(cString: $0) })
  }

  private func kind(of code: Int32) -> StorageError.Kind {
    let systemError = sqlite3_system_errno(handle)
    switch code & 0xff {
    case SQLITE_FULL: return .full
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy(pid: nil)
    case SQLITE_CONSTRAINT: return .outOfSequence
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: return .unwritable
    case SQLITE_CANTOPEN: return systemError == ENOSPC ? .full : .unwritable
    default: break
    }
    switch code {
    case ExtendedCode.damagedPage, ExtendedCode.damagedFileSystem: return .damaged
    case ExtendedCode.syncFailed, ExtendedCode.folderSyncFailed: return .syncFailed
    default: return systemError == ENOSPC || systemError == EDQUOT ? .full : .io
    }
  }

  private func configure(_ role: Role) throws(StorageError) {
    let code = dux_sqlite3_db_config_on(handle, SQLITE_DBCONFIG_DEFENSIVE)
    guard code == SQLITE_OK else { throw error(code, "configure") }
    try execute(
      """
      PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA trusted_schema=OFF;
      PRAGMA foreign_keys=OFF; PRAGMA cell_size_check=ON; PRAGMA secure_delete=FAST;
      """)
    if case .creating = role {
      try reserveChecksums()
      return try execute("PRAGMA page_size=4096; PRAGMA auto_vacuum=INCREMENTAL;")
    }
    let keep = dux_sqlite3_db_config_on(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE)
    guard keep == SQLITE_OK else { throw error(keep, "configure") }
    try execute("PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=\(Self.walFileLimit);")
    switch role {
    case .writing(.full): try execute("PRAGMA synchronous=FULL; PRAGMA cache_size=-16384;")
    case .writing(.normal): try execute("PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16384;")
    default:
      try execute("PRAGMA synchronous=NORMAL; PRAGMA query_only=ON; PRAGMA cache_size=-4096;")
    }
  }

  /// The length to which the write-ahead log's file is cut back when it starts over, in bytes.
  private static let walFileLimit = 16 << 20

  private func reserveChecksums() throws(StorageError) {
    var reserved = Int32(PageChecksum.reservedSize)
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
    guard code == SQLITE_OK else { throw error(code, "reserve room for checksums") }
  }
}

/// SQLite's extended codes that we tell apart; its header composes them in a way that Swift does
/// not import.
enum ExtendedCode {
  /// A page failed its checksum.
  static let damagedPage = SQLITE_IOERR | (32 << 8)
  static let damagedFileSystem = SQLITE_IOERR | (33 << 8)
  static let writeFailed = SQLITE_IOERR | (3 << 8)
  static let syncFailed = SQLITE_IOERR | (4 << 8)
  static let folderSyncFailed = SQLITE_IOERR | (5 << 8)
}

/// When a commit counts as durable.
package enum Durability: Sendable {
  /// After a sync of the disk: it survives a power cut.
  case full
  /// After it was handed to the system: it survives the end of the process, and a power cut loses
  /// at most the latest commits, never the order.
  case normal
}
