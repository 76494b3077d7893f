import DuxHTTP
import DuxJSON
import DuxTerminal
import Foundation
import Synchronization
import Testing

@testable import DuxClient
@testable import Login
@testable import dux_login

/// The screens of dux-login: a state in, text out; keys in, actions out.
struct LoginScreenTests {
  /// The program on a terminal that isn't there, with a login server that isn't there either.
  private struct Terminal {
    var program: LoginProgram
    var shared = Shared(state: LoginApp.State(challenge: "the challenge"), client: "me")
    var size = Size(columns: 80, rows: 24)
    private let sent = Sent()

    private final class Sent: Sendable {
      let actions = Mutex<[LoginApp.Action]>([])
      let requests = Mutex<[HTTPRequest]>([])
    }

    /// - Parameter answer: what the server answers; nothing for one that never does.
    init(_ answer: HTTPResponse? = .json(["code": 0, "data": ["ticket": "1.abc"]])) {
      let server = URL(string: "http://login.test") ?? URL(filePath: "/")
      program = LoginProgram(
        desk: TicketDesk(
          server: server,
          http: HTTPClient { [sent] (request) throws(HTTPError) in
            sent.requests.withLock { $0.append(request) }
            if let answer { return answer }
            do { try await Task.sleep(for: .seconds(3_600)) } catch {}
            throw HTTPError(request, .cancelled)
          }))
    }

    private var dispatch: Dispatch<LoginApp.Action> {
      Dispatch { [sent] action in sent.actions.withLock { $0.append(action) } }
    }

    /// What has been dispatched since this was asked last.
    func dispatched() -> [LoginApp.Action] {
      sent.actions.withLock { actions in
        defer { actions = [] }
        return actions
      }
    }

    /// What the server was sent.
    func requests() -> [HTTPRequest] { sent.requests.withLock { $0 } }

    @discardableResult
    mutating func press(_ keys: Key...) -> Reaction {
      var reaction = Reaction.nothing
      for key in keys { reaction = program.take(.key(key), shared, dispatch) }
      return reaction
    }

    mutating func type(_ text: String) {
      for character in text { press(.character(character)) }
    }

    /// Fills the form in and sends it.
    mutating func send(_ password: String = "correct horse battery") {
      type("ann@example.org")
      press(Key(.tab))
      type(password)
      press(Key(.enter))
    }

    func draw() -> Grid { render(program.view(of: shared, in: size), size: size) }
    func lines() -> [String] { draw().lines }
    func shows(_ text: String) -> Bool { lines().contains { $0.contains(text) } }
  }

  private static let session = UUID()

  private static func signedIn(_ user: User? = User(id: 7, email: "ann@example.org")) -> Session {
    var session = Session(
      id: session, grant: Grant(lifetime: 90_000), now: .init(timeIntervalSince1970: 0))
    session.user = user
    return session
  }

  @Test func theFormHidesThePassword() {
    var terminal = Terminal()
    terminal.type("ann@example.org")
    terminal.press(Key(.tab))
    terminal.type("horse")
    let lines = terminal.lines()
    #expect(lines[0] == "  [Sign in]  New account")
    #expect(lines[2] == "  E-mail     ann@example.org")
    #expect(lines[4] == "  Password   •••••")
    #expect(terminal.draw().cursor == Position(row: 4, column: 18))
    #expect(!terminal.shows("horse"))
  }

  @Test(arguments: [(1, 1), (80, 24), (400, 120), (17, 3), (0, 0)])
  func everyScreenFitsInEverySize(_ columns: Int, _ rows: Int) async {
    for session in [nil, Self.signedIn(), Self.signedIn(nil)] {
      var terminal = Terminal(.json(["code": -1]))
      terminal.size = Size(columns: columns, rows: rows)
      terminal.send()
      #expect(terminal.draw().size == terminal.size)
      await terminal.program.errand.ended()
      terminal.shared.state.session = session
      terminal.shared.state.notice = Notice(.serverFault)
      terminal.shared.state.renewal = Request(id: UUID())
      #expect(terminal.draw().size == terminal.size)
      terminal.press(Key(.function(1)))
      #expect(terminal.draw().size == terminal.size)
    }
  }

  @Test func thePasswordGoesToTheLoginServerAndTheTicketIntoTheAction() async {
    var terminal = Terminal()
    terminal.send()
    #expect(terminal.program.password.isEmpty)
    await terminal.program.errand.ended()
    #expect(terminal.dispatched() == [.signIn(email: "ann@example.org", ticket: "1.abc")])
    let request = terminal.requests().first
    #expect(request?.url.absoluteString == "http://login.test/api/ticket")
    #expect(
      request?.body.map { String(decoding: $0, as: UTF8.self) }
        == #"{"challenge":"the challenge","password":"correct horse battery"}"#)
  }

  @Test func aNewAccountIsAskedForInTheSameWay() async {
    var terminal = Terminal()
    terminal.press(.control("n"))
    #expect(terminal.shows("[New account]"))
    terminal.send()
    await terminal.program.errand.ended()
    #expect(terminal.dispatched() == [.signUp(email: "ann@example.org", ticket: "1.abc")])
  }

