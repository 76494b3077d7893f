import DuxStore

/// The way in for what others ask.
///
/// Only commands answer. And an action is written down as the app understood it: a member that it
/// does not know, a password by mistake, stays out of the log.
struct Gate: Middleware {
  typealias State = LoginApp.State
  typealias Action = LoginApp.Action

  let name = "gate"

  func process(
    _ action: Action, in state: State, _ context: DispatchContext
  ) throws -> Passage<Action> {
    guard context.origin == .outside else { return .pass() }
    switch action {
    case .authentication, .renewal, .profile, .forgotten:
      throw Rejection(reason: "not_an_answer", message: "only commands answer")
    case .signUp, .signIn, .signOut, .renew, .loadProfile, .started:
      return .replace(with: action)
    }
  }
}
