import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// What the session tells.
extension OptimisticState {
  /// Takes what a session told, and shows it.
  ///
  /// - Returns: the steps that are settled by it; each is settled once.
  /// - Complexity: O(change) of all events, and the reducer's work for the steps that are pending.
  package mutating func take(_ events: some Sequence<RemoteSession.Event>) -> [SettledStep] {
    for event in events { note(event) }
    show()
    settle()
    defer { settled = [] }
    return settled
  }

  private mutating func note(_ event: RemoteSession.Event) {
    switch event {
    case .live(let welcome):
      greet(welcome)
    case .snapshot(let replica, _, let uncertain) where replica.path == path:
      begin(replica, uncertain)
    case .resumed(let replica, _, _) where replica.path == path:
      newest = replica
      isRenewed = true
    case .patch(let patch, _, let replica, let own) where replica.path == path:
      newest = replica
      if let own { find(own, at: replica.position?.epoch, patch.seq) }
    case .mark(let path, let seq) where path == self.path:
      newest?.take(markAt: seq)
    case .settled(let step, let settlement):
      settle(step, settlement)
    case .returned(let step):
      unresolved.remove(step)
    case .cancelled(let step):
      drop(step, .cancelled)
    case .waiting:
      // The state that holds what was taken may be long in coming.
      for index in entries.indices { tell(index) }
    case .ended(let failure):
      end(EndReason(code: failure.code, message: failure.message))
    default: break
    }
  }

  /// Looks which steps were taken in a life of the log that the daemon knows nothing of.
  private mutating func greet(_ welcome: ServerMessage.Welcome) {
    let app = welcome.json["app"]?.stringValue
    if app != servedApp { isOutdated = true }
    servedApp = app
    epoch = welcome.epoch
    for index in entries.indices {
      entries[index].isForeign = isForeign(entries[index].taken, to: welcome)
    }
    guard !unresolved.isEmpty, isForeign(newest?.position, to: welcome) else { return }
    // What this daemon says of our steps tells nothing of whether that snapshot holds them.
    newest = nil
    isRenewed = false
    unresolved = []
  }

  private func isForeign(
    _ position: Request.Position?, to welcome: ServerMessage.Welcome
  ) -> Bool {
    guard let position else { return false }
    return position.epoch != welcome.epoch || position.seq > welcome.seq
  }

  /// Takes a snapshot, which may hold steps of ours whose outcome is not known yet.
  private mutating func begin(_ replica: Replica, _ uncertain: [RequestToken]) {
    newest = replica
    isRenewed = true
    unresolved = Set(uncertain)
    for entry in entries where entry.taken != nil && !entry.isForeign {
      unresolved.remove(entry.token)
    }
  }

  /// Notes the patch that a step of ours is.
  private mutating func find(_ step: RequestToken, at epoch: String?, _ seq: SequenceNumber) {
    unresolved.remove(step)
    guard let index = index(of: step), let epoch else { return }
    entries[index].taken = .init(epoch: epoch, seq: seq)
    entries[index].isForeign = false
  }

  private mutating func settle(_ step: RequestToken, _ settlement: ServerMessage.Settlement) {
    switch settlement.result {
    case .success(let accepted):
      unresolved.remove(step)
      guard let index = index(of: step) else { return }
      entries[index].taken = .init(epoch: epoch, seq: accepted.seq)
      entries[index].isForeign = false
      entries[index].answer = .confirmed(seq: accepted.seq, changed: accepted.changed)
    case .failure(let failure):
      let refusal = StepRefusal(
        code: failure.code, reason: failure.reason, message: failure.message)
      drop(step, .rejected(refusal))
    }
  }

  /// Takes away a step that has no effect.
  private mutating func drop(_ step: RequestToken, _ outcome: StepOutcome) {
    unresolved.remove(step)
    guard let index = index(of: step) else { return }
    entries[index].answer = outcome
    entries[index].isOver = true
    if !entries[index].isConfirmed { isOutdated = true }
  }

  private mutating func end(_ reason: EndReason) {
    ending = reason
    for index in entries.indices {
      entries[index].answer = entries[index].answer ?? .unknown(reason)
      entries[index].isOver = true
    }
    unresolved = []
    isOutdated = true
  }

  // The view.

  private mutating func show() {
    guard fault == nil else { return }
    if unresolved.isEmpty { confirm() }
    guard isOutdated else { return }
    isOutdated = false
    state = confirmed
    for index in entries.indices where !entries[index].isConfirmed && !entries[index].isOver {
      show(index)
    }
  }

  /// Lets the newest state be the confirmed one, with the steps of ours that it holds.
  private mutating func confirm() {
    if let newest, let reached = newest.position, reached != position {
      do throws(Refusal) {
        let (model, value) = (model, newest.value)
        confirmed = try StateCoder.reusing(&leaves) { () throws(Refusal) in try model.read(value) }
      } catch {
        return fail(error)
      }
      position = reached
      isOutdated = true
    }
    let isAnew = isRenewed
    if isRenewed { forgetForeign() }
    for index in entries.indices {
      // A step that the state shown holds stays there, wherever the daemon takes it anew, until that
      // state makes way for a snapshot.
      let wasConfirmed = entries[index].isConfirmed && !isAnew
      let isConfirmed = wasConfirmed || entries[index].isHeld(by: position)
      guard isConfirmed != entries[index].isConfirmed else { continue }
      entries[index].isConfirmed = isConfirmed
      isOutdated = true
    }
  }

  /// Lets go of what was taken in a life of the log that is lost: a step whose outcome is known is
  /// not sent again, any other is.
  private mutating func forgetForeign() {
    isRenewed = false
    for index in entries.indices where entries[index].isForeign {
      entries[index].isForeign = false
      entries[index].taken = nil
      entries[index].isOver = entries[index].answer != nil
      isOutdated = true
    }
  }

  private mutating func fail(_ refusal: Refusal) {
    let program = [model.appName, model.appVersion.map(String.init)].compactMap(\.self)
    let subject = program.isEmpty ? "this program" : "\(program.joined(separator: " ")) here"
    fault = EndReason(
      code: EndReason.stateMismatch,
      message: "the daemon's state is none of \(subject): \(refusal.message)")
  }

  // Outcomes.

  /// Tells what is known of the steps that the confirmed state holds, or never will.
  private mutating func settle() {
    for index in entries.indices where entries[index].isConfirmed || entries[index].isOver {
      tell(index)
      if entries[index].isTold { entries[index].isOver = true }
    }
    entries.removeAll(where: \.isOver)
  }

  private mutating func tell(_ index: Chunks<Entry>.Index) {
    guard let answer = entries[index].answer, !entries[index].isTold else { return }
    entries[index].isTold = true
    queuedBytes -= entries[index].byteCount
    settled.append(.init(entries[index].token, answer))
  }

  /// Where a step is; they are looked for from the first on, which is the oldest.
  private func index(of token: RequestToken) -> Chunks<Entry>.Index? {
    entries.firstIndex { $0.token == token }
  }
}

extension OptimisticState.Entry {
  /// Whether the state at a position holds the step.
  fileprivate func isHeld(by position: Request.Position?) -> Bool {
    guard let taken, let position else { return false }
    return taken.epoch == position.epoch && taken.seq <= position.seq
  }
}
