import DuxStore
import DuxTesting
import Testing

struct ExhaustivityTests {
  @Test func inPartialModeOnlyWhatIsSaidMustHold() async {
    let store = TestStore.shop()
    store.exhaustivity = .partial
    await store.send(.load)
    await store.send(.both(1, 2))
    await store.receive(.add(2)) { $0.count = 3 }
    await store.send(.hang)
    store.assert { $0.titles = ["Alien", "Brazil"] }
    await store.finish()
  }

  @Test func inPartialModeAClosureSaysWhatIsAfterwards() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    store.exhaustivity = .partial
    var runs = 0
    await store.send(.add(2)) {
      runs += 1
      $0.count = 2
    }
    #expect(runs == 1)
    await store.send(.add(2)) { $0.count += 2 }
    await store.send(.add(2)) { $0.count = 7 }
    #expect(
      complaints.failures == [
        ".add(2) leads to another one:\n  /count: expected 6, actual 4",
        ".add(2) leads to another one:\n  /count: expected 7, actual 6",
      ])
    await store.finish()
  }

  @Test func aRejectionIsToldInPartialModeToo() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    store.exhaustivity = .partial
    await store.send(.refuse)
    #expect(complaints.failures.count == 1)
    await store.finish()
  }

  @Test func reportingTellsWhatWasLeftOut() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    store.exhaustivity = .partialReporting
    await store.send(.both(1, 2))
    let line = #line - 1
    await store.receive(.add(2))
    await store.send(.both(3, 4))
    await store.send(.hang)
    await store.finish()
    #expect(complaints.failures.isEmpty)
    #expect(
      complaints.reports == [
        ".add(2) changes, said by the test or not:\n  /count: was 1, is 3",
        """
        not received before .add(2):
          .add(1), follow-up of .both(1, 2) at ExhaustivityTests.swift:\(line)
        """,
        """
        not received before sending .hang:
          .add(3), follow-up of .both(3, 4) at ExhaustivityTests.swift:\(line + 3)
          .add(4), follow-up of .both(3, 4) at ExhaustivityTests.swift:\(line + 3)
        """,
        """
        1 effect still in flight:
          hang, started by .hang at ExhaustivityTests.swift:\(line + 4)
        End them, or write: await store.skipEffects()
        """,
      ])
  }

  @Test func aBlockHasItsOwnMode() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.withExhaustivity(.partial) {
      await store.send(.add(1))
    }
    #expect(complaints.failures.isEmpty)
    await store.send(.add(1))
    #expect(complaints.failures.count == 1)
    await store.finish()
  }
}
