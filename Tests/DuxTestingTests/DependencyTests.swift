import DuxJSON
import DuxStore
import DuxTesting
import Foundation
import Testing

struct DependencyTests {
  @Test func whatIsNotGivenFailsWhenItIsUsedWithItsName() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.stamp) { $0.stamps = [Date(timeIntervalSince1970: 0)] }
    await store.send(.ring(1))
    await store.receive(.rang(1)) { $0.ticks = 1 }
    await store.finish()
    #expect(
      Set(complaints.failures) == [
        "the dependency \"date\" is used, and no value was given for it",
        "the dependency \"clock\" is used, and no value was given for it",
      ])
  }

  @Test func dependenciesMayChangeBetweenTwoSends() async {
    let (first, second) = (Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
    let store = TestStore.shop { $0.date = .fixed(first) }
    await store.send(.stamp) { $0.stamps = [first] }
    store.dependencies.date = .fixed(second)
    await store.send(.stamp) { $0.stamps = [first, second] }
    await store.finish()
    #expect(store.log.map { $0.inputs["date"] } == [[.integer(1_000)], [.integer(2_000)]])
  }

  @Test func theTestClockMovesEffectsOnExactly() async {
    let clock = TestClock()
    let store = TestStore.shop { $0.clock = clock }
    for number in [3, 1, 2] { await store.send(.ring(number)) }
    #expect(clock.sleeperCount == 3)
    await clock.advance(by: .seconds(3))
    #expect(clock.sleeperCount == 0)
    await store.receive(.rang(1)) { $0.ticks = 1 }
    await store.receive(.rang(2)) { $0.ticks = 2 }
    await store.receive(.rang(3)) { $0.ticks = 3 }
    await store.finish()
  }

  @Test func aClockGivenLaterIsFollowedToo() async {
    let store = TestStore.shop()
    let clock = TestClock()
    store.dependencies.clock = clock
    await store.send(.ring(1))
    await clock.advance(by: .seconds(1))
    await store.receive(.rang(1), timeout: .zero) { $0.ticks = 1 }
    await store.finish()
  }

  @Test func anEffectThatFailsWithoutACatchIsToldToTheTest() async {
    struct Fault: Error {}
    let complaints = Complaints()
    let store = TestStore<Int, String>(initialState: 0, issues: { complaints.take($0) }) {
      Reduce<Int, String> { _, action in
        action == "go" ? .run("fetch") { _ in throw Fault() } : .none
      }
    }
    await store.send("go")
    await store.finish()
    #expect(
      complaints.failures == [
        "the effect \"fetch\" of the action String failed and has no catch: Fault()"
      ])
  }

  @Test func theSameTestRunsItsEffectsInTheSameOrder() async {
    let reducer = Reduce<[Int], Int> { state, action in
      state.append(action)
      guard action == 0 else { return .none }
      return .merge(
        (1...8).map { number in
          .run("number \(number)") { send in
            for _ in 0..<(number % 3) { await Task.yield() }
            await send(number)
            await send(number * 10)
          }
        })
    }
    var orders: Set<[Int]> = []
    for _ in 0..<20 {
      let store = TestStore<[Int], Int>(initialState: []) { reducer }
      store.exhaustivity = .partial
      await store.send(0)
      await store.skipReceivedActions()
      await store.finish()
      #expect(store.state.count == 17)
      orders.insert(store.state)
    }
    #expect(orders.count == 1)
  }

  @Test func stockSourcesAreTheSameInEachRun() {
    let uuid = Source<UUID>.counting()
    #expect(uuid().uuidString == "00000000-0000-0000-0000-000000000001")
    #expect(uuid().uuidString == "00000000-0000-0000-0000-000000000002")
    let date = Source<Date>.stepping(from: Date(timeIntervalSince1970: 5), by: .milliseconds(500))
    #expect([date(), date()].map(\.timeIntervalSince1970) == [5, 5.5])
    let (first, second) = (Source<Int64>.seeded(7), Source<Int64>.seeded(7))
    let numbers = (0..<100).map { _ in first() as Int64 }
    #expect(numbers == (0..<100).map { _ in second() as Int64 })
    #expect(Set(numbers).count == 100 && numbers.allSatisfy { $0 >= 0 })
  }

  @Test func theEffectsOfAStepBeginBeforeAnyOfThemGoesOn() async {
    let numbers = Array(1...5_000)
    let trace = Trace()
    let store = TestStore<Int, Int>(initialState: 0) {
      Reduce<Int, Int> { _, _ in
        .merge(
          numbers.map { number in
            .run { _ in
              trace.add(number)
              await Task.yield()
              trace.add(-number)
            }
          })
      }
    }
    await store.send(0)
    let isInOrder = trace.all == numbers + numbers.map { -$0 }
    #expect(isInOrder)
    await store.finish()
  }

  @Test func whatASleepSetsGoingComesBeforeTheNextOneEnds() async {
    let clock = TestClock()
    let store = TestStore<Int, Int>(initialState: 0, dependencies: { $0.clock = clock }) {
      Reduce<Int, Int> { state, action in
        state = action
        guard action == 1 else { return .none }
        return .run("work") { send in
          try await clock.sleep(for: .seconds(1))
          for _ in 1...30_000 { await Task.yield() }
          try await clock.sleep(for: .seconds(1))
          await send(2)
        }
      }
    }
    await store.send(1) { $0 = 1 }
    await clock.advance(by: .seconds(2))
    await store.receive(2, timeout: .seconds(1)) { $0 = 2 }
    await store.skipEffects(.ifAny)
    await store.finish()
  }
}