  @Test func enterGoesOnToThePasswordFirst() {
    var terminal = Terminal()
    terminal.type("ann@example.org")
    terminal.press(Key(.enter))
    #expect(terminal.program.focus.field == .password)
    #expect(terminal.requests().isEmpty)
  }

  @Test func nothingIsDispatchedBeforeTheFormIsSent() {
    var terminal = Terminal()
    terminal.type("ann")
    terminal.press(Key(.backTab), "x", Key(.up), .control("n"), Key(.escape))
    #expect(terminal.dispatched() == [])
  }

  @Test func theTicketIsWaitedForWithASpinnerAndCanBeGivenUp() async {
    var terminal = Terminal(nil)
    terminal.send()
    #expect(terminal.shows("the password goes to the login server"))
    #expect(terminal.program.redrawInterval(terminal.shared) == .milliseconds(100))
    terminal.type("more")
    #expect(terminal.program.password.isEmpty)
    terminal.press(Key(.escape))
    #expect(!terminal.shows("the password goes"))
    #expect(terminal.program.redrawInterval(terminal.shared) == nil)
    #expect(terminal.dispatched() == [])
  }

  @Test func aFailureOfTheServerIsShownWithoutItsWords() async {
    for (answer, text) in [
      (HTTPResponse.json(["code": 31]), "✗ a password has 8 to 256 bytes"),
      (.json(["code": 999, "message": "secret"]), "✗ the login server has a fault"),
      (.json(["token": "secret"]), "✗ the login server has a fault"),
      (HTTPResponse(status: 500), "✗ the login server has a fault"),
    ] {
      var terminal = Terminal(answer)
      terminal.send()
      _ = terminal.lines()
      await terminal.program.errand.ended()
      // The screen shows the spinner still, so it will be drawn again.
      #expect(terminal.program.redrawInterval(terminal.shared) != nil)
      #expect(terminal.shows(text) && !terminal.shows("secret"))
      #expect(terminal.program.redrawInterval(terminal.shared) == nil)
      #expect(terminal.dispatched() == [])
    }
  }

  @Test func noPasswordIsHandedInForADaemonThatCannotTakeTheTicket() {
    for isThere in [true, false] {
      var terminal = Terminal()
      if isThere {
        terminal.shared.state.challenge = nil
      } else {
        terminal.shared.status = .connecting
      }
      terminal.send()
      #expect(terminal.shows("✗ the daemon can't be asked just now"))
      #expect(terminal.requests().isEmpty && !terminal.program.password.isEmpty)
    }
  }

  @Test func theStepsOfARequestAreShown() {
    var terminal = Terminal()
    terminal.shared.state.authentication = Request(id: UUID())
    #expect(terminal.shows("the daemon has the ticket"))
    #expect(terminal.program.redrawInterval(terminal.shared) == .milliseconds(100))
    terminal.shared.state.authentication?.isStarted = true
    #expect(terminal.shows("the daemon signs in with the ticket"))
    terminal.shared.state.authentication = nil
    terminal.shared.state.notice = Notice(.passwordWrong)
    #expect(terminal.shows("✗ the password is wrong"))
    #expect(terminal.program.redrawInterval(terminal.shared) == nil)
    let refusal = RemoteRefusal(
      code: "rejected", reason: "email_invalid", message: "this is no e-mail address")
    _ = terminal.program.take(settled: .rejected(refusal), of: [], terminal.shared)
    #expect(terminal.shows("✗ this is no e-mail address"))
    terminal.type("a")
    #expect(!terminal.shows("this is no e-mail address"))
  }

  @Test func theStateSaysWhichScreenIsSeen() {
    var terminal = Terminal()
    terminal.type("somebody@")
    terminal.press(Key(.tab))
    terminal.type("secret")
    terminal.shared.state.session = Self.signedIn()
    #expect(terminal.lines()[0] == "  Welcome, ann@example.org")
    #expect(terminal.lines()[1] == "  account 7")
    #expect(terminal.shows("good for 90 s more"))
    #expect(terminal.program.redrawInterval(terminal.shared) == .seconds(1))
    terminal.press("r", "p", "s")
    #expect(terminal.dispatched() == [.renew, .loadProfile, .signOut])
    terminal.shared.state.session = nil
    #expect(terminal.shows("somebody@") && terminal.program.password.isEmpty)
  }

  @Test func theHomeSaysWhatItDoesNotKnowYet() {
    var terminal = Terminal()
    terminal.shared.state.session = Self.signedIn(nil)
    terminal.shared.state.profile = Request(id: UUID())
    terminal.shared.nowMs = 200_000
    #expect(terminal.shows("whose account it is, is not known yet"))
    #expect(terminal.shows("the login server is asked who it is"))
    #expect(terminal.shows("The access is over."))
    #expect(terminal.press("q") == .quit)
  }
}
