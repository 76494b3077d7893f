/// How the connection to a daemon is, for people: a banner, not an error.
package enum ConnectionStatus: Hashable, Sendable {
  /// The first attempt is under way.
  case connecting
  /// The copy and the daemon agree, but for what is on its way.
  case live
  /// The connection was lost or fell silent just now, at this wall clock time in ms; the copy is
  /// what it was.
  case stale(sinceMs: Int64)
  /// Attempts fail; it goes on by itself. Times are wall clock in ms; `sinceMs` is `nil` if there
  /// never was a connection.
  case offline(sinceMs: Int64?, reason: String, retryAtMs: Int64)
  /// The session is over.
  case ended(EndReason)
}

/// Why a session with a daemon is over.
package struct EndReason: Error, Hashable, Sendable, CustomStringConvertible {
  /// The protocol's code, as `replaced` or `unsupported_protocol`, or one of the client's own:
  /// ``wrongApp``, ``stateMismatch``, ``closed``.
  package let code: String
  /// The reason for people.
  package let message: String

  /// Makes a reason.
  package init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  /// The daemon serves another app than the program is for.
  package static let wrongApp = "wrong_app"
  /// The daemon's state is none of the program's.
  package static let stateMismatch = "state_mismatch"
  /// The program itself ended the session.
  package static let closed = "closed"

  /// The message, then the code in brackets.
  package var description: String { "\(message) (\(code))" }
}
