/// What a runner tells whoever has it.
package enum EffectEvent<Action: Sendable>: Sendable {
  /// A running effect sends an action, and goes on when the receiver of this event returns.
  case sent(EffectToken, Action)
  /// A running effect has ended.
  case ended(EffectToken)
  /// A time asked for is over.
  case slept(EffectToken)
  /// A command's first try begins; the receiver returns when the action was taken.
  case commandStarted(CommandKey, Action)
  /// A try failed; there will be another one after a wait. `attempts` were made.
  case commandTryFailed(CommandKey, attempts: Int, any Error, wait: Duration)
  /// A command is done.
  case commandSucceeded(CommandKey, Action)
  /// A command was given up; there is an action to tell it unless no handler can make one.
  case commandFailed(CommandKey, any Error, Action?)
}
