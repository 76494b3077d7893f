import DuxHTTP
import DuxStore
import Foundation

/// The login server, as commands ask it.
///
/// What it throws is a ``LoginFailure`` and nothing else: a message of the network's could quote an
/// answer, and with it a token.
struct LoginClient: Sendable {
  let url: URL
  /// How long an answer may take.
  let patience: Duration

  @Dependency(\.http) private var http

  init(url: URL, patience: Duration = .seconds(10)) {
    self.url = url
    self.patience = patience
  }

  /// What the server answers with tokens.
  struct Tokens: Decodable {
    let accessToken: String
    let refreshToken: String
    let accessExpiresInMs: Int64
  }

  /// Creates an account, or signs in to one.
  func authenticate(
    _ command: Authenticate, verifier: String, key: String
  ) async throws -> Tokens {
    let path =
      switch command.way {
      case .signUp: "api/emailSignup"
      case .signIn: "api/emailSignin"
      }
    return try await post(
      path, ["email": command.email, "ticket": command.ticket, "verifier": verifier], key: key)
  }

  /// Exchanges a refresh token for new tokens.
  func refresh(_ token: String, key: String) async throws -> Tokens {
    try await post("api/refreshToken", ["refreshToken": token], key: key)
  }

  /// Who an access token belongs to.
  func user(accessToken: String) async throws -> User {
    try await perform(
      HTTPRequest(
        .get, url.appending(path: "api/me"), headers: ["authorization": "Bearer \(accessToken)"]))
  }

  private func post(_ path: String, _ body: [String: String], key: String) async throws -> Tokens {
    // The server knows a repeated request by its bytes, which must not depend on the process.
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try await perform(
      HTTPRequest(
        .post, url.appending(path: path),
        headers: ["content-type": "application/json", "idempotency-key": key],
        body: encoder.encode(body)))
  }

  private struct Reply<Value: Decodable>: Decodable {
    let code: Int
    let data: Value?
  }

  /// - Throws: a ``LoginFailure``; one that another try would not cure as ``DoNotRetry``.
  private func perform<Value: Decodable>(_ request: HTTPRequest) async throws -> Value {
    var request = request
    request.timeout = patience
    let failure: LoginFailure
    do throws(HTTPError) {
      let reply = try await http.perform(request).json(as: Reply<Value>.self)
      if let value = reply.data, reply.code == 0 { return value }
      failure = LoginFailure(code: reply.code)
    } catch {
      failure =
        switch error.reason {
        case .unreachable, .timedOut, .cancelled: .unreachable
        default: .serverFault
        }
    }
    throw failure.isTransient ? failure : DoNotRetry(failure)
  }
}
