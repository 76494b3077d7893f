import DuxStore
import DuxTesting
import Foundation
import Testing

@testable import Login

/// What the reducer makes of requests and answers; the test gives the answers.
struct SigningInTests {
  private let vault = TestVault()
  private let request = Authenticate(
    request: .first, way: .signIn, email: "ann@example.org", ticket: sampleTicket)

  @Test(arguments: [
    ("", "email_empty"), ("ann", "email_invalid"), ("@b.c", "email_invalid"),
    ("a@b", "email_invalid"), ("a@b@c.d", "email_invalid"), ("a b@c.d", "email_invalid"),
    ("a@.d", "email_invalid"),
  ])
  func anAddressIsCheckedBeforeAnybodyIsAsked(_ email: String, _ reason: String) async {
    let store = vault.store()
    await store.send(.signIn(email: email, ticket: sampleTicket), rejected: reason)
    await store.send(.signUp(email: email, ticket: sampleTicket), rejected: reason)
    #expect(await store.commands.isEmpty)
    await store.finish()
  }

  @Test func aPasswordInTheTicketsPlaceIsRefused() async {
    let store = vault.store()
    await store.send(
      .signIn(email: "ann@example.org", ticket: "correct horse"), rejected: "ticket_invalid")
    await store.finish()
  }

  @Test func oneSignInAtATimeGoesOn() async {
    let store = vault.store()
    await signIn(store)
    await store.send(
      .signUp(email: "bob@example.org", ticket: sampleTicket), rejected: "already_running")
    await store.answer(
      request, with: .authentication(.failed(request: .first, reason: .passwordWrong))
    ) {
      $0.authentication = nil
      $0.notice = Notice(.passwordWrong)
    }
    await store.send(.signIn(email: "ann@example.org", ticket: sampleTicket)) {
      $0.authentication = Request(id: .numbered(2))
      $0.notice = nil
    }
    await store.skipEffects()
    await store.finish()
  }

  @Test func whoIsSignedInIsAskedForOnceThereAreTokens() async {
    let store = vault.store()
    await signIn(store)
    await succeed(store)
    await store.send(
      .signIn(email: "bob@example.org", ticket: sampleTicket), rejected: "already_signed_in")
    await store.skipEffects()
    await store.finish()
  }

