package import DuxJSON

/// The stable words by which a refusal is told to a program (Protocol/protocol.md, "Error codes").
package enum ErrorCode: String, Sendable, CaseIterable {
  case badJSON = "bad_json"
  case badRequest = "bad_request"
  case unknownOp = "unknown_op"
  case unsupportedProtocol = "unsupported_protocol"
  case unauthorized
  case forbidden
  case lineTooLong = "line_too_long"
  case tooDeep = "too_deep"
  case tooLarge = "too_large"
  case unknownAction = "unknown_action"
  case badAction = "bad_action"
  case rejected
  case preconditionFailed = "precondition_failed"
  case nConflict = "n_conflict"
  case outcomeUnknown = "outcome_unknown"
  case notFound = "not_found"
  case compacted
  case rateLimited = "rate_limited"
  case overloaded
  case storageFull = "storage_full"
  case shuttingDown = "shutting_down"
  case replaced
  case slowConsumer = "slow_consumer"
  case `internal`

  /// Whether the refusal is of the moment: it is no outcome, and the same `n` may be sent again.
  package var isTransient: Bool {
    switch self {
    case .rateLimited, .overloaded, .storageFull, .shuttingDown: true
    default: false
    }
  }
}

/// Why a request gets no answer but an error: the code, and a sentence that names the input.
package struct RequestError: Error, Hashable, Sendable {
  /// The stable word.
  package let code: ErrorCode
  /// What was wrong and what would be right.
  package let message: String
  /// Members beside these two, as the list of versions served.
  package let details: JSONObject

  /// The refusal of one dispatch too many; `retryMs` says, in milliseconds, when the next is worth a
  /// try, where that is known.
  package static func rateLimited(_ message: String, retryMs: Int64?) -> RequestError {
    RequestError(
      .rateLimited, message, details: retryMs.map { ["retryMs": .integer($0)] } ?? [:])
  }

  /// The refusal to cancel what is not there.
  package static func noEffect(key: String) -> RequestError {
    RequestError(
      .notFound,
      "no effect has the key \(JSON.string(key).shortened): it has ended, was cancelled already, or"
        + " never was")
  }

  /// Makes an error.
  package init(_ code: ErrorCode, _ message: String, details: JSONObject = [:]) {
    self.code = code
    self.message = message
    self.details = details
  }
}
