import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// The steps that become durable in one transaction, and what is told once they are.
final class Group {
  /// What one accepted step is beside its entry of the log.
  struct Change {
    let types: PatchFrame.Types
    let patch: JSONPatch
  }

  /// The answer to one dispatch.
  struct Reply {
    enum Content {
      case outcome(Outcome.Result, isDuplicate: Bool)
      /// No outcome, but told in its turn all the same.
      indirect case refusal(RequestError)
      /// The effect of this key is cancelled.
      indirect case cancelled(key: String)
      /// What runs and waits after the group, as many as were asked for.
      indirect case effects(EffectList, limit: Int)
    }

    let session: Session
    let id: RequestID?
    let n: Int64?
    let content: Content
  }

  let number: Int
  /// The entries of the steps, and beside each what else is known of its step.
  @exclusivity(unchecked) private(set) var entries: [LogEntry] = []
  @exclusivity(unchecked) private(set) var changes: [Change] = []
  /// What undoes the steps, up to the first that keeps a whole store: that undoes all behind it.
  @exclusivity(unchecked) private var undos: [HostedUndo] = []
  @exclusivity(unchecked) var replies: [Reply] = []
  /// The clients whose outcomes the group holds, each once.
  @exclusivity(unchecked) private(set) var clients: [ClientRecord] = []
  /// Bytes of the entries.
  private(set) var entryBytes = 0
  /// What becomes of the outbox, and the bytes of it.
  @exclusivity(unchecked) private(set) var outbox: [OutboxChange] = []
  private var outboxBytes = 0
  /// What effects are to do once the group is settled.
  @exclusivity(unchecked) var effectOutputs: [EffectOutput<HostedAction>] = []
  /// Whether one of the steps tells the app that effects were broken off.
  var tellsStart = false
  /// Effects that wait until the action they sent is settled.
  @exclusivity(unchecked) var senders: [@Sendable () -> Void] = []
  /// Sessions that go on when this group is settled.
  @exclusivity(unchecked) var waiters: [Session] = []

  init(number: Int) {
    self.number = number
  }

  /// The empty group behind this one, with room for about as much.
  func next() -> Group {
    let next = Group(number: number + 1)
    next.entries.reserveCapacity(min(entries.count, Self.reservedReplies))
    next.changes.reserveCapacity(min(changes.count, Self.reservedReplies))
    next.undos.reserveCapacity(min(undos.count, Self.reservedReplies))
    next.replies.reserveCapacity(min(replies.count, Self.reservedReplies))
    return next
  }

  private static let reservedReplies = 1_024

  private static let maximumReplies = 4_096
  private static let maximumBytes = 8 << 20

  /// Whether something of it has to do with effects.
  var hasEffects: Bool { !outbox.isEmpty || !effectOutputs.isEmpty || !senders.isEmpty }

  /// Whether there is nothing to make durable.
  var isUnwritten: Bool { entries.isEmpty && clients.isEmpty && outbox.isEmpty }

  var isEmpty: Bool {
    isUnwritten && replies.isEmpty && waiters.isEmpty && !hasEffects
  }

  /// Whether no more steps should join.
  var isFull: Bool {
    max(replies.count, entries.count) >= Self.maximumReplies
      || entryBytes + outboxBytes >= Self.maximumBytes
  }

  func append(
    _ entry: consuming LogEntry, _ change: consuming Change, undo: consuming HostedUndo
  ) {
    entryBytes += entry.actions.count + entry.patch.count + 64
    entries.append(entry)
    changes.append(change)
    if case .store? = undos.last { return }
    undos.append(undo)
  }

  /// Adds the outcome of a new request, which the client remembers from now on.
  func append(_ outcome: Outcome, of client: ClientRecord) {
    if !client.hasCollected { clients.append(client) }
    client.note(outcome)
  }

  func append(_ change: OutboxChange) {
    outbox.append(change)
    if case .put(let row) = change { outboxBytes += row.bytes.count }
  }

  /// Undoes the group's steps in a store that is right after the last of them.
  func undo(in store: inout any HostedStore) {
    for undo in undos.reversed() { store.undo(undo) }
  }

  /// What the disk is given; the outcomes count as on their way from now on.
  func commit(time: Int64) -> Commit {
    Commit(
      entries: entries,
      outcomes: clients.map { .init(client: $0.name, outcomes: $0.takeCollected()) },
      outbox: outbox, time: time)
  }
}
