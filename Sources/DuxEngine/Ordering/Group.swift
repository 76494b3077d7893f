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
  var isUnwritten: Bool { steps.isEmpty && outcomes.isEmpty }

  var isEmpty: Bool { isUnwritten && replies.isEmpty && waiters.isEmpty }

  /// Whether no more steps should join.
  var isFull: Bool { replies.count >= Self.maximumReplies || entryBytes >= Self.maximumBytes }

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

  /// What the disk is given.
  func commit(time: Int64) -> Commit {
    Commit(
      entries: steps.map(\.entry),
      outcomes: outcomes.map { .init(client: $0.client.name, outcomes: $0.outcomes) },
      time: time)
  }
}
