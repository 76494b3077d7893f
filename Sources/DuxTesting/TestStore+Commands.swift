public import DuxJSON
public import DuxStore
public import Testing

/// A command that was asked for and is not done.
public struct PendingCommand: Hashable, Sendable {
  /// What its handler and the outbox call it.
  public let name: String
  /// What is asked for.
  public let payload: JSON
  /// Its idempotency key.
  public let key: String
  /// Whose command it is.
  public let scope: EffectScope
  /// How many tries have failed.
  public let attempts: Int

  init(_ entry: CommandEntry) {
    (name, payload, key) = (entry.name, entry.payload, entry.key.text)
    (scope, attempts) = (entry.scope, entry.attempts)
  }
}

extension TestStore {
  /// The commands that are not done, in the order in which they were asked for.
  public var commands: [PendingCommand] {
    get async {
      await executor.settle()
      return await held.standing().outbox.map(PendingCommand.init)
    }
  }

  /// Does a handler's work by hand: the action tells that the command is done, or has failed, and
  /// ends it.
  ///
  /// - Parameters:
  ///   - command: which command; of several equal ones the oldest.
  ///   - action: what the handler would return, or make of its failure.
  ///   - sourceLocation: where the test is.
  ///   - change: makes the state after the action of that before it.
  public func answer<C: Command>(
    _ command: C, with action: Action, sourceLocation: SourceLocation = #_sourceLocation,
    assert change: ((inout State) throws -> Void)? = nil
  ) async {
    desk.move(to: sourceLocation)
    guard checkIsOpen("the command \(C.commandName) was answered") else { return }
    await handleWaiting(before: "answering \(C.commandName)")
    let payload = try? StateCoder.encode(command)
    let standing = await held.standing()
    let entry = standing.outbox.first { $0.name == C.commandName && $0.payload == payload }
    let before = state
    guard let entry,
      let outcome = await executor.holding({ await held.answer(entry.key, with: action) })
    else { return desk.fail(missingText(sourceText(command), standing)) }
    let text = actionText(action)
    note(outcome, of: text, at: sourceLocation)
    check(
      outcome, before: before, .accepted(change), Operation(verb: "answer", action: text),
      at: sourceLocation)
    await executor.settle()
  }

  private func missingText(_ command: String, _ standing: EffectStanding<Action>) -> String {
    let commands = standing.running.filter { $0.command != nil }
    return commands.isEmpty
      ? "no command waits; expected \(command)"
      : "no command \(command) waits; those that do:\n\(runningLines(commands, in: standing))"
  }
}
