import DuxStore
import DuxTesting
import Foundation
import Testing

@testable import Navigator

/// The form in steps, whose entries outlive its screens.
struct SignUpFlowTests {
  private let clock = TestClock()
  private let draft = UUID.numbered(1)
  private let flow = minted(2)

  private let name = SignUpStep.Action.name(.enter(first: "Ada", last: " Lovelace "))
  private let birth = SignUpStep.Action.dateOfBirth(.enter("1990-12-31"))

  private func opened() async -> HomeStore {
    let store = homeStore(clock: clock)
    await store.send(.route(id: .root, action: .menu(.signUp))) { [draft, flow] in
      try $0.drafts.append(SignUpDraft(id: draft))
      try $0.routes.present(.signUp(SignUpFlow.State(draft: draft)), as: .cover, id: flow)
    }
    return store
  }

  /// Fills everything in, and stands at the last step.
  private func filled() async -> HomeStore {
    let store = await opened()
    store.exhaustivity = .partial
    await store.send(.step(flow, .root, .name(.complete(first: "Ada", last: "Lovelace"))))
    await store.send(.step(flow, minted(3), .dateOfBirth(.complete("1990-12-31"))))
    await store.send(.step(flow, minted(4), .job(.complete("Engineer"))))
    store.exhaustivity = .strict
    return store
  }

  @Test func whatIsEnteredGoesToTheDraftAndNotToTheScreen() async {
    let store = await opened()
    await store.send(.step(flow, .root, name)) { [draft] in
      $0.drafts[id: draft]?.firstName = "Ada"
      $0.drafts[id: draft]?.lastName = "Lovelace"
    }
    #expect(store.state.openDraft?.lastName == "Lovelace")
    await store.finish()
  }

  @Test func aStepNeedsWhatItAsksFor() async {
    let store = await opened()
    await store.send(
      .step(flow, .root, .name(.complete(first: "Ada", last: " "))), rejected: "incomplete")
    #expect(store.state.way == ["menu", "name"])
    await store.send(
      .step(flow, .root, .name(.enter(first: String(repeating: "x", count: 101), last: ""))),
      rejected: "too_long")
    await store.send(.step(flow, .root, birth), rejected: "target_gone")
    await store.finish()
  }

  @Test(arguments: [
    "1990-02-29", "1990-13-01", "90-01-01", "1990-1-01", "x", "2000-00-01", "-990-01-01",
  ])
  func aDateIsOne(text: String) async {
    let store = await filled()
    await store.withExhaustivity(.partial) { await store.send(.back()) }
    await store.withExhaustivity(.partial) { await store.send(.back()) }
    await store.send(.step(flow, minted(3), .dateOfBirth(.enter(text))), rejected: "bad_date")
    await store.send(.step(flow, minted(3), .dateOfBirth(.complete(text))), rejected: "bad_date")
    await store.finish()
  }

  @Test func aStepIsCompleteWithAllThatItAsksFor() async {
    let store = await filled()
    store.exhaustivity = .partial
    await store.send(.back())
    await store.send(.step(flow, minted(4), .job(.complete("Pilot"))), rejected: "unknown_job")
    await store.send(.step(flow, minted(4), .job(.choose("Baker")))) { [draft] in
      $0.drafts[id: draft]?.job = "Baker"
    }
    await store.send(.back())
    await store.send(.step(flow, minted(3), .dateOfBirth(.complete(""))), rejected: "incomplete")
    await store.send(.step(flow, minted(3), .dateOfBirth(.enter("")))) { [draft] in
      $0.drafts[id: draft]?.dateOfBirth = ""
    }
    await store.send(.open(link: "signUp/final"))
    let (outer, inner) = (store.state.routes.top.id, store.state.trail.last?.inner ?? "")
    await store.send(.step(outer, inner, .final(.submit)), rejected: "incomplete")
    await store.finish()
  }

