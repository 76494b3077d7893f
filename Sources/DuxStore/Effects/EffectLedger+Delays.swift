// Debouncing and throttling: the ledger asks for sleeps only, and decides when they are over.
extension EffectLedger {
  /// Takes that a time asked for is over.
  package mutating func slept(_ token: EffectToken) {
    beginAfterWaiting()
    switch entries[token]?.kind {
    case .member(let member) where member.wait == .sleep: release(token)
    case .window(let key, let latest): endWindow(token, of: key, latest)
    case .member, .send, .run, .command, .sequence, nil: return
    }
    settle()
  }

  mutating func debounce(
    _ node: Node, under id: EffectID, for delay: Duration, in context: Context
  ) {
    let key = EffectKey(scope: context.scope, id: id)
    guard !context.isUnder(key) else { return begin(node, in: context) }
    cancelOthers(of: key, in: context)
    let held = hold([node])
    let token = addMember(
      Member(key: key, wait: .sleep, held: held, interval: delay), in: context)
    outputs.append(.sleep(token, delay))
  }

  mutating func throttle(
    _ node: Node, under id: EffectID, for interval: Duration, keeping choice: ThrottleChoice,
    in context: Context
  ) {
    let key = EffectKey(scope: context.scope, id: id)
    guard !context.isUnder(key) else { return begin(node, in: context) }
    guard let window = keys[key]?.window, case .window(_, let former) = entries[window]?.kind else {
      let token = addMember(Member(key: key, wait: .none), in: context)
      openWindow(of: key, for: interval, in: context)
      begin(node, in: context.under(key, .parallel, within: token))
      return agenda.append(.group(token))
    }
    let held = hold([node])
    guard choice == .latest else { return }
    if let former { remove(former, because: .cancelled) }
    let token = addMember(
      Member(key: key, wait: .window, held: held, interval: interval), in: context)
    entries[window]?.kind = .window(key, latest: token)
  }

  /// Takes an id's interval away.
  mutating func removeWindow(of key: EffectKey) {
    keys[key]?.window = nil
    forget(key)
  }

  private mutating func openWindow(
    of key: EffectKey, for interval: Duration, in context: Context
  ) {
    var context = context
    context.scope = key.scope
    context.parent = nil
    let window = add(.window(key, latest: nil), in: context)
    keys[key]?.window = window
    outputs.append(.sleep(window, interval))
  }

  private mutating func endWindow(
    _ window: EffectToken, of key: EffectKey, _ latest: EffectToken?
  ) {
    guard let latest, case .member(let member) = entries[latest]?.kind else {
      return remove(window, because: .ended)
    }
    entries[window]?.kind = .window(key, latest: nil)
    entries[window]?.isAnnounced = false
    outputs.append(.sleep(window, member.interval))
    release(latest)
  }
}
