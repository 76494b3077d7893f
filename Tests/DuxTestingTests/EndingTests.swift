import DuxStore
import DuxTesting
import Testing

struct EndingTests {
  @Test func finishTellsWhatWasNotReceived() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.load) { $0.isLoading = true }
    let line = #line - 1
    await store.finish()
    #expect(
      complaints.failures == [
        """
        1 action of effects not received:
          .loaded(["Alien", "Brazil"]), sent by an effect of .load at EndingTests.swift:\(line)
        Write: await store.receive(.loaded(["Alien", "Brazil"]))
        """
      ])
  }

  @Test func finishTellsWhatStillRuns() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.hang)
    let line = #line - 1
    await store.send(.buy(1))
    await store.finish(timeout: .milliseconds(10))
    #expect(
      complaints.failures == [
        """
        2 effects still in flight:
          hang, started by .hang at EndingTests.swift:\(line)
          command Buy {"number":1}, started by .buy(1) at EndingTests.swift:\(line + 2)
        End them, or write: await store.skipEffects()
        """
      ])
  }

  @Test func finishWaitsForEffectsThatEnd() async {
    let clock = TestClock()
    let store = TestStore.shop { $0.clock = clock }
    await store.send(.ring(1))
    async let advanced: Void = clock.advance(by: .seconds(1))
    await store.receive(.rang(1)) { $0.ticks = 1 }
    await advanced
    await store.finish()
  }

  @Test func aStoreThatWasNotFinishedFails() async {
    let complaints = Complaints()
    let line = #line + 1
    do { let store = TestStore.shop(complaints); await store.send(.both(1, 2)) }
    #expect(
      complaints.failures == [
        """
        the test store was not finished; end the test with: await store.finish()
        2 actions of effects not received:
          .add(1), follow-up of .both(1, 2) at EndingTests.swift:\(line)
          .add(2), follow-up of .both(1, 2) at EndingTests.swift:\(line)
        Write: await store.receive(.add(1))
        """
      ])
    #expect(complaints.issues.first?.sourceLocation.line == line)
  }

  @Test func nothingCanBeSentToAClosedOrFinishedStore() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.hang)
    await store.close()
    await store.send(.nothing)
    await store.finish()
    await store.receive(.nothing)
    #expect(
      complaints.failures == [
        ".nothing was sent after the test store was closed",
        ".nothing was expected after the test store was finished",
      ])
  }

  @Test func skippedActionsAreReducedAndSkippedEffectsCancelled() async {
    let store = TestStore.shop()
    await store.send(.both(1, 2))
    #expect(await store.skipReceivedActions() == [.add(1), .add(2)])
    store.assert { $0.count = 3 }
    await store.send(.hang)
    let line = #line - 1
    #expect(
      await store.skipEffects() == ["hang, started by .hang at EndingTests.swift:\(line)"])
    await store.skipReceivedActions(.ifAny)
    await store.skipEffects(.ifAny)
    await store.finish()
  }

  @Test func skippingNothingFails() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.skipReceivedActions()
    await store.skipEffects()
    await store.finish()
    #expect(
      complaints.failures == [
        "there are no received actions to skip", "there are no effects to skip",
      ])
  }

  @Test func assertTellsAnotherState() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    store.assert { $0.count = 0 }
    store.assert { $0.count = 1 }
    #expect(
      complaints.failures == ["the state is another one:\n  /count: expected 1, actual 0"])
    await store.finish()
  }

  @Test func aSentActionIsFinishedOrTellsWhy() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    let done = await store.send(.nothing)
    await done.finish()
    let hanging = await store.send(.hang)
    let line = #line - 1
    await hanging.finish(timeout: .milliseconds(10))
    #expect(
      complaints.failures == [
        """
        .hang has not come to its end:
        1 effect still in flight:
          hang, started by .hang at EndingTests.swift:\(line)
        End them, or write: await store.skipEffects()
        """
      ])
    await hanging.cancel()
    await hanging.finish()
    await store.finish()
    #expect(complaints.failures.count == 1)
  }
}
