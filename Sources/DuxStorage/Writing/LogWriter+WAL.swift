import CSQLite

extension LogWriter {
  /// The length of the write-ahead log after the last commit, in pages.
  package var walPageCount: Int { walLength.pages }

  /// Whether a run of the checkpointer is due; ask after `settleWAL()`.
  package var wantsCheckpoint: Bool {
    walPageCount - progress.copiedPages >= limits.checkpointPages
  }

  /// Opens the connection that copies the write-ahead log into the database beside this writer.
  ///
  /// It may be handed to another thread.
  package func makeCheckpointer() throws(StorageError) -> sending WALCheckpointer {
    try WALCheckpointer(path: folder.databasePath, progress: progress)
  }

  /// Whether `settleWAL()` has something to do.
  package var canSettle: Bool {
    walPageCount >= limits.restartPages
      && walPageCount - progress.copiedPages <= max(limits.tailPages, walPageCount / 4)
  }

  /// Whether the next commit first copies all there is, which may take long.
  package var isAtCeiling: Bool { walPageCount >= nextCeiling }

  /// Completes what the checkpointer began, when little is left, so that the write-ahead log
  /// starts over; call it after a commit, once its acknowledgements are on their way.
  ///
  /// - Throws: `syncFailed`, `damaged`; a full disk is no failure here, the next commit tells.
  package func settleWAL() throws(StorageError) {
    try checkUsable()
    guard canSettle else { return }
    do throws(StorageError) {
      try progress.ifFree { () throws(StorageError) in
        try connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE, progress)
      }
    } catch  where error.kind == .full {
      // All is still in the write-ahead log.
      return
    }
  }

  /// Copies all there is when the write-ahead log has reached its ceiling, and waits for readers.
  ///
  /// Where that does not help, because of a reader that does not end or a full disk, it is tried
  /// again after a quarter of the ceiling, not with every commit.
  func enforceCeiling() throws(StorageError) {
    if walPageCount < limits.ceilingPages {
      nextCeiling = limits.ceilingPages
    }
    guard walPageCount >= nextCeiling else { return }
    nextCeiling = walPageCount + limits.ceilingPages / 4
    do {
      try progress.inTurn { () throws(StorageError) in
        try connection.checkpoint(SQLITE_CHECKPOINT_RESTART, progress)
      }
    } catch  where error.kind == .full {
      // The commit itself will tell whether there is space for it.
      return
    }
  }
}

/// Follows the length of the write-ahead log, which SQLite tells after each commit.
final class WALLength {
  private(set) var pages: Int
  private let progress: WALProgress

  init(pages: Int, progress: WALProgress) {
    self.pages = pages
    self.progress = progress
  }

  /// Starts to listen; the listener must live as long as the connection takes commits.
  func follow(_ connection: Connection) {
    sqlite3_wal_hook(
      connection.handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<WALLength>.fromOpaque(context).takeUnretainedValue().note(Int(pages))
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func note(_ pages: Int) {
    if pages < self.pages {
      progress.startOver()
    }
    self.pages = pages
  }
}
