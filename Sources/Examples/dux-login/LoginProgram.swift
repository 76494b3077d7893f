import DuxClient
import DuxStore
import DuxTerminal
import Login

/// What a terminal shows of the app `login`, and what its keys do.
///
/// Which screen is seen follows from the state: who is signed in is so on all terminals. What is typed
/// into the form is this terminal's; the password leaves it for the login server alone.
struct LoginProgram: TerminalProgram {
  typealias State = LoginApp.State
  typealias Action = LoginApp.Action

  /// What the form is for.
  enum Way: String, CaseIterable, Sendable {
    case signIn = "Sign in"
    case signUp = "New account"
  }

  enum Field: CaseIterable {
    case email, password
  }

  var way = Way.signIn
  var focus = Focus(Field.email)
  var email = Draft()
  var password = Draft()
  var isHelpShown = false
  /// The last refusal, until a key is pressed; the errand's failure stays as long.
  var refusal: String?
  let desk: TicketDesk
  let errand = TicketErrand()

  init(desk: TicketDesk) { self.desk = desk }

  /// Often while a spinner turns, and for the time that the access is good.
  func redrawInterval(_ shared: Shared<State>) -> Duration? {
    if errand.isShownRunning { return .milliseconds(Spinner.frameMs) }
    switch shared.status {
    case .live: break
    case .ended: return nil
    case .connecting, .stale, .offline: return .seconds(1)
    }
    let state = shared.state
    if [state.authentication, state.renewal, state.profile].contains(where: { $0 != nil }) {
      return .milliseconds(Spinner.frameMs)
    }
    return state.session == nil ? nil : .seconds(1)
  }

  mutating func take(
    settled outcome: RemoteOutcome, of actions: [WireAction], _ shared: Shared<State>
  ) -> Reaction {
    guard let problem = outcome.problem else { return .nothing }
    refusal = problem.message
    return .redraw
  }

  mutating func take(
    _ event: InputEvent, _ shared: Shared<State>, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    if case .key = event { forgetFailures() }
    if event == .key(.control("c")) { return .quit }
    if isHelpShown {
      guard case .key = event else { return .nothing }
      isHelpShown = false
      return .redraw
    }
    guard shared.state.session == nil else {
      // Somebody has signed in elsewhere: what was typed here is no longer of use.
      password.clear()
      return takeHome(event, dispatch)
    }
    return takeForm(event, shared, dispatch)
  }
}

extension LoginProgram {
  private mutating func forgetFailures() {
    refusal = nil
    if !errand.isRunning { errand.giveUp() }
  }

  private mutating func takeHome(
    _ event: InputEvent, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    switch LoginKeys.home[event] {
    case .signOut: dispatch(.signOut)
    case .renew: dispatch(.renew)
    case .loadProfile: dispatch(.loadProfile)
    case .help: isHelpShown = true
    case .quit: return .quit
    default: return .nothing
    }
    return .redraw
  }

  private mutating func takeForm(
    _ event: InputEvent, _ shared: Shared<State>, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    switch LoginKeys.form[event] {
    case .giveUp: errand.giveUp()
    case .help: isHelpShown = true
    case _ where errand.isRunning: return .nothing
    case .enter where focus.field == .email && password.isEmpty: focus.field = .password
    case .enter: send(shared, dispatch)
    case .next: focus.moveForward()
    case .previous: focus.moveBackward()
    case .changeWay: way = way == .signIn ? .signUp : .signIn
    default:
      switch focus.field {
      case .email: return email.take(event) ? .redraw : .nothing
      case .password: return password.take(event) ? .redraw : .nothing
      }
    }
    return .redraw
  }

  /// Hands the password in for a ticket, and dispatches that.
  private mutating func send(_ shared: Shared<State>, _ dispatch: Dispatch<Action>) {
    guard shared.state.authentication == nil else { return }
    // A ticket does not keep, so there is none to be had for a daemon that can't take it now.
    guard case .live = shared.status, let challenge = shared.state.challenge else {
      refusal = "the daemon can't be asked just now"
      return
    }
    errand.begin { [desk, password = password.text] () throws(LoginFailure) in
      try await desk.ticket(for: password, challenge: challenge)
    } use: { [way, email = email.text] ticket in
      switch way {
      case .signIn: dispatch(.signIn(email: email, ticket: ticket))
      case .signUp: dispatch(.signUp(email: email, ticket: ticket))
      }
    }
    password.clear()
  }
}
