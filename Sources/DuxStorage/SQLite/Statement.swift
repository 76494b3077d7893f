import CSQLite
import DuxLog

/// A compiled statement: bound, stepped and reset over and over without being compiled again.
final class Statement {
  private let handle: OpaquePointer
  private let sql: String
  private let connection: Connection
  private var bindingFailure = SQLITE_OK

  init(_ handle: OpaquePointer, sql: String, of connection: Connection) {
    self.handle = handle
    self.sql = sql
    self.connection = connection
  }

  deinit {
    if connection.isOpen {
      sqlite3_finalize(handle)
    }
  }

  /// Binds a number; parameters count from 1.
  func bind(_ index: Int32, _ value: Int64) {
    note(sqlite3_bind_int64(handle, index, value))
  }

  /// Binds a number or NULL.
  func bind(_ index: Int32, _ value: Int64?) {
    note(value.map { sqlite3_bind_int64(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
  }

  /// Binds bytes without copying them: they must stay where they are until the step is done.
  func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return note(sqlite3_bind_zeroblob(handle, index, 0))
    }
    note(sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), nil))
  }

  /// Runs to the next row.
  ///
  /// - Returns: Whether there is a row.
  /// - Throws: The failure; the statement is then reset.
  func step() throws(StorageError) -> Bool {
    guard bindingFailure == SQLITE_OK else {
      let code = bindingFailure
      reset()
      throw connection.error(code, sql)
    }
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    let failure = connection.error(code, sql)
    reset()
    throw failure
  }

  /// Runs a statement that gives no row, and resets it.
  func run() throws(StorageError) {
    let code = runForCode()
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Like `run()`, for use where the bound bytes are at hand: gives SQLite's code.
  func runForCode() -> Int32 {
    guard bindingFailure == SQLITE_OK else {
      defer { reset() }
      return bindingFailure
    }
    let code = sqlite3_step(handle)
    sqlite3_reset(handle)
    return code == SQLITE_DONE ? SQLITE_OK : code
  }

  /// Translates a code of `runForCode()`.
  func failure(_ code: Int32, seq: SequenceNumber? = nil) -> StorageError {
    connection.error(code, sql, seq: seq)
  }

  /// Ends a run, and with it the read transaction it held.
  func reset() {
    bindingFailure = SQLITE_OK
    sqlite3_reset(handle)
  }

  /// A column of the current row as a number; columns count from 0.
  func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  /// Whether a column of the current row is NULL.
  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// A column's bytes, valid until the next step or reset.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// A copy of a column's bytes.
  func array(_ column: Int32) -> [UInt8] {
    [UInt8](bytes(column))
  }

  private func note(_ code: Int32) {
    if code != SQLITE_OK {
      bindingFailure = code
    }
  }
}
