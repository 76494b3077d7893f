/// What became of a dispatched action.
public enum RemoteOutcome: Hashable, Sendable {
  /// The daemon took it.
  case confirmed(Confirmation)
  /// It was refused, by the daemon or because the queue was full; nothing of it remains.
  case rejected(RemoteRefusal)
  /// It was taken back before it was sent.
  case cancelled
  /// The session ended before the outcome was known: it may or may not have taken effect.
  case unknown(EndReason)
}

/// Where in the order of all steps the daemon took one.
public struct Confirmation: Hashable, Sendable {
  /// The step's sequence number.
  public let seq: Int64
  /// Whether it changed the state.
  public let changed: Bool
}

/// Why a step did not happen, or is not known to have happened.
public struct RemoteRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The protocol's word, as `rejected` or `precondition_failed`, or one of this client's own.
  public let code: String
  /// The app's word, where the app's reducer refused.
  public let reason: String?
  /// The sentence for people.
  public let message: String

  /// The code of an action for which the queue had no room.
  public static let queueFullCode = "queue_full"
  /// The code of an action that was taken back before it was sent.
  public static let cancelledCode = "cancelled"
  /// The code of an action whose outcome did not become known; it may have taken effect.
  public static let unknownCode = "unknown"

  /// Makes a refusal, in a test for example.
  public init(code: String, reason: String? = nil, message: String) {
    self.code = code
    self.reason = reason
    self.message = message
  }

  /// The sentence for people.
  public var description: String { message }
}

extension RemoteOutcome {
  /// What to tell people: why it did not happen, or is not known to have; `nil` where it happened, and
  /// where they took it back themselves.
  public var problem: RemoteRefusal? {
    do {
      _ = try get()
      return nil
    } catch {
      return self == .cancelled ? nil : error
    }
  }

  /// The confirmation.
  ///
  /// - Throws: the refusal where there is none.
  public func get() throws(RemoteRefusal) -> Confirmation {
    switch self {
    case .confirmed(let confirmation): return confirmation
    case .rejected(let refusal): throw refusal
    case .cancelled:
      throw RemoteRefusal(
        code: RemoteRefusal.cancelledCode, reason: nil,
        message: "it was taken back before it was sent")
    case .unknown(let reason):
      throw RemoteRefusal(
        code: RemoteRefusal.unknownCode, reason: nil,
        message: "the session ended before the outcome was known: \(reason.message)")
    }
  }
}
