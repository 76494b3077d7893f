import DuxStore
import DuxTesting
import Testing

struct ReceivingTests {
  @Test func anEffectsActionIsReducedWhenItIsReceived() async {
    let store = TestStore.shop()
    await store.send(.load) { $0.isLoading = true }
    #expect(store.state.titles.isEmpty)
    await store.receive(.loaded(["Alien", "Brazil"])) {
      $0.isLoading = false
      $0.titles = ["Alien", "Brazil"]
    }
    await store.finish()
    #expect(store.log.map(\.seq) == [1, 2])
  }

  @Test func followUpsAreReceivedOneByOne() async {
    let store = TestStore.shop()
    await store.send(.both(1, 2))
    await store.receive(.add(1)) { $0.count = 1 }
    await store.receive(.add(2)) { $0.count = 3 }
    await store.finish()
  }

  @Test func anActionIsReceivedByItsCaseOrByWhatFits() async {
    let store = TestStore.shop()
    await store.send(.both(1, 2))
    let number = await store.receive(case: CasePath(Shop.Action.add)) { $0.count = 1 }
    #expect(number == 1)
    let action = await store.receive(where: { $0 != .nothing }, assert: { $0.count = 3 })
    #expect(action == .add(2))
    await store.finish()
  }

  @Test func aRejectedActionIsReceivedAsSuch() async {
    let store = TestStore.shop()
    await store.send(.refuseLater)
    await store.receive(.refuse, rejected: "unwanted")
    await store.finish()
  }

  @Test func anUnexpectedRejectionIsTold() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.refuseLater)
    await store.receive(.refuse)
    #expect(
      complaints.failures == [
        """
        .refuse was rejected: refuse is always refused (unwanted)
        If it should be, write: await store.receive(.refuse, rejected: "unwanted")
        """
      ])
    await store.finish()
  }

  @Test func withoutEffectsThereIsNothingToWaitFor() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.nothing)
    await store.receive(.add(1), timeout: .seconds(600))
    #expect(
      complaints.failures == [
        "expected to receive .add(1), but no effect runs and no action waits"
      ])
    await store.finish()
  }

  @Test func aTimeoutTellsWhatIsStillInFlight() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints) { $0.clock = TestClock() }
    await store.send(.hang)
    let line = #line - 1
    await store.receive(.add(1), timeout: .milliseconds(10))
    await store.send(.stop)
    await store.send(.ring(3))
    await store.receive(.rang(3), timeout: .milliseconds(10))
    #expect(
      complaints.failures == [
        """
        expected to receive .add(1) within 0.01 seconds; 1 effect still in flight:
          hang, started by .hang at ReceivingTests.swift:\(line)
        """,
        """
        expected to receive .rang(3) within 0.01 seconds; 1 effect still in flight:
          alarm, started by .ring(3) at ReceivingTests.swift:\(line + 4)
        The test clock stands still while something waits for it; write before it: \
        await clock.advance(by: …)
        """,
      ])
    await store.skipEffects()
    await store.finish()
  }

  @Test func anotherActionIsToldAndTakenInItsPlace() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.both(1, 2))
    let line = #line - 1
    await store.receive(.nothing)
    await store.receive(.add(2)) { $0.count = 3 }
    #expect(
      complaints.failures == [
        """
        expected to receive .nothing, but the next action is another one:
          .add(1), follow-up of .both(1, 2) at ReceivingTests.swift:\(line)
        """
      ])
    await store.finish()
  }

  @Test func actionsBeforeTheExpectedOneAreTold() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.both(1, 2))
    let line = #line - 1
    await store.receive(.add(2)) { $0.count = 3 }
    #expect(
      complaints.failures == [
        """
        expected to receive .add(2), but before it comes:
          .add(1), follow-up of .both(1, 2) at ReceivingTests.swift:\(line)
        Write before it: await store.receive(.add(1))
        """
      ])
    await store.finish()
  }

  @Test func aStateThatIsNotAsSaidIsTold() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.both(1, 2))
    await store.receive(.add(1)) { $0.count = 7 }
    await store.receive(.add(2))
    #expect(
      complaints.failures == [
        """
        .add(1) leads to another state:
          /count: expected 7, actual 1
        """,
        """
        .add(2) changes the state and the test says nothing of it:
          /count: was 1, is 3
        Write: await store.receive(.add(2)) { $0.count = 3 }
        """,
      ])
    await store.finish()
  }

  @Test func whatACancelledEffectSentIsNotReceived() async {
    let store = TestStore.shop()
    let sent = await store.send(.load) { $0.isLoading = true }
    await sent.cancel()
    #expect(sent.isCancelled)
    #expect(await store.lateActions == 1)
    await store.finish()
  }

  @Test func anActionThatTheWorldWakesIsWaitedFor() async {
    let (stream, world) = AsyncStream.makeStream(of: Int.self)
    let reducer = Reduce<Int, Int> { state, action in
      state = action
      guard action == 0 else { return .none }
      return .run("listen") { send in
        for await number in stream { await send(number) }
      }
    }
    let store = TestStore<Int, Int>(initialState: -1) { reducer }
    await store.send(0) { $0 = 0 }
    let speaker = Task.detached {
      for number in 1...3 { world.yield(number) }
      world.finish()
    }
    for number in 1...3 { await store.receive(number) { $0 = number } }
    await speaker.value
    await store.finish()
  }

  @MainActor
  @Test func aTestMayRunOnTheMainActor() async {
    let store = TestStore.shop()
    await store.send(.load) { $0.isLoading = true }
    await store.receive(case: CasePath(Shop.Action.loaded)) {
      $0 = Shop.State(titles: ["Alien", "Brazil"])
    }
    await store.finish()
  }

  @Test func nestedActionsReadAsTheyAreWritten() async {
    struct Row: Equatable, Sendable {
      var id: Int
      var tags: [String: Bool] = [:]
    }
    enum Inner: Equatable, Sendable { case rename(String?), put(Row, at: Int) }
    enum Outer: Equatable, Sendable { case row(id: String, action: Inner), both([Inner]) }
    let complaints = Complaints()
    let store = TestStore<Int, Outer>(initialState: 0, issues: { complaints.take($0) }) {
      Reduce<Int, Outer> { _, _ in .none }
    }
    await store.receive(.row(id: "a", action: .rename(nil)))
    await store.receive(.both([.rename("x"), .put(Row(id: 1, tags: ["b": true]), at: 2)]))
    #expect(
      complaints.failures == [
        #"expected to receive .row(id: "a", action: .rename(nil)), but no effect runs and "#
          + "no action waits",
        #"expected to receive .both([.rename("x"), .put(Row(id: 1, tags: ["b": true]), at: 2)]), "#
          + "but no effect runs and no action waits",
      ])
    await store.finish()
  }

  @Test(.timeLimit(.minutes(1)))
  func aTimeoutThatIsOverBeforeItBeginsEndsToo() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.hang)
    for _ in 1...1_000 { await store.receive(.nothing, timeout: .zero) }
    #expect(complaints.failures.count == 1_000)
    await store.skipEffects()
    await store.finish()
  }

  @Test func anActionFromAnotherThreadEndsTheWait() async {
    let store = TestStore<Int, Int>(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += 1
        guard action == 0 else { return .none }
        return .run { send in
          await Task.detached {
            for _ in 1...1_000 { await Task.yield() }
            await send(1)
          }.value
        }
      }
    }
    for _ in 1...20 {
      await store.send(0) { $0 += 1 }
      await store.receive(1) { $0 += 1 }
    }
    await store.finish()
  }
}
