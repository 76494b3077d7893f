extension EffectLedger {
  /// Why an entry goes.
  enum Removal {
    case ended
    case cancelled
  }

  /// Cancels an effect from outside, with all its parts.
  package mutating func cancel(_ token: EffectToken) {
    beginAfterWaiting()
    cancel(tree(of: [token]))
    settle()
  }

  /// Cancels everything that goes back to a step from outside: its effects and those of its
  /// follow-ups and answers.
  package mutating func cancel(causedBy root: Int64) {
    beginAfterWaiting()
    cancel((roots[root] ?? []).sorted())
    settle()
  }

  /// Cancels everything.
  package mutating func cancelAll() {
    cancel(entries.keys.sorted())
    settle()
  }

  /// Cancels what scopes own that are gone, and remembers them as long as something may still begin
  /// that was theirs.
  mutating func leave(_ departed: [EffectScope]) {
    guard !departed.isEmpty else { return }
    let stamp = makeNumber()
    for scope in departed {
      departures[scope] = stamp
      cancel(scopes.members(in: scope))
    }
  }

  /// Cancels an id's effects but for those that the canceller is part of.
  mutating func cancelOthers(of key: EffectKey, in context: Context) {
    guard let state = keys[key] else { return }
    var members = state.running
    var queue = state.queue
    while let token = queue.popFirst() { members.insert(token) }
    members.subtract(groups(around: context))
    cancel(tree(of: members.sorted()))
  }

  /// Cancels what the canceller's scope and those inside it own, but for what it is part of.
  mutating func cancelOthers(in context: Context) {
    let around = groups(around: context)
    cancel(scopes.members(in: context.scope).filter { !around.contains($0) })
  }

  /// Takes an entry out of everything; its parts go on alone.
  mutating func remove(_ token: EffectToken, because reason: Removal) {
    guard let entry = entries.removeValue(forKey: token) else { return }
    scopes.remove(token, from: entry.place)
    roots[entry.cause.root]?.remove(token)
    if roots[entry.cause.root]?.isEmpty == true { roots[entry.cause.root] = nil }
    if entry.kind.holdsInnerScopes { partsOfInnerScopes -= 1 }
    unlink(entry)
    orphanParts(from: entry.firstPart)
    switch entry.kind {
    case .sequence: break
    case .send(_, let isTaken): if !isTaken { waitingFollowUpCount -= 1 }
    case .run: if reason == .cancelled, entry.isAnnounced { outputs.append(.cancel(token)) }
    case .command(let command):
      commands[command.key] = nil
      if entry.isAnnounced { outputs.append(.drop(command.key)) }
    case .member(let member):
      if member.wait == .sleep, entry.isAnnounced { outputs.append(.cancel(token)) }
      removeMember(token, member)
    case .window(let key, _):
      windowCount -= 1
      if reason == .cancelled, entry.isAnnounced { outputs.append(.cancel(token)) }
      removeWindow(of: key)
    }
  }

  private mutating func cancel(_ tokens: [EffectToken]) {
    for token in tokens { remove(token, because: .cancelled) }
  }

  /// Entries and all that is part of them, in the order in which they began.
  func tree(of tokens: [EffectToken]) -> [EffectToken] {
    var found = tokens
    var seen = 0
    while seen < found.count {
      found.append(contentsOf: parts(of: found[seen]))
      seen += 1
    }
    return found.sorted()
  }

  private func groups(around context: Context) -> Set<EffectToken> {
    var found: Set<EffectToken> = []
    var group = context.parent
    while let token = group {
      found.insert(token)
      group = entries[token]?.parent
    }
    return found
  }

  private mutating func orphanParts(from first: EffectToken?) {
    var part = first
    while let token = part {
      part = entries[token]?.next
      entries[token]?.parent = nil
      entries[token]?.previous = nil
      entries[token]?.next = nil
    }
  }
}
