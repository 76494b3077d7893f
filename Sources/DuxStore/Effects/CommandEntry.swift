package import DuxJSON

/// Names a command for ever: what a service gets as its idempotency key.
public struct CommandKey: Hashable, Sendable, CustomStringConvertible {
  /// The key as text: `prefix-step-index`.
  public let text: String

  /// Takes a key that was written down.
  public init(_ text: String) {
    self.text = text
  }

  init(prefix: String, step: Int64, index: Int) {
    text = "\(prefix)-\(step)-\(index)"
  }

  /// The text.
  public var description: String { text }
}

/// An id that a command runs under.
package struct EffectControl: Hashable, Sendable {
  /// The id, within its scope.
  package let key: EffectKey
  /// What it means for others of that id.
  package let policy: EffectPolicy

  /// Makes a control.
  package init(key: EffectKey, policy: EffectPolicy) {
    self.key = key
    self.policy = policy
  }
}

/// A command as the outbox keeps it until it is done.
package struct CommandEntry: Hashable, Sendable {
  /// Its name in every try.
  package let key: CommandKey
  /// Which handler does it.
  package let name: String
  /// What is asked for.
  package let payload: JSON
  /// Whose command it is.
  package let scope: EffectScope
  /// The ids it can be cancelled by, outermost first.
  package let controls: [EffectControl]
  /// The step that asked for it.
  package let cause: EffectCause
  /// How many tries were begun and failed.
  package var attempts: Int

  /// Makes an entry.
  package init(
    key: CommandKey, name: String, payload: JSON, scope: EffectScope, controls: [EffectControl],
    cause: EffectCause, attempts: Int = 0
  ) {
    self.key = key
    self.name = name
    self.payload = payload
    self.scope = scope
    self.controls = controls
    self.cause = cause
    self.attempts = attempts
  }
}
