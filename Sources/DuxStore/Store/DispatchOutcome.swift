/// What became of a dispatched action.
public enum DispatchOutcome<Action: Sendable>: Sendable {
  /// It was reduced: as step `seq`, in the form that the middleware gave it, and with or without a
  /// change of the state.
  case accepted(seq: Int64, changed: Bool, action: Action)
  /// It was refused; no number was used and the state is as it was.
  case rejected(Rejection)

  /// The step's sequence number, `nil` for a refused one.
  public var seq: Int64? {
    if case .accepted(let seq, _, _) = self { seq } else { nil }
  }

  /// Why it was refused.
  public var rejection: Rejection? {
    if case .rejected(let rejection) = self { rejection } else { nil }
  }

  /// The step's sequence number.
  ///
  /// - Throws: the rejection of a refused action.
  @discardableResult
  public func get() throws(Rejection) -> Int64 {
    switch self {
    case .accepted(let seq, _, _): return seq
    case .rejected(let rejection): throw rejection
    }
  }
}

extension DispatchOutcome: Equatable where Action: Equatable {}

extension Rejection {
  /// The reason of an action that came after the store was closed, or was cut off by it.
  public static let closedReason = "closed"
  /// The reason of an action whose reducer dispatched, and of what it dispatched.
  public static let reentrantReason = "reentrant"
  /// The reason of an action of an effect that was cancelled before the action was reduced.
  public static let cancelledReason = "cancelled"

  static let closed = Rejection(reason: closedReason, message: "the store is closed")
  static let reentrant = Rejection(
    reason: reentrantReason, message: "a reducer dispatched; what should follow is an effect")
  static let cancelled = Rejection(
    reason: cancelledReason, message: "the effect that sent it was cancelled")
}
