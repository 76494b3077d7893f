package import DuxEngine
package import DuxJSON
package import DuxLog
package import DuxStore

/// A log in memory that survives the daemons which use it.
package final class VirtualDisk {
  package let epoch: String
  /// All steps that ever became durable, those no longer kept included.
  package private(set) var allEntries: [LogEntry] = []
  /// The last step that is no longer kept.
  package private(set) var floor = SequenceNumber.zero
  package private(set) var checkpoints: [Checkpoint] = []
  package private(set) var outcomes: [ByteText: [Int64: Outcome]] = [:]
  /// The version of the app that the state at the head has.
  package private(set) var appVersion: Int64
  private var outboxRows: [ByteText: (place: Int, row: OutboxRow)] = [:]
  private var outboxPlace = 0
  /// Told of each commit once it is durable.
  package var onCommit: (Commit) -> Void = { _ in }
  private let freshStore: any HostedStore

  /// Makes an empty log for an app's store in its initial state.
  package init(epoch: String, store: any HostedStore) {
    self.epoch = epoch
    self.freshStore = store
    self.appVersion = Int64(store.appVersion)
  }

  package var head: SequenceNumber { SequenceNumber(Int64(allEntries.count)) }

  package func outcome(of client: String, _ n: Int64) -> Outcome? {
    outcomes[ByteText(client)]?[n]
  }

  package func lastN(of client: String) -> Int64 { outcomes[ByteText(client)]?.keys.max() ?? 0 }

  /// Makes a commit durable.
  package func append(_ commit: Commit) {
    allEntries += commit.entries
    for group in commit.outcomes {
      for outcome in group.outcomes {
        outcomes[ByteText(group.client), default: [:]][outcome.n] = outcome
      }
    }
    for change in commit.outbox { make(change) }
    appVersion = commit.appVersion ?? appVersion
    onCommit(commit)
  }

  private func make(_ change: OutboxChange) {
    let key = ByteText(change.key)
    switch change {
    case .put(let row):
      let place = outboxRows[key]?.place ?? outboxPlace
      outboxPlace = max(outboxPlace, place + 1)
      outboxRows[key] = (place, row)
    case .remove:
      outboxRows[key] = nil
    }
  }

  /// The effects that are not done with, in the order in which each key was first put.
  package var outbox: [OutboxRow] {
    outboxRows.values.sorted { $0.place < $1.place }.map(\.row)
  }

  package func write(_ checkpoint: Checkpoint) {
    checkpoints.append(checkpoint)
  }

  /// Lets the steps up to a place go, as far as a checkpoint stands in for them.
  package func compact(to wanted: SequenceNumber) {
    let newest = checkpoints.last?.seq ?? .zero
    floor = max(floor, min(wanted, newest))
    checkpoints.removeAll { $0.seq < floor }
  }

  package var figures: StorageFigures {
    StorageFigures(
      floor: floor, logBytes: Int64(kept.reduce(0) { $0 + $1.patch.count + $1.actions.count }),
      checkpoint: checkpoints.last?.seq ?? .zero)
  }

  private var kept: ArraySlice<LogEntry> { allEntries[Int(floor.value)...] }

  /// What a daemon reads when it starts: the newest checkpoint with every step after it.
  package func start(recentCount: Int) throws -> Engine.Start {
    var store = freshStore
    let checkpoint = checkpoints.last
    let after = checkpoint?.seq ?? .zero
    _ = try store.restore(view: try state(at: head), version: Int(appVersion))
    let bytes = allEntries[Int(after.value)...].reduce(0) { $0 + $1.patch.count }
    return Engine.Start(
      store: store, epoch: epoch, seq: head, time: allEntries.last?.time ?? 0,
      recentEntries: Array(allEntries[Int(after.value)...].suffix(recentCount)), storage: figures,
      bytesSinceCheckpoint: bytes, entriesSinceCheckpoint: Int(head.value - after.value),
      outbox: outbox)
  }

  /// The state at a place: a checkpoint and the fold of the steps after it.
  package func state(at seq: SequenceNumber) throws -> JSON {
    let checkpoint = checkpoints.last { $0.seq <= seq }
    var state = try checkpoint.map { try JSON(parsing: $0.state, maximumDepth: .max) }
    let first = Int((checkpoint?.seq ?? .zero).value)
    for entry in allEntries[first..<Int(seq.value)] {
      var next = state ?? freshStore.view
      try JSONPatch(JSON(parsing: entry.patch, maximumDepth: .max)).apply(to: &next)
      state = next
    }
    return state ?? freshStore.view
  }

  /// Finds the answer to a question, as the threads around the daemon's brain do.
  package func answer(_ question: Question) -> Answer {
    switch question {
    case .entries(let after, let through, let count, let bytes):
      return entries(after: after, through: through, count: count, bytes: bytes)
    case .seq(let time):
      let first = kept.first { $0.time >= time }
      return .seq(first?.seq.previous ?? head)
    case .lastN(let client):
      return .lastN(lastN(of: client))
    case .outcome(let client, let n):
      return .outcome(outcomes[ByteText(client)]?[n])
    case .state(let seq):
      guard seq >= floor, let state = try? state(at: seq) else { return .compacted(floor: floor) }
      return .state(state)
    case .text(let value):
      return .text(SharedBytes(Array(value.description.utf8)))
    case .snapshotParts(let value, let header, let maximumLineBytes):
      return .text(
        SharedBytes(
          SnapshotParts.text(header, state: value, maximumLineBytes: maximumLineBytes)))
    }
  }

  private func entries(
    after: SequenceNumber, through: SequenceNumber, count: Int, bytes: Int
  ) -> Answer {
    guard after >= floor else { return .compacted(floor: floor) }
    let last = min(Int(through.value), allEntries.count)
    guard Int(after.value) < last else { return .entries([]) }
    var size = 0
    var found: [LogEntry] = []
    for entry in allEntries[Int(after.value)..<last].prefix(count) {
      size += entry.patch.count + entry.actions.count
      guard found.isEmpty || size <= bytes else { break }
      found.append(entry)
    }
    return .entries(found)
  }
}
