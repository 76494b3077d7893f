import DuxEngine
import DuxJSON
import DuxLog
import DuxStorage
import DuxStore

/// A log that was opened and read: the state it leads to, and what is needed to go on.
struct OpenLog {
  let writer: LogWriter
  let reader: HistoryReader
  let copier: WALCheckpointer
  let start: Engine.Start
  let warnings: [StorageError]
  /// How many steps were read after the checkpoint.
  let replayedCount: Int64

  /// Entries kept at hand for those who come back soon, in bytes.
  private static let recentBytes = 4 << 20

  /// Opens the log of a folder, or makes a new one, and folds it into a state.
  ///
  /// The state is the newest good checkpoint with every patch after it: what the log says
  /// happened, whatever today's reducer would make of the actions. `progress` is told now and then
  /// how many steps were read.
  ///
  /// - Throws: ``StorageError``; nothing that was there has been changed then.
  static func open(
    _ folder: DataFolder, durability: Durability, store fresh: any HostedStore,
    progress: (Int64) -> Void
  ) throws(StorageError) -> OpenLog {
    let identity = AppIdentity(name: fresh.appName, version: Int64(fresh.appVersion))
    let writer = try LogWriter(
      opening: folder, durability: durability, app: identity, limits: .standard)
    let log = try LogReader(opening: folder)
    var fold = Fold(store: fresh, file: folder.databasePath)
    let recovery: Recovery
    do {
      recovery = try recover(
        from: log, restore: { try fold.restore($0) },
        apply: {
          try fold.apply($0)
          if fold.count % 100_000 == 0 { progress(fold.count) }
        })
    } catch {
      throw error as? StorageError
        ?? StorageError(.damaged, file: folder.databasePath, check: String(describing: error))
    }
    let store = try fold.finished()
    let reader = HistoryReader(log, initialState: fresh.view)
    let figures = try reader.figures()
    return OpenLog(
      writer: writer, reader: reader, copier: try writer.makeCheckpointer(),
      start: Engine.Start(
        store: store, epoch: writer.epoch, seq: recovery.bounds.head, time: writer.lastTime,
        recentEntries: fold.recent, storage: figures, bytesSinceCheckpoint: fold.bytes,
        entriesSinceCheckpoint: Int(recovery.entryCount)),
      warnings: recovery.warnings, replayedCount: recovery.entryCount)
  }

  /// The state in the making.
  private struct Fold {
    var store: any HostedStore
    let file: String
    var state: JSON
    var count: Int64 = 0
    var bytes = 0
    private(set) var recent: [LogEntry] = []
    private var recentSize = 0

    init(store: any HostedStore, file: String) {
      self.store = store
      self.file = file
      self.state = store.view
    }

    mutating func restore(_ checkpoint: Checkpoint?) throws(StorageError) {
      guard let checkpoint else { return }
      do throws(JSONParseError) {
        state = try JSON(parsing: checkpoint.state, maximumDepth: .max)
      } catch {
        throw StorageError(
          .damaged, file: file, check: "the checkpoint is no JSON, \(error)", seq: checkpoint.seq)
      }
    }

    mutating func apply(_ entry: LogEntry) throws(StorageError) {
      guard state.apply(logged: entry.patch) else {
        throw StorageError(.damaged, file: file, check: "the patch does not apply", seq: entry.seq)
      }
      count += 1
      let size = entry.patch.count + entry.actions.count + 64
      bytes += size
      recent.append(entry)
      recentSize += size
      if recentSize > OpenLog.recentBytes * 2 { forgetOldest() }
    }

    private mutating func forgetOldest() {
      var excess = recentSize - OpenLog.recentBytes
      let kept = recent.firstIndex { entry in
        excess -= entry.patch.count + entry.actions.count + 64
        return excess <= 0
      }
      recent.removeFirst(kept ?? 0)
      recentSize = OpenLog.recentBytes
    }

    func finished() throws(StorageError) -> any HostedStore {
      var store = store
      do throws(Refusal) {
        try store.restore(view: state)
      } catch {
        throw StorageError(
          .damaged, file: file, check: "the state is none of \(store.appName): \(error)")
      }
      return store
    }
  }
}
