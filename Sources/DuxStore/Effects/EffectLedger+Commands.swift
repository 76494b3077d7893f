extension EffectLedger {
  /// Takes the commands that an outbox kept over a restart, oldest first.
  ///
  /// Those that may run are asked for with ``EffectOutput/start(_:)``; those of a queue wait again.
  /// What was decided by other policies was decided when they were asked for.
  package mutating func restore(_ kept: [CommandEntry]) {
    for command in kept where commands[command.key] == nil {
      restore(command)
    }
    settle()
  }

  /// Takes a follow-up that an outbox kept over a restart: it waits behind those taken before.
  ///
  /// - Returns: what names it from now on.
  package mutating func restore(_ kept: KeptFollowUp<Action>) -> EffectToken {
    var context = Context(birth: makeNumber(), cause: kept.cause)
    for control in kept.controls where !context.isUnder(control.key) {
      context.scope = control.key.scope
      let token = addMember(Member(key: control.key, wait: .none), in: context)
      context = context.under(control.key, control.policy, within: token)
    }
    context.scope = kept.scope
    let token = add(.send(kept.action, isTaken: false), in: context)
    followUps.append(token)
    waitingFollowUpCount += 1
    return token
  }

  /// Takes the answer of a command that is about to be reduced.
  ///
  /// - Returns: the command's cause, to make the action's of; nil when the command was cancelled or
  ///   is done: the action must be dropped.
  package mutating func sent(_ key: CommandKey) -> EffectCause? {
    guard let token = commands[key], let entry = entries[token] else {
      countLateAction()
      return nil
    }
    return entry.cause
  }

  /// Takes that a try of a command failed and that there will be another one.
  ///
  /// - Returns: the entry as the outbox should now have it; nil when the command is gone.
  package mutating func attempted(_ key: CommandKey, attempts: Int) -> CommandEntry? {
    guard let token = commands[key], case .command(var command) = entries[token]?.kind else {
      return nil
    }
    command.attempts = attempts
    entries[token]?.kind = .command(command)
    return command
  }

  /// Takes the end of a command, whichever; it leaves the outbox.
  package mutating func ended(_ key: CommandKey) {
    guard let token = commands[key] else { return }
    beginAfterWaiting()
    remove(token, because: .ended)
    settle()
  }

  /// Cancels a command from outside.
  package mutating func cancel(_ key: CommandKey) {
    if let token = commands[key] { cancel(token) }
  }

  mutating func enqueue(_ request: CommandRequest, in context: Context) {
    let token = addCommand(request, in: context)
    outputs.append(.begin(token))
    outputs.append(.start(token))
  }

  mutating func addCommand(_ request: CommandRequest, in context: Context) -> EffectToken {
    let key = CommandKey(prefix: keyPrefix, step: context.cause.step, index: nextCommandIndex)
    nextCommandIndex += 1
    let entry = CommandEntry(
      key: key, name: request.name, payload: request.payload, scope: context.scope,
      controls: context.controls, cause: context.cause)
    return add(entry, in: context)
  }

  private mutating func add(_ command: CommandEntry, in context: Context) -> EffectToken {
    let token = add(.command(command), in: context)
    commands[command.key] = token
    return token
  }

  private mutating func restore(_ command: CommandEntry) {
    var context = Context(birth: makeNumber(), cause: command.cause)
    for control in command.controls where !context.isUnder(control.key) {
      context.scope = control.key.scope
      let mustWait = control.policy == .queue && !(keys[control.key]?.isFree ?? true)
      let token = addMember(
        Member(key: control.key, wait: mustWait ? .queue : .none), in: context)
      context = context.under(control.key, control.policy, within: token)
    }
    context.scope = command.scope
    let token = add(command, in: context)
    entries[token]?.isAnnounced = true
    if !isQueued(token) { outputs.append(.start(token)) }
  }
}
