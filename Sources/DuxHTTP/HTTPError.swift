/// Why a request has no answer that can be used.
///
/// Its text names the URL without user, password, query and fragment, and quotes neither the
/// request's headers nor its body. It is `Codable`, so an action may carry it.
public struct HTTPError: Error, Hashable, Sendable, Codable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable, Codable {
    /// The request can't be sent as it is; nothing was sent.
    case invalidRequest(String)
    /// No connection, or one that was lost before the answer was whole.
    case unreachable(String)
    /// The answer was not whole in time.
    case timedOut(after: Duration)
    /// The task that waited was cancelled.
    case cancelled
    /// The answer's body is longer than the request allows; the rest was not read.
    case tooLarge(maximumBytes: Int)
    /// One redirect led to another, more often than is followed.
    case tooManyRedirects(maximum: Int)
    /// A redirect that must not be followed.
    case refusedRedirect(String)
    /// A status other than success.
    case badStatus(Int, excerpt: String)
    /// An answer that is no HTTP, no JSON, or not what was to be decoded.
    case garbage(String)
    /// The client is one for tests or previews, and nothing was prepared for this request.
    case unprepared(String)
  }

  /// The request, without secrets; empty for an answer that was made up.
  public let request: String
  /// What went wrong.
  public let reason: Reason

  /// Says what went wrong with a request.
  public init(_ request: HTTPRequest, _ reason: Reason) {
    self.request = request.description
    self.reason = reason
  }

  init(_ response: HTTPResponse, _ reason: Reason) {
    request = response.request?.description ?? ""
    self.reason = reason
  }

  /// Whether the same request may succeed later: the server was out of reach, late, overloaded, or
  /// failed within.
  public var isTransient: Bool {
    switch reason {
    case .unreachable, .timedOut: true
    case .badStatus(let status, _): status == 408 || status == 429 || status >= 500
    default: false
    }
  }
}

extension HTTPError: CustomStringConvertible {
  /// The request and what went wrong, in one line.
  public var description: String { request.isEmpty ? text : "\(request): \(text)" }

  private var text: String {
    switch reason {
    case .invalidRequest(let problem): "not sent, \(problem)"
    case .unreachable(let cause): cause
    case .timedOut(let span): "no whole answer within \(span)"
    case .cancelled: "cancelled"
    case .tooLarge(let maximum): "the answer is longer than \(maximum) bytes"
    case .tooManyRedirects(let maximum): "more than \(maximum) redirects"
    case .refusedRedirect(let problem): "a redirect that is not followed, \(problem)"
    case .badStatus(let status, let excerpt):
      "status \(status)" + (excerpt.isEmpty ? "" : ": \(excerpt)")
    case .garbage(let finding): finding
    case .unprepared(let text): text
    }
  }
}