  @Test func theStepsLeadToTheEndAndTheFormIsSentIn() async {
    let store = await filled()
    #expect(store.state.way == ["menu", "name", "dateOfBirth", "job", "final"])
    await store.send(.step(flow, minted(5), .final(.done)), rejected: "not_submitted")
    await store.send(.step(flow, minted(5), .final(.submit))) { [draft] in
      $0.drafts[id: draft]?.status = .submitting
    }
    await store.send(.step(flow, minted(5), .final(.submit)), rejected: "submitting")
    await clock.advance(by: Home.pretendedDelay)
    await store.receive(.submitted(draft: draft)) { [draft] in
      $0.drafts[id: draft]?.status = .submitted
    }
    await store.send(.step(flow, minted(5), .final(.submit)), rejected: "submitted")
    await store.send(.step(flow, minted(5), .final(.done))) { [draft] in
      $0.drafts.remove(id: draft)
      $0.routes.goBackToRoot()
    }
    await store.finish()
  }

  @Test func aStepIsChangedByGoingBackToIt() async {
    let store = await filled()
    await store.withExhaustivity(.partial) {
      await store.send(.step(flow, minted(5), .final(.change(step: "name"))))
    }
    #expect(store.state.way == ["menu", "name"])
    #expect(store.state.openDraft?.job == "Engineer")
    await store.send(.step(flow, .root, .name(.enter(first: "Ann", last: "Lovelace")))) { [draft] in
      $0.drafts[id: draft]?.firstName = "Ann"
    }
    await store.finish()
  }

  @Test func aStepThatIsNotBelowCanNotBeGoneBackTo() async {
    let store = await filled()
    let change = SignUpStep.Action.final(.change(step: "address"))
    await store.send(.step(flow, minted(5), change), rejected: "nav_no_such_route")
    await store.finish()
  }

  @Test func aDraftOutlivesTheFormAndIsFoundAgain() async {
    let store = await filled()
    store.exhaustivity = .partial
    await store.send(.nav(.goBackToRoot()))
    #expect(store.state.way == ["menu"])
    await store.send(.route(id: .root, action: .menu(.signUp)))
    #expect(store.state.openDraft?.id == draft)
    #expect(store.state.openDraft?.lastName == "Lovelace")
    #expect(store.state.way == ["menu", "name"])
    await store.finish()
  }

  @Test func aFormThatIsOnItsWayArrivesThoughItWasClosed() async {
    let store = await filled()
    await store.withExhaustivity(.partial) {
      await store.send(.step(flow, minted(5), .final(.submit)))
      await store.send(.nav(.dismissAll()))
    }
    await clock.advance(by: Home.pretendedDelay)
    await store.receive(.submitted(draft: draft)) { [draft] in
      $0.drafts[id: draft]?.status = .submitted
    }
    await store.finish()
  }

  @Test func whatWasOnItsWayAtAStopHasFailedAndIsSentInAgain() async {
    var state = Home.State()
    var open = SignUpDraft(id: draft)
    (open.firstName, open.lastName) = ("Ada", "Lovelace")
    (open.dateOfBirth, open.job, open.status) = ("1990-12-31", "Baker", .submitting)
    try? state.drafts.append(open)
    let store = homeStore(clock: clock, state)
    await store.send(.resume) { [draft] in
      $0.drafts[id: draft]?.status = .failed
    }
    await store.withExhaustivity(.partial) { await store.send(.open(link: "signUp/final")) }
    let (outer, inner) = (store.state.routes.top.id, store.state.trail.last?.inner ?? "")
    await store.send(.step(outer, inner, .final(.submit))) { [draft] in
      $0.drafts[id: draft]?.status = .submitting
    }
    await clock.advance(by: Home.pretendedDelay)
    await store.receive(.submitted(draft: draft)) { [draft] in
      $0.drafts[id: draft]?.status = .submitted
    }
    await store.finish()
  }
}
