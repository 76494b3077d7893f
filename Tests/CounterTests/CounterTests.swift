import DuxStore
import Testing

@testable import Counter

/// What the two reducers make of actions.
struct CounterTests {
  private let store = Store(app: CounterApp())

  @Test func bothReducersGetEachActionAndTheSecondSeesWhatTheFirstLeft() {
    for action: CounterApp.Action in [.increment, .add(4), .decrement, .add(-7), .reset] {
      store.dispatch(action)
    }
    #expect(
      store.state
        == CounterApp.State(count: 0, statistics: .init(actions: 5, highest: 5, lowest: -3)))
  }

  @Test func theOrderOfTheBodyIsTheOrderOfTheReducers() {
    let reversed = Store(initialState: CounterApp.State()) {
      TakingStatistics()
      Counting()
    }
    reversed.dispatch(.add(3))
    #expect(reversed.state.statistics.highest == 0)
    #expect(reversed.state.count == 3)
  }

  @Test(arguments: [(Int.max, CounterApp.Action.increment), (Int.min, .decrement), (1, .add(.max))])
  func aCountThatIsNoNumberIsRejectedForBoth(count: Int, action: CounterApp.Action) {
    let store = Store(initialState: CounterApp.State(count: count)) { CounterApp() }
    let outcome = store.dispatch(action).result
    #expect(outcome?.rejection?.reason == "overflow")
    #expect(store.state == CounterApp.State(count: count))
    #expect(store.dispatch(.reset).result?.seq == 1)
  }

  @Test func manyThreadsCountTogether() async {
    let store = store
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { _ = await store.dispatch(.increment).value } }
      }
    }
    #expect(store.state.count == 8_000)
    #expect(store.state.statistics.actions == 8_000)
    #expect(store.snapshot.seq == 8_000)
  }
}
