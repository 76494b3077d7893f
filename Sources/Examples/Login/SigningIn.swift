import DuxStore
import Foundation

/// Who is signed in, and what is asked of the login server for it.
struct SigningIn: Reducer {
  typealias State = LoginApp.State
  typealias Action = LoginApp.Action

  /// What the vault can use tickets for; it is read while an action is reduced, so it is written
  /// down, and a replay needs no vault.
  let challenge: Source<String?>
  /// How long to wait when tokens could not be renewed.
  static let pause: TimeInterval = 30

  @Dependency(\.uuid) private var uuid
  @Dependency(\.date) private var date
  @Dependency(\.clock) private var clock

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .signUp(let email, let ticket):
      return try authenticate(.signUp, email, ticket, &state)
    case .signIn(let email, let ticket):
      return try authenticate(.signIn, email, ticket, &state)
    case .signOut: return signOut(&state, because: nil)
    case .renew: return renew(&state)
    case .loadProfile: return loadProfile(&state)
    case .authentication(let answer):
      try check(answer.request, is: &state.authentication)
      return take(answer, &state)
    case .renewal(let answer):
      try check(answer.request, is: &state.renewal)
      return takeRenewal(answer, &state)
    case .profile(let answer):
      try check(answer.request, is: &state.profile)
      return takeProfile(answer, &state)
    case .forgotten: return .none
    case .started: return start(&state)
    }
  }

  /// Goes on after a start: commands do so by themselves, the timer does not.
  private func start(_ state: inout State) -> Effect<Action> {
    state.challenge = challenge()
    let sessions = [state.session?.id, state.authentication?.id].compactMap { $0 }
    return .merge(.command(ForgetTokens(exceptOf: sessions)), timer(state.session))
  }
}

/// Asking.
extension SigningIn {
  private func authenticate(
    _ way: Authenticate.Way, _ email: String, _ ticket: String, _ state: inout State
  ) throws -> Effect<Action> {
    guard state.session == nil else {
      throw Rejection(reason: "already_signed_in", message: "sign out first")
    }
    guard state.authentication == nil else {
      throw Rejection(reason: "already_running", message: "somebody is signing in")
    }
    try Email.check(email)
    try Ticket.check(ticket)
    let request = Request(id: uuid())
    state.authentication = request
    state.notice = nil
    return .command(
      Authenticate(request: request.id, way: way, email: email, ticket: ticket))
  }

  private func renew(_ state: inout State) -> Effect<Action> {
    guard let session = state.session, state.renewal == nil else { return .none }
    let request = Request(id: uuid())
    state.renewal = request
    return .command(RenewTokens(request: request.id, session: session.id))
  }

  private func loadProfile(_ state: inout State) -> Effect<Action> {
    guard let session = state.session, state.profile == nil else { return .none }
    let request = Request(id: uuid())
    state.profile = request
    return .command(LoadProfile(request: request.id, session: session.id))
  }

  /// Ends whatever goes on, and leaves nothing of it.
  private func signOut(
    _ state: inout State, because failure: LoginFailure?
  ) -> Effect<Action> {
    state = State(challenge: state.challenge, notice: failure.map { Notice($0) })
    return .concatenate(.cancelAll, .command(ForgetTokens(exceptOf: [])))
  }

  /// Renews the tokens in time.
  private func timer(_ session: Session?) -> Effect<Action> {
    guard let session else { return .none }
    let wait = max(0, session.renewal.timeIntervalSince(date()))
    return .run("renewal timer") { send in
      try await clock.sleep(for: .milliseconds(Int64(wait * 1_000)))
      await send(.renew)
    }
    .cancellable("timer", .takeLatest)
  }
}

/// Taking answers.
extension SigningIn {
  /// Sees that an answer is one to the request that waits for it.
  private func check(_ id: UUID, is request: inout Request?) throws {
    guard request?.id == id else {
      throw Rejection(reason: "unknown_request", message: "nobody waits for an answer to \(id)")
    }
    request?.isStarted = true
  }

  private func take(_ answer: Answer<Grant>, _ state: inout State) -> Effect<Action> {
    switch answer {
    case .started: return .none
    case .succeeded(let request, let grant):
      state.authentication = nil
      state.session = Session(id: request, grant: grant, now: date())
      return .merge(timer(state.session), .send(.loadProfile))
    case .failed(_, let failure):
      state.authentication = nil
      state.notice = Notice(failure)
      return .none
    }
  }

  private func takeRenewal(_ answer: Answer<Grant>, _ state: inout State) -> Effect<Action> {
    switch answer {
    case .started: return .none
    case .succeeded(_, let grant):
      state.renewal = nil
      state.session?.renew(grant, now: date())
      return .merge(timer(state.session), state.session?.user == nil ? .send(.loadProfile) : .none)
    case .failed(_, .sessionExpired): return signOut(&state, because: .sessionExpired)
    case .failed(_, let failure):
      state.renewal = nil
      state.notice = Notice(failure)
      state.session?.renewal = date().addingTimeInterval(Self.pause)
      return timer(state.session)
    }
  }

  private func takeProfile(_ answer: Answer<User>, _ state: inout State) -> Effect<Action> {
    switch answer {
    case .started: return .none
    case .succeeded(_, let user):
      state.profile = nil
      state.session?.user = user
      return .none
    case .failed(_, .sessionExpired): return signOut(&state, because: .sessionExpired)
    case .failed(_, .accessExpired):
      state.profile = nil
      return .send(.renew)
    case .failed(_, let failure):
      state.profile = nil
      state.notice = Notice(failure)
      return .none
    }
  }
}
