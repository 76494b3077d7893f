import DuxHTTP
import DuxJSON
import Foundation
import Testing

/// The example `login` on a daemon.
struct LoginDaemonTests {
  private static let password = "correct horse battery"

  private func login(_ options: String...) throws -> ExampleDaemon {
    try ExampleDaemon("login", ["dux-login-server"] + options, "DUX_LOGIN")
  }

  /// Hands a password to the server, and gets a ticket for this daemon.
  private func ticket(_ login: ExampleDaemon) async throws -> JSON {
    let challenge = try login.wait(at: "/challenge") { $0 != .null }
    let url = try #require(URL(string: login.address + "/api/ticket"))
    let answer = try await HTTPClient.live.post(
      url, json: ["password": .string(Self.password), "challenge": challenge]
    ).json()
    return try #require(answer["data"]?["ticket"])
  }

  private func credentials(_ login: ExampleDaemon) async throws -> JSON {
    ["email": "ann@example.org", "ticket": try await ticket(login)]
  }

  /// The secrets of which nothing may be found anywhere else.
  private func secrets(_ login: ExampleDaemon) throws -> [String] {
    let vault = login.folder("vault")
    var secrets = [Self.password]
    for name in try names(in: vault) {
      let bytes = try contents(of: vault + "/" + name)
      guard let tokens = try? JSON(parsing: bytes) else {
        secrets.append(String(decoding: bytes, as: UTF8.self))
        continue
      }
      secrets += ["access", "refresh"].compactMap { tokens[$0]?.stringValue }
    }
    return secrets
  }

  @Test func aSessionOutlivesTheDaemon() async throws {
    let login = try login()
    try login.dispatch("signUp", try await credentials(login))
    let session = try login.wait(at: "/session") { $0["user"]?["id"] == 1 }
    try login.daemon.killAndStart()
    #expect(try login.wait(at: "/session") { _ in true } == session)
    try login.dispatch("renew")
    let renewed = try login.wait(at: "/session") { $0["expires"] != session["expires"] }
    #expect(renewed["id"] == session["id"])
    try login.dispatch("signOut")
    try login.wait(at: "/session") { $0 == .null }
    while try names(in: login.folder("vault")) != ["verifier"] {}
  }

  @Test func aSignUpGoesOnThatWasUnderWayWhenTheDaemonWasKilled() async throws {
    let login = try login()
    let credentials = try await credentials(login)
    login.pauseServer()
    try login.dispatch("signUp", credentials)
    try login.waitForRequest()
    let key = try commandKey(login)
    try login.daemon.kill()
    try login.daemon.start()
    #expect(try commandKey(login) == key)
    login.resumeServer()
    let state = try login.wait(at: "") {
      $0["session"]?["user"]?["id"] == 1 || $0["notice"] != .null
    }
    #expect(state["notice"] == .null)
    let log = try Client(login.daemon, named: nil).log().flatMap { $0.actions.arrayValue ?? [] }
    #expect(log.count { $0["type"] == "authentication/succeeded" } == 1)
  }

  /// The key of the one command that has not ended.
  private func commandKey(_ login: ExampleDaemon) throws -> String {
    let answer = try Client(login.daemon, named: nil).ask(["op": "effects"])
    let commands = (answer["effects"]?.arrayValue ?? []).filter { $0["name"] == "Authenticate" }
    return try #require(commands.count == 1 ? commands[0]["key"]?.stringValue : nil)
  }

  @Test func tokensAreRenewedByThemselvesAndAnExpiredSessionEndsWithAMessage() async throws {
    let login = try login("--access-lifetime", "1s", "--refresh-lifetime", "4s")
    try login.dispatch("signUp", try await credentials(login))
    let session = try login.wait(at: "/session") { $0["user"]?["id"] == 1 }
    try login.wait(at: "/session") { $0["expires"] != session["expires"] }
    login.pauseServer()
    try login.wait(at: "/renewal") { $0["isStarted"] == true }
    // The life of a token is real time, and the paused server can't be asked whether it is over.
    try await Task.sleep(for: .milliseconds(4_100))
    login.resumeServer()
    try login.wait(at: "/notice") { $0["reason"] == "session_expired" }
    #expect(try login.wait(at: "/session") { _ in true } == .null)
  }

  @Test func noFileOfTheDaemonAndNoMessageHoldsASecret() async throws {
    let login = try login()
    let witness = try Client(login.daemon, named: "witness")
    try witness.send(.subscribe(""))
    var credentials = try await credentials(login)
    // Who sends the password along by mistake finds it nowhere either.
    credentials = credentials.with("password", .string(Self.password))
    try login.dispatch("signUp", credentials)
    try login.wait(at: "/session") { $0["user"]?["id"] == 1 }
    var secrets = try secrets(login)
    #expect(secrets.count == 4)
    try login.dispatch("renew")
    try login.wait(at: "/renewal") { $0 == .null }
    secrets += try self.secrets(login)
    for wrong: JSON in [
      ["email": "ann@example.org", "ticket": .string(Self.password)],
      ["email": "ann@example.org", "password": .string(Self.password)],
      ["email": .string(Self.password), "ticket": .string(Self.password)],
    ] {
      let client = try Client(login.daemon, named: nil)
      let answer = try client.dispatch(["type": "signIn", "payload": wrong], n: 1)
      #expect(answer["op"] == "reject" || answer["op"] == "error", "\(answer)")
    }
    try witness.send(["op": "get", "id": 1, "path": "/session"])
    var seen: [String] = []
    while true {
      let message = try witness.next()
      seen.append(message.description)
      if message["id"] == 1 { break }
    }
    seen += try witness.log().map { "\($0.actions)\($0.patch)" }
    try login.daemon.stop()
    for name in try names(in: login.daemon.data) {
      seen.append(
        String(decoding: try contents(of: login.daemon.data + "/" + name), as: UTF8.self))
    }
    seen.append(login.daemon.errors)
    #expect(seen.contains { $0.contains("ann@example.org") })
    for secret in secrets {
      #expect(!secret.isEmpty && !seen.contains { $0.contains(secret) })
    }
  }
}
