import DuxHTTP
import DuxJSON
import ExampleHTTP
import Foundation
import LoginServer
import Synchronization
import Testing

/// A login server on a free port, whose time a test moves.
struct Harness {
  let url: URL
  private let time: TestTime

  /// The moment that the server takes for now.
  private final class TestTime: Sendable {
    private let offset = Mutex(Duration.zero)
    private let start = ContinuousClock.now

    var now: ContinuousClock.Instant { start + offset.withLock { $0 } }

    func advance(by span: Duration) { offset.withLock { $0 += span } }
  }

  /// Runs a test with a server.
  static func run(
    file: String? = nil, _ body: (Harness) async throws -> Void
  ) async throws {
    var settings = LoginServer.Settings()
    settings.hashingCost = 1
    settings.file = file
    let time = TestTime()
    let server = try LoginServer(settings) { time.now }.start()
    let harness = Harness(url: try #require(URL(string: server.url)), time: time)
    do {
      try await body(harness)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  func advance(by span: Duration) { time.advance(by: span) }

  /// Submits to a path below `/api`.
  func post(_ path: String, _ body: JSON) async throws -> JSON {
    try await HTTPClient.live.post(url.appending(path: "api/\(path)"), json: body).json()
  }

  func signUp(_ email: String, _ password: String) async throws -> JSON {
    try await post("emailSignup", ["email": .string(email), "password": .string(password)])
  }

  func signIn(_ email: String, _ password: String) async throws -> JSON {
    try await post("emailSignin", ["email": .string(email), "password": .string(password)])
  }

  func refresh(_ token: String) async throws -> JSON {
    try await post("refreshToken", ["refreshToken": .string(token)])
  }

  /// Asks who an access token belongs to.
  func me(_ token: String?) async throws -> JSON {
    try await HTTPClient.live.get(
      url.appending(path: "api/me"),
      headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    ).json()
  }
}

extension JSON {
  var code: JSON? { self["code"] }
  var access: String { self["data"]?["accessToken"]?.stringValue ?? "" }
  var refresh: String { self["data"]?["refreshToken"]?.stringValue ?? "" }
}
