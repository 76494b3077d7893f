import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// The steps that become durable in one transaction, and what is told once they are.
struct Group {
  /// One accepted step.
  struct Step {
    let entry: LogEntry
    let types: [String]
    let patch: JSONPatch
    let before: JSON
    let after: JSON
  }

  /// The answer to one dispatch.
  struct Reply {
    enum Content {
      case outcome(Outcome.Result, isDuplicate: Bool)
      /// No outcome, but told in its turn all the same.
      case refusal(RequestError)
      /// The effect of this key is cancelled.
      case cancelled(key: String)
      /// What runs and waits after the group, as many as were asked for.
      case effects(EffectList, limit: Int)
    }

    let session: Session
    let id: RequestID?
    let n: Int64?
    let content: Content
  }

  /// The outcomes of one client.
  struct ClientOutcomes {
    let client: ClientRecord
    var outcomes: [Outcome]
  }

  let number: Int
  var steps: [Step] = []
  var replies: [Reply] = []
  var outcomes: [ClientOutcomes] = []
  private var outcomeIndex: [ObjectIdentifier: Int] = [:]
  /// Bytes of the entries.
  private(set) var entryBytes = 0
  /// What becomes of the outbox, and the bytes of it.
  private(set) var outbox: [OutboxChange] = []
  private var outboxBytes = 0
  /// What effects are to do once the group is settled.
  var effectOutputs: [EffectOutput<HostedAction>] = []
  /// Whether one of the steps tells the app that effects were broken off.
  var tellsStart = false
  /// Effects that wait until the action they sent is settled.
  var senders: [@Sendable () -> Void] = []
  /// Sessions that go on when this group is settled.
  var waiters: [Session] = []
  /// The store after the group's last step.
  var store: any HostedStore

  init(number: Int, store: any HostedStore) {
    self.number = number
    self.store = store
  }

  private static let maximumReplies = 4_096
  private static let maximumBytes = 8 << 20

  /// Whether there is nothing to make durable.
  var isUnwritten: Bool { steps.isEmpty && outcomes.isEmpty && outbox.isEmpty }

  var isEmpty: Bool {
    isUnwritten && replies.isEmpty && waiters.isEmpty && effectOutputs.isEmpty && senders.isEmpty
  }

  /// Whether no more steps should join.
  var isFull: Bool {
    max(replies.count, steps.count) >= Self.maximumReplies
      || entryBytes + outboxBytes >= Self.maximumBytes
  }

  mutating func append(_ step: Step) {
    steps.append(step)
    entryBytes += step.entry.actions.count + step.entry.patch.count + 64
  }

  mutating func append(_ outcome: Outcome, of client: ClientRecord) {
    let key = ObjectIdentifier(client)
    if let index = outcomeIndex[key] {
      outcomes[index].outcomes.append(outcome)
    } else {
      outcomeIndex[key] = outcomes.count
      outcomes.append(ClientOutcomes(client: client, outcomes: [outcome]))
    }
  }

  mutating func append(_ change: OutboxChange) {
    outbox.append(change)
    if case .put(let row) = change { outboxBytes += row.bytes.count }
  }

  /// What the disk is given.
  func commit(time: Int64) -> Commit {
    Commit(
      entries: steps.map(\.entry),
      outcomes: outcomes.map { .init(client: $0.client.name, outcomes: $0.outcomes) },
      outbox: outbox, time: time)
  }
}