  @Test func onlyCommandsAnswerAndOnlyToWhatIsWaitedFor() async {
    let store = vault.store()
    await store.send(
      .authentication(.succeeded(request: .first, value: .sample)), rejected: "not_an_answer")
    await store.send(.profile(.succeeded(request: .first, value: .ann)), rejected: "not_an_answer")
    await store.finish()
    let reducer = SigningIn(challenge: Source("challenge") { nil })
    var state = LoginApp.State()
    #expect(throws: Rejection.self) {
      try reducer.reduce(
        into: &state, action: .authentication(.succeeded(request: .first, value: .sample)))
    }
  }

  @Test func tokensAreRenewedBeforeTheyExpire() async {
    let clock = TestClock()
    let store = vault.store(clock: clock)
    await signIn(store)
    await succeed(store)
    await clock.advance(by: .seconds(79))
    await store.send(.loadProfile) { $0.profile = Request(id: .numbered(3)) }
    await clock.advance(by: .seconds(1))
    await store.receive(.renew) { $0.renewal = Request(id: .numbered(4)) }
    await store.send(.renew)
    store.dependencies.date = .fixed(.dawn.addingTimeInterval(80))
    await store.answer(
      RenewTokens(request: .numbered(4), session: .first),
      with: .renewal(.succeeded(request: .numbered(4), value: .sample))
    ) {
      $0.renewal = nil
      $0.session?.expires = .dawn.addingTimeInterval(180)
      $0.session?.renewal = .dawn.addingTimeInterval(160)
    }
    await clock.advance(by: .seconds(80))
    await store.receive(.renew) { $0.renewal = Request(id: .numbered(5)) }
    await store.skipEffects()
    await store.finish()
  }

  @Test func aSessionThatCannotBeRenewedAnyMoreEndsWithAMessage() async {
    let store = vault.store()
    await signIn(store)
    await succeed(store)
    await store.send(.renew) { $0.renewal = Request(id: .numbered(3)) }
    await store.answer(
      RenewTokens(request: .numbered(3), session: .first),
      with: .renewal(.failed(request: .numbered(3), reason: .sessionExpired))
    ) {
      $0 = LoginApp.State(notice: Notice(.sessionExpired))
    }
    await store.answer(ForgetTokens(exceptOf: []), with: .forgotten)
    await store.finish()
  }

  @Test func aRenewalThatFailsIsTriedAgainLater() async {
    let clock = TestClock()
    let store = vault.store(clock: clock)
    await signIn(store)
    await succeed(store)
    await store.send(.renew) { $0.renewal = Request(id: .numbered(3)) }
    await store.answer(
      RenewTokens(request: .numbered(3), session: .first),
      with: .renewal(.failed(request: .numbered(3), reason: .unreachable))
    ) {
      $0.renewal = nil
      $0.notice = Notice(.unreachable)
      $0.session?.renewal = .dawn.addingTimeInterval(SigningIn.pause)
    }
    await clock.advance(by: .seconds(SigningIn.pause))
    await store.receive(.renew) { $0.renewal = Request(id: .numbered(4)) }
    await store.skipEffects()
    await store.finish()
  }

  @Test func anAccessTokenThatIsTooOldIsRenewed() async {
    let store = vault.store()
    await signIn(store)
    await succeed(store)
    await store.send(.loadProfile) { $0.profile = Request(id: .numbered(3)) }
    await store.answer(
      LoadProfile(request: .numbered(3), session: .first),
      with: .profile(.failed(request: .numbered(3), reason: .accessExpired))
    ) { $0.profile = nil }
    await store.receive(.renew) { $0.renewal = Request(id: .numbered(4)) }
    await store.skipEffects()
    await store.finish()
  }

  @Test func signingOutEndsWhateverGoesOn() async {
    let clock = TestClock()
    let store = vault.store(clock: clock)
    await signIn(store)
    await store.send(.signOut) { $0 = LoginApp.State() }
    await store.answer(ForgetTokens(exceptOf: []), with: .forgotten)
    #expect(await store.commands.isEmpty)
    await signIn(store, as: .numbered(2))
    await store.send(.signOut) { $0 = LoginApp.State() }
    await store.answer(ForgetTokens(exceptOf: []), with: .forgotten)
    await clock.advance(by: .seconds(1_000))
    await store.finish()
  }

  @Test func afterAStartTheSessionGoesOn() async {
    let clock = TestClock()
    let store = vault.store(clock: clock)
    let challenge = vault.vault.challenge()
    await signIn(store)
    await succeed(store)
    await store.send(.started) { $0.challenge = challenge }
    await store.answer(ForgetTokens(exceptOf: [.first]), with: .forgotten)
    await clock.advance(by: .seconds(80))
    await store.receive(.renew) { $0.renewal = Request(id: .numbered(3)) }
    await store.skipEffects()
    await store.finish()
  }

  private func signIn(
    _ store: TestStore<LoginApp.State, LoginApp.Action>, as id: UUID = .first
  ) async {
    await store.send(.signIn(email: "ann@example.org", ticket: sampleTicket)) {
      $0.authentication = Request(id: id)
    }
  }

  private func succeed(_ store: TestStore<LoginApp.State, LoginApp.Action>) async {
    await store.answer(
      request, with: .authentication(.succeeded(request: .first, value: .sample))
    ) {
      $0.authentication = nil
      $0.session = .sample()
    }
    await store.receive(.loadProfile) { $0.profile = Request(id: .numbered(2)) }
    await store.answer(
      LoadProfile(request: .numbered(2), session: .first),
      with: .profile(.succeeded(request: .numbered(2), value: .ann))
    ) {
      $0.profile = nil
      $0.session = .sample(user: .ann)
    }
  }
}
