import DuxLog
import DuxEngine
public import DuxStore

/// How a step of this client ended.
public struct Settlement: Sendable {
  /// What the step asked for.
  public let actions: [WireAction]
  /// Whether an earlier run of the program asked for it.
  public let isRestored: Bool
  /// What became of it.
  public let outcome: RemoteOutcome
}

extension RemoteOutcome {
  init(_ outcome: StepOutcome) {
    self =
      switch outcome {
      case .confirmed(let seq, let changed):
        .confirmed(Confirmation(seq: seq.value, changed: changed))
      case .rejected(let refusal): .rejected(RemoteRefusal(refusal))
      case .cancelled: .cancelled
      case .unknown(let reason): .unknown(EndReason(reason))
      }
  }
}

extension RemoteRefusal {
  init(_ refusal: StepRefusal) {
    self.init(code: refusal.code, reason: refusal.reason, message: refusal.message)
  }

  /// The refusal of a step that was asked for when the session was over.
  init(after end: EndReason) {
    self.init(code: end.code, reason: nil, message: "the session is over: \(end.message)")
  }
}
