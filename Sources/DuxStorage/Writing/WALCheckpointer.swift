import CSQLite

/// Copies the write-ahead log into the database while the writer goes on, on a thread of its own.
///
/// Used by one thread at a time.
package final class WALCheckpointer {
  let connection: Connection
  private let progress: WALProgress

  /// Opens a connection of its own; `writer` must be open, and stay so.
  init(path: String, progress: WALProgress) throws(StorageError) {
    self.connection = try Connection(path, .reading)
    self.progress = progress
    // A connection that has read nothing yet does not know that there is a write-ahead log.
    _ = try connection.integer("SELECT count(*) FROM meta")
  }

  /// Copies what can be copied without holding up the writer or a reader, and brings it to the disk.
  ///
  /// SQLite syncs the database with the last page of the write-ahead log only. That page is left to
  /// the writer, and everything copied before would go to the disk while commits wait for it.
  ///
  /// - Throws: `full` when the database cannot grow, which costs nothing but a longer write-ahead
  ///   log; `syncFailed`, after which the writer takes no more commits.
  package func run() throws(StorageError) {
    try progress.inTurn { () throws(StorageError) in
      try connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE, progress)
      try connection.syncDatabase(progress)
    }
  }

  /// Closes the connection; nothing may be called after that.
  package func close() {
    connection.close()
  }
}

extension Connection {
  /// Runs a checkpoint in one of SQLite's modes and notes how far it came.
  ///
  /// Another connection in the way is no failure: there will be a next time.
  func checkpoint(_ mode: Int32, _ progress: WALProgress) throws(StorageError) {
    let generation = progress.generation
    var pages: Int32 = -1
    var copied: Int32 = -1
    let code = sqlite3_wal_checkpoint_v2(handle, "main", mode, &pages, &copied)
    if copied >= 0 {
      progress.note(copiedPages: Int(copied), generation: generation)
    }
    guard code != SQLITE_OK && code & 0xff != SQLITE_BUSY else { return }
    throw failure(code, "copy the write-ahead log into the database", progress)
  }

  /// Brings what was copied into the database to the disk.
  fileprivate func syncDatabase(_ progress: WALProgress) throws(StorageError) {
    let code = CheckedVFS.sync(handle)
    guard code != SQLITE_OK else { return }
    throw failure(code, "sync the database", progress)
  }

  private func failure(_ code: Int32, _ check: String, _ progress: WALProgress) -> StorageError {
    let failure = error(code, check)
    if failure.kind == .syncFailed {
      progress.note(failure: failure)
    }
    return failure
  }
}
