import DuxJSON
import DuxLog
import DuxProtocol
import DuxStorage
import DuxStore

/// The state of a log in the making, and what the app then makes of it.
struct Fold {
  /// Entries kept at hand for those who come back soon, in bytes.
  private static let recentBytes = 4 << 20

  var store: any HostedStore
  let file: String
  var state: JSON
  var count: Int64 = 0
  var bytes = 0
  private(set) var hasCheckpoint = false
  private(set) var recent: [LogEntry] = []
  private var recentSize = 0

  /// A log without a checkpoint of its beginning began with this, whatever the app begins with now.
  static let bareState = JSON.object([:])

  init(store: any HostedStore, file: String, isNew: Bool) {
    self.store = store
    self.file = file
    self.state = isNew ? store.view : Self.bareState
  }

  mutating func restore(_ checkpoint: Checkpoint?) throws(StorageError) {
    guard let checkpoint else { return }
    hasCheckpoint = true
    HugePages.expectState(ofBytes: checkpoint.state.count)
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
    if recentSize > Self.recentBytes * 2 { forgetOldest() }
  }

  private mutating func forgetOldest() {
    var excess = recentSize - Self.recentBytes
    let kept = recent.firstIndex { entry in
      excess -= entry.patch.count + entry.actions.count + 64
      return excess <= 0
    }
    recent.removeFirst(kept ?? 0)
    recentSize = Self.recentBytes
  }

  /// A new log begins with its app's initial state, which a later version may begin otherwise.
  func keepInitialState(in writer: LogWriter) throws(StorageError) {
    guard writer.head == .zero, !hasCheckpoint, state != Self.bareState else { return }
    try writer.writeCheckpoint(Checkpoint(seq: .zero, time: 0, state: state.bytes))
  }

  /// What the app makes of the state.
  struct Restored {
    var store: any HostedStore
    var version: Int
    /// How the app's view differs from what the log says.
    var change: JSONPatch
  }

  func restored(version: Int) throws(RestoreFailure) -> Restored {
    var store = store
    let change = try store.restore(view: state, version: version)
    return Restored(store: store, version: version, change: change)
  }

  /// Writes down what the app changed, as a step.
  mutating func adopt(
    _ restored: Restored, writer: LogWriter, wallMs: Int64
  ) throws(StorageError) -> String? {
    let (from, to) = (restored.version, restored.store.appVersion)
    guard from != to || !restored.change.operations.isEmpty else { return nil }
    let action: JSON =
      from == to
      ? ["type": .string(ReservedWords.adoptAction)]
      : [
        "type": .string(ReservedWords.migrateAction),
        "payload": ["from": .integer(Int64(from)), "to": .integer(Int64(to))],
      ]
    let entry = LogEntry(
      seq: writer.head.next, time: max(writer.lastTime, wallMs), client: ReservedWords.daemonClient,
      n: nil,
      actions: JSON.array([action]).bytes, patch: restored.change.json.bytes)
    try writer.append(
      Commit(
        entries: [entry], outcomes: [], appVersion: Int64(to), time: entry.time))
    try apply(entry)
    return from == to
      ? "the state got slices that the app \(restored.store.appName) has now"
      : "the state was brought from version \(from) to \(to) of the app"
        + " \(restored.store.appName), at seq \(entry.seq)"
  }
}
