import DuxHTTP
import DuxJSON
import DuxStore
import ExampleHTTP
import Foundation
import LoginServer
import Testing

@testable import Login

/// A login server, a vault and a store of the app that uses both.
struct LoginBench {
  static let password = "correct horse battery"

  let url: URL
  let place: TestVault
  let store: Store<LoginApp.State, LoginApp.Action>

  /// Runs a test with a server whose requests go through `door` first.
  static func run(
    accessLifetime: Duration = .seconds(3_600), refreshLifetime: Duration = .seconds(7_200),
    patience: Duration = .seconds(10),
    door: @escaping @Sendable (ServerRequest) async -> ServerResponse? = { _ in nil },
    _ body: (LoginBench) async throws -> Void
  ) async throws {
    var settings = LoginServer.Settings()
    settings.hashingCost = 1
    settings.accessLifetime = accessLifetime
    settings.refreshLifetime = refreshLifetime
    let server = try LoginServer(settings)
    try await HTTPServer.running { request in
      if let answer = await door(request) { return answer }
      return await server.respond(to: request)
    } body: { running in
      let bench = LoginBench(try #require(URL(string: running.url)), patience)
      defer { bench.store.close() }
      await bench.store.dispatch(.started).finish()
      try await body(bench)
    }
  }

  private init(_ url: URL, _ patience: Duration) {
    self.url = url
    place = TestVault()
    let client = LoginClient(url: url, patience: patience)
    let clerk = Clerk(server: client, vault: place.vault, retry: .impatient)
    store = Store(app: LoginApp(clerk: clerk), recording: .on)
  }

  /// Hands a password to the server, as a person does.
  func ticket(
    _ password: String = password, for challenge: String? = nil
  ) async throws -> String {
    let challenge = challenge ?? store.state.challenge ?? ""
    let answer = try await HTTPClient.live.post(
      url.appending(path: "api/ticket"),
      json: ["password": .string(password), "challenge": .string(challenge)]
    ).json()
    return try #require(answer["data"]?["ticket"]?.stringValue)
  }

  /// Waits until nothing is on its way any more but the timer.
  func settle() async {
    for await isIdle in store.values(of: \.isIdle) where isIdle { break }
  }

  /// Signs somebody up and waits for the end of it.
  func signUp(_ email: String = "ann@example.org", _ password: String = password) async throws {
    let ticket = try await ticket(password)
    try await store.dispatch(.signUp(email: email, ticket: ticket)).value.get()
    await settle()
  }

  /// Signs somebody in and waits for the end of it.
  func signIn(_ email: String = "ann@example.org", _ password: String = password) async throws {
    let ticket = try await ticket(password)
    try await store.dispatch(.signIn(email: email, ticket: ticket)).value.get()
    await settle()
  }

  /// All that others can see: the state and each action, as they are sent and written down.
  func visible() throws -> String {
    let actions = try store.log.map { entry in
      let (type, payload) = try ActionCoder.encode(entry.action)
      return "\(type) \(payload ?? .null)"
    }
    return try actions.joined(separator: "\n") + "\n\(StateCoder.encode(store.state))"
  }
}

extension LoginApp.State {
  fileprivate var isIdle: Bool {
    let isKnown = session == nil || session?.user != nil || notice != nil
    return isKnown && authentication == nil && renewal == nil && profile == nil
  }
}
