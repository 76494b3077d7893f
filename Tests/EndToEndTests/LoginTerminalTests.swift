import DuxJSON
import Testing

/// Two terminals with dux-login, on one daemon with a login server of its own.
@Suite(.serialized, .enabled(if: TerminalSession.isAvailable, "needs tmux"))
struct LoginTerminalTests {
  private static let password = "correct horse battery"

  private func start() throws -> ExampleDaemon {
    try ExampleDaemon("login", ["dux-login-server"], "DUX_LOGIN")
  }

  private func terminal(on login: ExampleDaemon) throws -> TerminalSession {
    let terminal = try TerminalSession(
      [programs + "/dux-login", "--connect", "\(login.daemon.host):\(login.daemon.port)"],
      environment: ["DUX_LOGIN": login.address])
    try terminal.wait(for: "● live")
    return terminal
  }

  private func fillIn(_ terminal: TerminalSession, password: String) throws {
    try terminal.type("ann@example.org")
    try terminal.press("Tab")
    try terminal.type(password)
    try terminal.wait(for: String(repeating: "•", count: password.count))
  }

  @Test func whoSignsUpInOneIsSignedInOnTheOther() throws {
    let login = try start()
    let first = try terminal(on: login)
    let second = try terminal(on: login)
    try login.wait(at: "/challenge") { $0 != .null }
    try first.press("C-n")
    try fillIn(first, password: Self.password)
    #expect(try !first.screen().contains("horse"))
    try first.press("Enter")
    for terminal in [first, second] { try terminal.wait(for: "Welcome, ann@example.org") }
    try second.type("s")
    for terminal in [first, second] { try terminal.wait(for: "E-mail") }
    let log = try Client(login.daemon, named: nil).log().map { "\($0.actions)\($0.patch)" }
    #expect(log.contains { $0.contains("signUp") })
    #expect(!log.contains { $0.contains(Self.password) })
  }

  @Test func whatIsWrongIsSaid() throws {
    let login = try start()
    let first = try terminal(on: login)
    let second = try terminal(on: login)
    try login.wait(at: "/challenge") { $0 != .null }
    try fillIn(first, password: Self.password)
    try first.press("Enter")
    // A notice is in the state, so both are told.
    for terminal in [first, second] {
      try terminal.wait(for: "✗ there is no user with this e-mail address")
    }
    try second.type("ann")
    try second.press("Tab")
    try second.type("whatever")
    try second.press("Enter")
    try second.wait(for: "✗ this is no e-mail address")
    #expect(try !first.screen().contains("this is no e-mail address"))
  }

  @Test func aLoginServerThatDoesNotAnswerIsWaitedForUntilOneGivesUp() throws {
    let login = try start()
    let terminal = try terminal(on: login)
    try login.wait(at: "/challenge") { $0 != .null }
    login.pauseServer()
    try fillIn(terminal, password: Self.password)
    try terminal.press("Enter")
    try terminal.wait(for: "the password goes to the login server")
    try terminal.press("Escape")
    try terminal.wait { !$0.contains("the password goes") }
    login.resumeServer()
    try terminal.press("C-c")
    #expect(try terminal.waitForEnd() == .code(0))
  }
}
