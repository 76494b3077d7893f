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
  /// SQLite syncs the database when the write-ahead log's last page was copied, as it is on a log
  /// that has gone quiet. Beside a writer there is always a later page, and what was copied before
  /// it would go to the disk while commits wait for it.
  ///
  /// - Throws: `full` when the database cannot grow, which costs nothing but a longer write-ahead
  ///   log; `syncFailed`, after which the writer takes no more commits.
  package func run() throws(StorageError) {
    try progress.inTurn { () throws(StorageError) in
      try connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE, progress)
      try connection.syncCopiedPages(progress)
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
    let failure = error(code, "copy the write-ahead log into the database")
    if failure.kind == .syncFailed {
      progress.note(failure: failure)
    }
    throw failure
  }

  /// Brings what this connection copied into the database to the disk, if SQLite has not.
  fileprivate func syncCopiedPages(_ progress: WALProgress) throws(StorageError) {
    guard CheckedVFS.hasUnsyncedWrites(handle) else { return }
    let code = CheckedVFS.sync(handle)
    guard code != SQLITE_OK else { return }
    // SQLite has had no part in the call, and its message is another call's.
    let failure = StorageError(.syncFailed, file: file, check: "sync the database", code: code)
    progress.note(failure: failure)
    throw failure
  }
}
