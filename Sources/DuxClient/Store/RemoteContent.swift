import DuxLog
import DuxProtocol
import DuxEngine
import DuxJSON
import DuxStore

/// What the inner store of a ``RemoteStore`` holds.
struct RemoteContent<State: Sendable, Action: Sendable>: Sendable {
  var optimistic: OptimisticState<State, Action>
  var status = ConnectionStatus.connecting
  var presence: [Presence] = []
  /// What the last event brought about beside the state.
  var output = Output.none

  /// What is to be done because of an event.
  enum Output: Sendable {
    case none
    case asked(OptimisticState<State, Action>.Asked)
    case settled([SettledStep])
  }

  init(_ optimistic: OptimisticState<State, Action>) {
    self.optimistic = optimistic
  }

  var snapshot: RemoteSnapshot<State> {
    RemoteSnapshot(
      state: optimistic.state, confirmed: optimistic.confirmed,
      seq: optimistic.position?.seq.value ?? 0, epoch: optimistic.position?.epoch,
      pendingCount: optimistic.pendingCount)
  }

  mutating func take(_ event: RemoteEvent<Action>) {
    switch event {
    case .asked(_, let actions, let conditions):
      output = .asked(optimistic.ask(actions, if: conditions))
    case .withdrawn, .marked, .closed:
      output = .none
    case .told(let events):
      output = .settled(optimistic.take(events))
      note(events)
    }
  }

  private mutating func note(_ events: [RemoteSession.Event]) {
    var people: Replica?
    for event in events {
      switch event {
      case .status(let status): self.status = ConnectionStatus(status)
      case .snapshot(let replica, _, _) where replica.path == RemoteSession.presencePath:
        people = replica
      case .patch(_, _, let replica, _) where replica.path == RemoteSession.presencePath:
        people = replica
      default: break
      }
    }
    // It costs as much as there are clients: once for all that came together.
    if let people { presence = Presence.all(in: people.value) }
  }
}

/// What happens to a ``RemoteContent``.
enum RemoteEvent<Action: Sendable>: Sendable {
  /// The program asks for a step.
  case asked(RemoteReceipt, [Action], conditions: [JSON])
  /// The program wants to take a step back.
  case withdrawn(RemoteReceipt)
  /// The program wants to know when all before is saved.
  case marked(Eventual<Void>)
  /// The session tells what came in together.
  case told([RemoteSession.Event])
  /// Nothing more is to come.
  case closed
}
