import DuxEngine

/// How the connection to the daemon is, for people: a banner, not an error.
public enum ConnectionStatus: Hashable, Sendable {
  /// The first attempt is under way.
  case connecting
  /// The copy agrees with the daemon, but for what is on its way.
  case live
  /// The daemon was just lost, or is silent; the copy is what it was then. In milliseconds of the
  /// wall clock.
  case stale(sinceMs: Int64)
  /// Attempts to connect fail, and go on by themselves; the copy is what it was when the connection
  /// was lost, if there ever was one.
  case offline(sinceMs: Int64?, reason: String, retryAtMs: Int64)
  /// The session is over, and no attempt follows.
  case ended(EndReason)
}

/// Why a session is over.
public struct EndReason: Error, Hashable, Sendable, CustomStringConvertible {
  /// The protocol's word, as `replaced` or `unsupported_protocol`, or one of this client's own:
  /// ``wrongApp``, ``stateMismatch``, ``closed``.
  public let code: String
  /// The sentence for people.
  public let message: String

  /// The code where the daemon serves another app than the program is for.
  public static let wrongApp = DuxEngine.EndReason.wrongApp
  /// The code where the daemon's state is none of the program's.
  public static let stateMismatch = DuxEngine.EndReason.stateMismatch
  /// The code of a session that the program itself closed.
  public static let closed = DuxEngine.EndReason.closed

  /// Makes a reason.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  /// The sentence for people.
  public var description: String { message }
}

extension ConnectionStatus {
  init(_ status: DuxEngine.ConnectionStatus) {
    self =
      switch status {
      case .connecting: .connecting
      case .live: .live
      case .stale(let sinceMs): .stale(sinceMs: sinceMs)
      case .offline(let sinceMs, let reason, let retryAtMs):
        .offline(sinceMs: sinceMs, reason: reason, retryAtMs: retryAtMs)
      case .ended(let reason): .ended(EndReason(reason))
      }
  }
}

extension EndReason {
  init(_ reason: DuxEngine.EndReason) {
    self.init(code: reason.code, message: reason.message)
  }
}
