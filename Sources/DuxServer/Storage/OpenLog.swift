import DuxEngine
import DuxJSON
import DuxLog
import DuxStorage
import DuxStore

/// Why a log can't be gone on with.
enum OpenFailure: Error {
  /// The disk, or what is on it.
  case storage(StorageError)
  /// The state is none that the app can take over; the text says why and what to do.
  case state(String)
}

/// A log that was opened and read: the state it leads to, and what is needed to go on.
struct OpenLog {
  let writer: LogWriter
  let reader: HistoryReader
  let copier: WALCheckpointer
  let start: Engine.Start
  let warnings: [StorageError]
  /// How many steps were read after the checkpoint.
  let replayedCount: Int64
  /// What the app made of a state of an earlier version, for people; `nil` when nothing.
  let adoption: String?

  /// Opens the log of a folder, or makes a new one, and folds it into a state.
  ///
  /// The state is the newest good checkpoint with every patch after it: what the log says
  /// happened, whatever today's reducer would make of the actions. What the app then changes of it,
  /// since it is of another version, is a step of its own. `progress` is told now and then how many
  /// steps were read.
  ///
  /// - Throws: ``OpenFailure``; nothing that was there has been changed then.
  static func open(
    _ path: String, durability: Durability, store fresh: any HostedStore, wallMs: Int64,
    progress: (Int64) -> Void
  ) throws(OpenFailure) -> OpenLog {
    do {
      return try opened(
        path, durability: durability, store: fresh, wallMs: wallMs, progress: progress)
    } catch let error as StorageError {
      throw .storage(error)
    } catch {
      throw .state(String(describing: error))
    }
  }

  private static func opened(
    _ path: String, durability: Durability, store fresh: any HostedStore, wallMs: Int64,
    progress: (Int64) -> Void
  ) throws -> OpenLog {
    let folder = try DataFolder(path: path)
    let identity = AppIdentity(name: fresh.appName, version: Int64(fresh.appVersion))
    let writer = try LogWriter(
      opening: folder, durability: durability, app: identity, limits: .standard)
    let log = try LogReader(opening: folder)
    var fold = Fold(store: fresh, file: folder.databasePath, isNew: writer.head == .zero)
    let recovery = try recover(
      from: log, restore: { try fold.restore($0) },
      apply: {
        try fold.apply($0)
        if fold.count % 100_000 == 0 { progress(fold.count) }
      })
    try fold.keepInitialState(in: writer)
    let restored = try fold.restored(version: Int(writer.appVersion))
    let adoption = try fold.adopt(restored, writer: writer, wallMs: wallMs)
    let reader = HistoryReader(log, initialState: Fold.bareState)
    let figures = try reader.figures()
    return OpenLog(
      writer: writer, reader: reader, copier: try writer.makeCheckpointer(),
      start: Engine.Start(
        store: restored.store, epoch: writer.epoch, seq: writer.head, time: writer.lastTime,
        recentEntries: fold.recent, storage: figures, bytesSinceCheckpoint: fold.bytes,
        entriesSinceCheckpoint: Int(fold.count), outbox: try log.outbox()),
      warnings: recovery.warnings, replayedCount: recovery.entryCount, adoption: adoption)
  }
}
