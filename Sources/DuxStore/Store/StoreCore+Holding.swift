import Synchronization

// What a store does for whoever lets its effects' actions in. All of it is for visits: whoever
// carries out the steps calls it, between two of them.
extension StoreCore {
  /// The action that is let in next: a follow-up before what running effects sent.
  var firstWaiting: WaitingAction<Action>? {
    if let followUp = effects?.firstFollowUp { return WaitingAction(followUp) }
    dropLate()
    return content.withLock { $0.held.first }.flatMap { waiting($0) }
  }

  /// Reduces the action that is let in next.
  func admit() -> (WaitingAction<Action>, DispatchOutcome<Action>)? {
    guard let next = firstWaiting, let work = takeFirst(), let outcome = step(work) else {
      return nil
    }
    return (next, outcome)
  }

  /// What waits and what runs.
  var standing: EffectStanding<Action> {
    dropLate()
    let (held, effects) = content.withLock { ($0.held, $0.effects) }
    return EffectStanding(
      waiting: (effects?.waitingFollowUps(after: nil) ?? []).map { WaitingAction($0) }
        + held.compactMap { waiting($0) },
      running: (effects?.running ?? []).filter { $0.activity != .sending },
      outbox: effects?.outbox ?? [])
  }

  /// Drops what was sent by effects that have no say any more.
  func dropLate() {
    let late = content.withLock { content in
      guard let effects = content.effects else { return [Work]() }
      let late = content.held.filter { effects.token(of: $0) == nil }
      if !late.isEmpty { content.held.removeAll { effects.token(of: $0) == nil } }
      return late
    }
    for work in late { step(work) }
  }

  /// What `body` gives, unless somebody else carries out steps.
  func visitNow<R: Sendable>(_ body: @escaping @Sendable (StoreCore) -> R) -> R? {
    let result = Visited<R>()
    signal(.visit { core in result.content.withLock { [seen = body(core)] in $0 = seen } })
    return result.content.withLock { $0 }
  }

  /// The effects as they stand; nothing but reading is done with them.
  private var effects: EffectLedger<Action>? { content.withLock { $0.effects } }

  private func takeFirst() -> Work? {
    if let followUp = changeEffects({ $0.nextFollowUp() }) {
      return Work(action: followUp.action, source: .followUp(followUp))
    }
    return content.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }
  }

  private func waiting(_ work: Work) -> WaitingAction<Action>? {
    guard let effects, let token = effects.token(of: work), let entry = effects.entries[token]
    else { return nil }
    return WaitingAction(action: work.action, cause: entry.cause, effect: token)
  }
}

private final class Visited<R: Sendable>: Sendable {
  let content = Mutex<R?>(nil)
}

extension WaitingAction {
  fileprivate init(_ followUp: FollowUp<Action>) {
    self.init(action: followUp.action, cause: followUp.cause, effect: nil)
  }
}

extension EffectLedger {
  /// The effect that an action comes from; `nil` when it has no say any more.
  fileprivate func token(of work: StoreCore<some Sendable, Action>.Work) -> EffectToken? {
    switch work.source {
    case .effect(let token): isRunning(token) ? token : nil
    case .command(let key, _): commands[key]
    case .followUp, .outside: nil
    }
  }
}
