extension EffectLedger {
  /// Begins a part of an effect.
  mutating func begin(_ node: Node, in context: Context) {
    switch node {
    case .none: break
    case .merge(let nodes): for node in nodes { begin(node, in: context) }
    case .detached(let node):
      var context = context
      context.scope = .root
      begin(node, in: context)
    case .scoped(let node, let names):
      var context = context
      context.scope = EffectScope(path: context.scope.path + names)
      begin(node, in: context)
    case .controlled(let node, _, _) where hasDeparted(context):
      begin(node, in: context)
    case _ where hasDeparted(context): nextCommandIndex += Census(node).commands
    case .send(let action): send(action, in: context)
    case .run(let operation): outputs.append(.begin(add(.run(operation), in: context)))
    case .command(let request): enqueue(request, in: context)
    case .concatenate(let nodes): beginSequence(nodes, in: context)
    case .cancel(let id): cancelOthers(of: EffectKey(scope: context.scope, id: id), in: context)
    case .cancelAll: cancelOthers(in: context)
    case .controlled(let node, let id, let policy):
      begin(node, under: id, policy, in: context)
    case .debounced(let node, let id, let delay):
      debounce(node, under: id, for: delay, in: context)
    case .throttled(let node, let id, let interval, let choice):
      throttle(node, under: id, for: interval, keeping: choice, in: context)
    }
  }

  /// Goes on with a group that may have no parts left; ends it when there is nothing more to come.
  mutating func advance(_ token: EffectToken) {
    while let entry = entries[token], entry.firstPart == nil {
      switch entry.kind {
      case .sequence(var held):
        guard let node = held.nodes.popFirst() else { return remove(token, because: .ended) }
        nextCommandIndex = held.commandIndex
        held.commandIndex += Census(node).commands
        entries[token]?.kind = .sequence(held)
        begin(node, in: inside(token, entry))
      case .member(let member) where member.held == nil: return remove(token, because: .ended)
      case .member, .send, .run, .command, .window: return
      }
    }
  }

  /// Where the parts of a group begin after the group did.
  func inside(_ token: EffectToken, _ entry: Entry) -> Context {
    var controls = entry.controls
    if case .member(let member) = entry.kind {
      controls.append(EffectControl(key: member.key, policy: .parallel))
    }
    return Context(
      birth: entry.birth, cause: entry.cause, scope: entry.scope, controls: controls,
      parent: token)
  }

  /// Parts to begin later, with the numbers of their commands taken.
  mutating func hold(_ nodes: [Node]) -> Held {
    let first = nextCommandIndex
    var hasInnerScopes = false
    for node in nodes {
      let census = Census(node)
      nextCommandIndex += census.commands
      hasInnerScopes = hasInnerScopes || census.hasScopes
    }
    return Held(nodes: nodes[...], commandIndex: first, hasInnerScopes: hasInnerScopes)
  }

  private mutating func beginSequence(_ nodes: [Node], in context: Context) {
    let token = add(.sequence(hold(nodes)), in: context)
    let next = nextCommandIndex
    advance(token)
    nextCommandIndex = next
  }

  private mutating func send(_ action: Action, in context: Context) {
    guard cutRoot != context.cause.root else { return }
    var context = context
    if !isImmediate { context.cause = context.cause.afterWaiting }
    guard context.cause.depth < limits.depth, waitingFollowUpCount < limits.waiting else {
      return cut(context.cause)
    }
    followUps.append(add(.send(action, isTaken: false), in: context))
    waitingFollowUpCount += 1
  }

  /// Ends all follow-ups of a root: where each one brings several more, cutting one would not do.
  private mutating func cut(_ cause: EffectCause) {
    cutRoot = cause.root
    outputs.append(.cut(RunawayEffects(cause)))
    let waiting = (roots[cause.root] ?? []).filter { token in
      if case .send(_, isTaken: false) = entries[token]?.kind { true } else { false }
    }
    for token in waiting.sorted() { remove(token, because: .ended) }
  }

  private func hasDeparted(_ context: Context) -> Bool {
    guard !departures.isEmpty else { return false }
    let path = context.scope.path
    return path.indices.contains { last in
      departures[EffectScope(path: Array(path[...last]))].map { $0 >= context.birth } ?? false
    } || departures[.root].map { $0 >= context.birth } ?? false
  }
}

/// What there is in a part of an effect that has not begun.
struct Census {
  var commands = 0
  var hasScopes = false

  init<Action>(_ node: Effect<Action>.Node) {
    count(node)
  }

  private mutating func count<Action>(_ node: Effect<Action>.Node) {
    switch node {
    case .none, .send, .run, .cancel, .cancelAll: break
    case .command: commands += 1
    case .merge(let nodes), .concatenate(let nodes): for node in nodes { count(node) }
    case .controlled(let node, _, _), .debounced(let node, _, _), .throttled(let node, _, _, _),
      .detached(let node):
      count(node)
    case .scoped(let node, _):
      hasScopes = true
      count(node)
    }
  }
}
