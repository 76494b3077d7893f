// What a second effect under an id means, where the two come with different policies: `takeLatest`
// and debouncing cancel all others, whatever those came with; `takeFirst` gives way to all others,
// waiting ones included; `queue` waits for all that run and for those that wait before it;
// `parallel` and throttling wait for none. What is part of an effect under an id and has the same id
// itself is that effect: its own policy says nothing.
extension EffectLedger {
  mutating func begin(
    _ node: Node, under id: EffectID, _ policy: EffectPolicy, in context: Context
  ) {
    let key = EffectKey(scope: context.scope, id: id)
    guard !context.isUnder(key) else { return begin(node, in: context) }
    switch policy {
    case .parallel: break
    case .takeLatest: cancelOthers(of: key, in: context)
    case .takeFirst:
      guard keys[key]?.isFree ?? true else { return nextCommandIndex += Census(node).commands }
    case .queue:
      guard keys[key]?.isFree ?? true else { return queue(node, under: key, in: context) }
    }
    let token = addMember(Member(key: key, wait: .none), in: context)
    begin(node, in: context.under(key, policy, within: token))
    agenda.append(.group(token))
  }

  /// Adds a member of an id, running or waiting.
  mutating func addMember(_ member: Member, in context: Context) -> EffectToken {
    let token = add(.member(member), in: context)
    if member.wait == .queue {
      keys[member.key, default: KeyState()].queue.append(token)
      keys[member.key]?.queueCount += 1
    } else {
      keys[member.key, default: KeyState()].running.insert(token)
    }
    return token
  }

  /// Ends the wait of a member: what it holds begins.
  mutating func release(_ token: EffectToken) {
    guard let entry = entries[token], case .member(var member) = entry.kind else { return }
    let held = member.held
    member.held = nil
    member.wait = .none
    if entry.kind.holdsInnerScopes { partsOfInnerScopes -= 1 }
    entries[token]?.kind = .member(member)
    if let held {
      nextCommandIndex = held.commandIndex
      for node in held.nodes { begin(node, in: inside(token, entry)) }
    } else {
      for part in tree(of: [token]) where !isQueued(part) { outputs.append(.start(part)) }
    }
    agenda.append(.group(token))
  }

  /// Lets the first that waits under an id run, when nothing else does.
  mutating func startNext(of key: EffectKey) {
    while keys[key]?.running.isEmpty == true, let token = keys[key]?.queue.popFirst() {
      guard entries[token] != nil else { continue }
      keys[key]?.queueCount -= 1
      keys[key]?.running.insert(token)
      release(token)
    }
  }

  /// Takes a member out of its id.
  mutating func removeMember(_ token: EffectToken, _ member: Member) {
    let key = member.key
    if member.wait == .queue {
      keys[key]?.queueCount -= 1
      if keys[key]?.queueCount == 0 { keys[key]?.queue.removeAll() }
    } else {
      keys[key]?.running.remove(token)
    }
    if let window = keys[key]?.window, case .window(key, latest: token) = entries[window]?.kind {
      entries[window]?.kind = .window(key, latest: nil)
    }
    forget(key)
    if keys[key]?.running.isEmpty == true, keys[key]?.queueCount ?? 0 > 0 {
      agenda.append(.key(key))
    }
  }

  /// Drops the memory of an id that nothing is under.
  mutating func forget(_ key: EffectKey) {
    if keys[key]?.isUnused == true { keys[key] = nil }
  }

  private mutating func queue(_ node: Node, under key: EffectKey, in context: Context) {
    var member = Member(key: key, wait: .queue)
    if let (request, scope) = node.soleCommand(in: context.scope) {
      let token = addMember(member, in: context)
      var context = context.under(key, .queue, within: token)
      context.scope = scope
      outputs.append(.begin(addCommand(request, in: context)))
    } else {
      member.held = hold([node])
      _ = addMember(member, in: context)
    }
  }
}

extension EffectLedger.Context {
  func isUnder(_ key: EffectKey) -> Bool { controls.contains { $0.key == key } }

  func under(_ key: EffectKey, _ policy: EffectPolicy, within token: EffectToken) -> Self {
    var context = self
    context.controls.append(EffectControl(key: key, policy: policy))
    context.parent = token
    return context
  }
}

extension Effect.Node {
  /// The command that this is, with the scope it belongs to, if it is nothing else.
  fileprivate func soleCommand(in scope: EffectScope) -> (CommandRequest, EffectScope)? {
    switch self {
    case .command(let request): (request, scope)
    case .detached(let node): node.soleCommand(in: .root)
    case .scoped(let node, let names):
      node.soleCommand(in: EffectScope(path: scope.path + names))
    default: nil
    }
  }
}
