package import DuxJSON
import DuxLog
package import DuxProtocol
import DuxStore

/// What a client shows: the daemon's state as far as it is known, with the client's own steps on
/// top whose outcome is not known yet.
///
/// It is a value. Steps come in through ``ask(_:if:)``, everything else as events of a
/// ``RemoteSession``. A step of ours is never shown twice: what the daemon tells of it takes the
/// place of what was foreseen in the same call.
package struct OptimisticState<State: Sendable, Action: Sendable>: Sendable {
  let model: ClientModel<State, Action>
  let path: String
  let client: String
  let limits: QueueLimits

  /// What is shown.
  package internal(set) var state: State
  /// The daemon's state at ``position``.
  package internal(set) var confirmed: State
  /// Where ``confirmed`` stands; `nil` while nothing is known.
  package internal(set) var position: Request.Position?
  /// Why the session can't go on; the shell ends it then.
  package internal(set) var fault: EndReason?

  /// The newest that the daemon has told; the state shown stands behind while ``unresolved`` are
  /// waited for.
  var newest: Replica?
  /// Steps of ours that may be in the last snapshot or not.
  var unresolved: Set<RequestToken> = []
  var entries = Chunks<Entry>()
  var queuedBytes = 0
  var nextIndex = 0
  var servedApp: String?
  /// The epoch that the daemon's answers are of.
  var epoch = ""
  var leaves = StateLeaves()
  var isOutdated = false
  /// Whether the newest state is of this connection's daemon since the last look.
  var isRenewed = false
  /// Why nothing more is asked for.
  var ending: EndReason?
  var settled: [SettledStep] = []

  struct Entry: Sendable {
    let token: RequestToken
    let actions: [Action]
    let preconditions: [JSON]
    let byteCount: Int
    /// What sources gave when the step was foreseen first.
    var inputs: [String: [JSON]] = [:]
    /// The position that the daemon has taken the step as, once a patch or an answer tells.
    var taken: Request.Position?
    /// How it ended, once the daemon has answered.
    var answer: StepOutcome?
    /// Whether the confirmed state holds it.
    var isConfirmed = false
    /// Whether the program knows how it ended.
    var isTold = false
    /// Whether it was taken in a life of the log that this connection's daemon knows nothing of.
    var isForeign = false
    /// Whether nothing more is to come of it.
    var isOver = false
  }

  /// Makes the state of a session that has not begun.
  package init(
    _ model: ClientModel<State, Action>, path: JSONPointer, client: String, limits: QueueLimits
  ) {
    self.model = model
    self.path = path.description
    self.client = client
    self.limits = limits
    state = model.initialState
    confirmed = model.initialState
  }

  /// Steps that are not settled, or not in the confirmed state yet.
  package var pendingCount: Int { entries.count }

  /// What is to be done with a step that was asked for.
  package struct Asked: Sendable {
    package let token: RequestToken
    /// What was asked for; nothing where that can't be written.
    package let actions: [JSON]
    /// The actions for ``RemoteSession/dispatch(_:preconditions:as:)``, or why the step is over
    /// already.
    package let result: Result<[JSON], StepRefusal>
  }
}

extension StepRefusal: Error {}
