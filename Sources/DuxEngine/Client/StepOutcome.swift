package import DuxLog
import DuxProtocol

/// What became of a step that a program asked for.
package enum StepOutcome: Hashable, Sendable {
  /// It was taken as this seq, with or without a change of the state.
  case confirmed(seq: SequenceNumber, changed: Bool)
  /// It was refused, by the daemon or here; it had no effect.
  case rejected(StepRefusal)
  /// It was taken back before it was sent.
  case cancelled
  /// The session ended before the outcome was known.
  case unknown(EndReason)
}

/// Why a step was refused.
package struct StepRefusal: Hashable, Sendable {
  /// The protocol's code, or ``queueFull``.
  package let code: String
  /// The app's own code, with `rejected`.
  package let reason: String?
  /// The refusal for people.
  package let message: String

  /// Makes a refusal.
  package init(code: String, reason: String?, message: String) {
    self.code = code
    self.reason = reason
    self.message = message
  }

  /// As many steps as may wait for their outcome do.
  package static let queueFull = "queue_full"
  /// The step could not be written to the journal.
  package static let notKept = "queue_failed"
}

/// A step and its outcome.
package struct SettledStep: Hashable, Sendable {
  package let token: RequestToken
  package let outcome: StepOutcome

  /// Makes a pair.
  package init(_ token: RequestToken, _ outcome: StepOutcome) {
    self.token = token
    self.outcome = outcome
  }
}
