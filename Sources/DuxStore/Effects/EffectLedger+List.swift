extension EffectLedger {
  /// Everything that runs or waits, in the order in which it began.
  ///
  /// - Complexity: O(n log n) in their number.
  package var running: [RunningEffect] {
    entries.keys.sorted().compactMap { list($0) }
  }

  /// Whether an effect has not ended.
  package func isRunning(_ token: EffectToken) -> Bool { entries[token] != nil }

  /// What goes back to a step from outside and has not ended, in the order in which it began.
  package func running(causedBy root: Int64) -> [RunningEffect] {
    (roots[root] ?? []).sorted().compactMap { list($0) }
  }

  /// Whether something that goes back to a step from outside has not ended.
  package func hasEffects(causedBy root: Int64) -> Bool { roots[root] != nil }

  /// The commands of the outbox, in the order in which they were asked for.
  package var outbox: [CommandEntry] {
    commands.values.sorted().compactMap { token in
      if case .command(let command) = entries[token]?.kind { command } else { nil }
    }
  }

  private func list(_ token: EffectToken) -> RunningEffect? {
    guard let entry = entries[token] else { return nil }
    switch entry.kind {
    case .send(_, isTaken: true), .sequence, .window: return nil
    case .send: return list(token, entry, "send", .sending)
    case .run(let operation): return list(token, entry, operation.name, .running)
    case .command(let command):
      let activity = isQueued(token) ? RunningEffect.Activity.queued : .command
      return list(token, entry, command.name, activity, command.key)
    case .member(let member):
      guard let held = member.held else { return nil }
      let activity = member.wait == .queue ? RunningEffect.Activity.queued : .delayed
      let name = held.nodes.lazy.compactMap(\.firstName).first ?? ""
      return list(token, entry, name, activity, id: member.key.id)
    }
  }

  private func list(
    _ token: EffectToken, _ entry: Entry, _ name: String, _ activity: RunningEffect.Activity,
    _ command: CommandKey? = nil, id: EffectID? = nil
  ) -> RunningEffect {
    RunningEffect(
      token: token, name: name, activity: activity, scope: entry.scope,
      id: id ?? entry.controls.last?.key.id, command: command, cause: entry.cause)
  }

  /// Whether an entry is part of what waits for others of its id.
  func isQueued(_ token: EffectToken) -> Bool {
    var group: EffectToken? = token
    while let token = group, let entry = entries[token] {
      if case .member(let member) = entry.kind, member.wait == .queue { return true }
      group = entry.parent
    }
    return false
  }
}

extension Effect.Node {
  /// What lists call it: the name of the first work in it.
  fileprivate var firstName: String? {
    switch self {
    case .none, .cancel, .cancelAll: nil
    case .send: "send"
    case .run(let operation): operation.name
    case .command(let request): request.name
    case .merge(let nodes), .concatenate(let nodes): nodes.lazy.compactMap(\.firstName).first
    case .controlled(let node, _, _), .debounced(let node, _, _), .throttled(let node, _, _, _),
      .detached(let node), .scoped(let node, _):
      node.firstName
    }
  }
}
