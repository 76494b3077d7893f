import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// Effects as clients see them.
extension Engine {
  /// Answers with what runs and waits, as of the head and when that is durable.
  func listEffects(limit: Int, id: RequestID?, to session: Session) {
    let list = effectList(limit: limit)
    guard isHeadUnwritten else { return write(to: session) { $0.effects(list, id: id) } }
    open.replies.append(
      .init(session: session, id: id, n: nil, content: .effects(list, limit: limit)))
    session.lastGroup = open.number
  }

  /// What runs and waits at the head.
  func effectList(limit: Int) -> EffectList {
    let held = heldBeginnings.compactMap { output in
      if case .start(let command) = output { command.key } else { nil }
    }
    let all = ledger.running.map { listed($0, held: Set(held)) }.sorted()
    return EffectList(
      seq: headSeq, effects: Array(all.prefix(limit)), hasMore: all.count > limit)
  }

  /// Cancels an effect; the answer comes when that is durable.
  func cancelEffect(_ key: String, id: RequestID?, from session: Session) {
    guard !cancelKnownEffect(key, id: id, from: session) else { return }
    guard isHeadUnwritten else { return refuse(.noEffect(key: key), id: id, of: session) }
    // That it has ended may not be durable: only then there is none.
    wait(session, forGroup: open.number)
    session.deferred = { [self] in
      guard !cancelKnownEffect(key, id: id, from: session) else { return }
      refuse(.noEffect(key: key), id: id, of: session)
    }
  }

  /// - Returns: whether the request is dealt with.
  private func cancelKnownEffect(_ key: String, id: RequestID?, from session: Session) -> Bool {
    if let refusal = admissionRefusal() {
      refuse(refusal, id: id, of: session)
      return true
    }
    guard cancelEffect(key) else { return false }
    open.replies.append(.init(session: session, id: id, n: nil, content: .cancelled(key: key)))
    session.lastGroup = open.number
    return true
  }

  private var isHeadUnwritten: Bool { inFlight != nil || !open.isUnwritten }

  private func listed(_ effect: RunningEffect, held: Set<CommandKey>) -> ListedEffect {
    let command = effect.command.flatMap { outbox.commands[$0.text] }
    let retryMs = command?.retryAtMs.map { max(0, $0 - nowMs) }.flatMap { $0 > 0 ? $0 : nil }
    let isKnown = command.map { commandHandlers[$0.entry.name] != nil } ?? true
    let isWaiting = effect.isWaiting || !isKnown || effect.command.map(held.contains) ?? false
    return ListedEffect(
      key: effect.listedKey, kind: effect.command == nil ? .running : .command, name: effect.name,
      state: retryMs != nil ? .retrying : isWaiting ? .waiting : .running,
      scope: effect.scope.path.joined(separator: "/"), effect: effect.id?.text,
      cause: SequenceNumber(effect.cause.step), author: effect.cause.author,
      action: effect.cause.action, attempts: command?.entry.attempts ?? 0, retryMs: retryMs,
      error: isKnown ? command?.error : "the app has no handler of this name")
  }
}

extension RunningEffect {
  /// The key that names it to clients.
  var listedKey: String { command?.text ?? "run-\(token.number)" }

  fileprivate var isWaiting: Bool {
    switch activity {
    case .sending, .queued, .delayed: true
    case .running, .command: false
    }
  }
}
