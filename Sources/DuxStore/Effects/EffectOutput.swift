/// What a ledger asks of whoever has it, in order.
package enum EffectOutput<Action: Sendable>: Sendable {
  /// Run this, and tell when it has ended.
  case run(EffectToken, EffectOperation<Action>, EffectCause)
  /// Tell when this time is over.
  case sleep(EffectToken, Duration)
  /// Stop what runs or sleeps; nothing need be told any more.
  case cancel(EffectToken)
  /// Put the command into the outbox, with the step that is being made.
  case enqueue(CommandEntry)
  /// Run the command, once it is on disk.
  case start(CommandEntry)
  /// Take the command out of the outbox, and stop it if it runs: it is done, or was cancelled.
  case drop(CommandKey)
  /// Report a loop of follow-ups; those that waited are gone.
  case cut(RunawayEffects)
}

/// An action that an effect sent and that is to be reduced next.
package struct FollowUp<Action: Sendable>: Sendable {
  /// Names it; the ledger is told when it was reduced.
  package let token: EffectToken
  /// The action.
  package let action: Action
  /// The step that sent it.
  package let cause: EffectCause
  /// Whose it is.
  package let scope: EffectScope
  /// The ids it can be cancelled by, outermost first.
  package let controls: [EffectControl]
}

extension FollowUp {
  init(_ token: EffectToken, _ action: Action, _ entry: EffectLedger<Action>.Entry) {
    self.init(
      token: token, action: action, cause: entry.cause, scope: entry.scope,
      controls: entry.controls)
  }
}

/// A follow-up as an outbox keeps it.
package struct KeptFollowUp<Action: Sendable>: Sendable {
  /// The action.
  package let action: Action
  /// The step that sent it.
  package let cause: EffectCause
  /// Whose it is.
  package let scope: EffectScope
  /// The ids it can be cancelled by, outermost first.
  package let controls: [EffectControl]

  /// Makes a follow-up of what was kept.
  package init(
    action: Action, cause: EffectCause, scope: EffectScope, controls: [EffectControl]
  ) {
    self.action = action
    self.cause = cause
    self.scope = scope
    self.controls = controls
  }
}

/// An effect as lists show it.
package struct RunningEffect: Hashable, Sendable {
  /// What the effect does.
  package enum Activity: String, Sendable {
    /// An action waits to be reduced.
    case sending
    /// A closure runs.
    case running
    /// A command is in the outbox and may run.
    case command
    /// It waits for another one of its id.
    case queued
    /// It waits for a time to pass.
    case delayed
  }

  /// Names it to the ledger.
  package let token: EffectToken
  /// What the reducer, or the command, is called.
  package let name: String
  /// What it does.
  package let activity: Activity
  /// Whose it is.
  package let scope: EffectScope
  /// The innermost id it can be cancelled by.
  package let id: EffectID?
  /// Its key, if it is a command.
  package let command: CommandKey?
  /// The step that it comes from.
  package let cause: EffectCause
}
