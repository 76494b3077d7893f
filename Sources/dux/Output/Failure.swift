import DuxCommandLine
import DuxProtocol

/// Why a command ends early: what the process ends with, and what is said on standard error.
struct Failure: Error, Equatable {
  let status: ExitStatus
  /// Names the input and the way out.
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Makes a failure of what the daemon said.
  init(_ failure: ServerMessage.Failure) {
    self.init(Self.status(of: failure), Self.text(of: failure))
  }

  /// The daemon's refusal in one line.
  static func text(of failure: ServerMessage.Failure) -> String {
    let reason = failure.reason.map { " (\($0))" } ?? ""
    return (failure.code + reason + ": " + failure.message).printable
  }

  private static func status(of failure: ServerMessage.Failure) -> ExitStatus {
    if failure.isTransient { return .temporary }
    switch ErrorCode(rawValue: failure.code) {
    case .rateLimited, .overloaded, .storageFull, .shuttingDown: return .temporary
    case .compacted, .notFound: return .notFound
    case .badJSON, .badRequest, .unknownOp, .unsupportedProtocol, .internal, .slowConsumer:
      return .internal
    default: return .rejected
    }
  }

  /// Runs what may find the command line or its input wrong.
  static func wrapping<Value, Problem: Error & CustomStringConvertible>(
    _ body: () throws(Problem) -> Value
  ) throws(Failure) -> Value {
    do throws(Problem) {
      return try body()
    } catch {
      throw Failure(.usage, error.description)
    }
  }
}
