import DuxStore
import Foundation
import Synchronization
import Testing

@Suite("A store's queue")
struct StoreOrderTests {
  @Test("lets a dispatch from a listener wait until all listeners were told")
  func nestedDispatch() {
    let store = Store.tally()
    let seen = Trace<String>()
    let first = store.select(\.count) { [weak store] count in
      seen.add("first \(count)")
      if count == 1 {
        store?.dispatch(.add(1))
        #expect(store?.state.count == 1)
      }
    }
    let second = store.select(\.count) { seen.add("second \($0)") }
    store.dispatch(.add(1))
    #expect(
      seen.all == ["first 0", "second 0", "first 1", "second 1", "first 2", "second 2"])
    first.cancel()
    second.cancel()
  }

  @Test("shows a listener one state after the other, never the newest twice")
  func noRepeats() {
    let store = Store.tally()
    let seen = Trace<Int>()
    let first = store.select(\.count, initial: .none) { [weak store] count in
      if count < 5 { store?.dispatch(.add(1)) }
    }
    let second = store.select(\.count, duplicates: .kept, initial: .none) { seen.add($0) }
    store.dispatch(.add(1))
    #expect(seen.all == [1, 2, 3, 4, 5])
    first.cancel()
    second.cancel()
  }

  @Test("carries out 100,000 dispatches, each made by a listener of the one before")
  func chainedDispatches() {
    let store = Store.tally()
    let subscription = store.select(\.count, initial: .none) { [weak store] count in
      if count < 100_000 { store?.dispatch(.add(1)) }
    }
    store.dispatch(.add(1))
    #expect(store.snapshot.seq == 100_000)
    #expect(store.state.count == 100_000)
    subscription.cancel()
  }

  @Test("carries out 100,000 follow-ups, each sent by the one before")
  func chainedFollowUps() {
    let store = Store.tally()
    #expect(store.dispatch(.countdown(99_999)).result?.seq == 1)
    #expect(store.snapshot.seq == 100_000)
    #expect(store.state.count == 100_000)
  }

  @Test("cuts follow-ups without end, and names the actions that go round")
  func runaway() {
    let issues = Trace<String>()
    let store = Store(initialState: Tally.State(), issues: { issues.add($0) }) { Tally() }
    let receipt = store.dispatch(.ping)
    #expect(issues.count == 1)
    #expect(issues.all.first?.contains("ping → pong") == true, "\(issues.all)")
    #expect(receipt.activity.isFinished)
    #expect(store.dispatch(.add(1)).result?.seq == store.snapshot.seq)
  }

  @Test("takes follow-ups in the order sent, before what was dispatched meanwhile")
  func followUpOrder() {
    let store = Store.tally()
    let subscription = store.subscribe(initial: .none) { [weak store] change in
      if case .notes = change.action { store?.dispatch(.note("dispatched")) }
      if case .note("a") = change.action { store?.dispatch(.note("later")) }
    }
    store.dispatch(.notes(["a", "b"]))
    #expect(store.state.notes == ["a", "b", "dispatched", "later"])
    subscription.cancel()
  }

  @Test("takes a storm of actions in order, each once")
  func storm() {
    let store = Store<Int, Int>(initialState: 0) {
      Reduce { last, number in
        guard number == last + 1 else { throw Rejection(reason: "order", message: "\(number)") }
        last = number
        return .none
      }
    }
    for number in 1...100_000 { store.dispatch(number) }
    #expect(store.snapshot == Snapshot(state: 100_000, seq: 100_000))
  }

  @Test("leaves nothing waiting, whoever dispatched what from where")
  func noResidue() {
    let store = Store.tally()
    let receipts = Trace<Receipt<Tally.Action>>()
    let subscription = store.subscribe(initial: .none) { [weak store] change in
      guard let store, change.seq < 500 else { return }
      for _ in 0..<2 { receipts.add(store.dispatch(.countdown(1))) }
    }
    store.dispatch(.add(1))
    #expect(receipts.count > 900)
    #expect(receipts.all.allSatisfy { $0.result?.seq != nil })
    subscription.cancel()
  }

  @Test("makes of many threads' actions one order, that all see")
  func manyThreads() {
    let store = Store(initialState: Tally.State(), recording: .on) { Tally() }
    let chain = Trace<Int64>()
    let subscription = store.subscribe(initial: .none) { chain.add($0.seq) }
    let receipts = Trace<Receipt<Tally.Action>>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for index in 0..<250 {
        receipts.add(store.dispatch(.note("\(thread) \(index)"), by: "\(thread)"))
      }
    }
    let outcomes = receipts.all.compactMap(\.result?.seq)
    #expect(outcomes.sorted() == Array(1...2_000))
    #expect(chain.all == Array(1...2_000))
    for thread in 0..<8 {
      let mine = store.state.notes.filter { $0.hasPrefix("\(thread) ") }
      #expect(mine == (0..<250).map { "\(thread) \($0)" })
    }
    #expect(store.log.map(\.seq) == Array(1...2_000))
    subscription.cancel()
  }

  @Test("gives readers whole states only, with their number")
  func wholeStates() {
    struct Twins: Equatable, Sendable {
      var one = 0
      var other = 0
    }
    let store = Store<Twins, Int>(initialState: Twins()) {
      Reduce { state, action in
        state.one += 1
        state.other += 1
        return .none
      }
    }
    let torn = Trace<Snapshot<Twins>>()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for _ in 0..<2_000 {
        if thread == 0 { store.dispatch(1) }
        let seen = store.snapshot
        if seen.state.one != seen.state.other || seen.state.one != Int(seen.seq) { torn.add(seen) }
      }
    }
    #expect(torn.all.isEmpty)
  }

  @Test("answers every receipt, also that of an action another thread carries out")
  func awaitedReceipts() async {
    let store = Store.tally()
    let seqs = await withTaskGroup(of: Int64?.self) { group in
      for _ in 0..<200 {
        group.addTask { await store.dispatch(.add(1)).value.seq }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(seqs) == Set((1...200).map(Optional.some)))
  }

  @Test("keeps a log from which the state can be made again, with what sources gave")
  func replay() throws {
    let now = SharedValue(Date(timeIntervalSince1970: 0))
    let dependencies = DependencyValues(.test).setting { values in
      values.date = Source("date") {
        now.update {
          $0.addTimeInterval(1); return $0
        }
      }
    }
    let store = Store(initialState: Tally.State(), dependencies: dependencies, recording: .on) {
      Tally()
    }
    for action in [Tally.Action.stamp, .refuse, .add(2), .countdown(2), .stamp] {
      store.dispatch(action, by: "ann")
    }
    #expect(store.log.map(\.seq) == Array(1...6))
    #expect(store.log[2].context.origin == .outside)
    #expect(
      store.log[3].context
        == DispatchContext(author: "ann", origin: .followUp(.init(seq: 3, type: "countdown"))))
    #expect(store.log[5].inputs["date"]?.count == 1)
    #expect(try Tally().replay(store.log, from: Tally.State()) == store.state)
    let changed = Reduce<Tally.State, Tally.Action> { state, _ in
      try Tally().reduce(into: &state, action: .stamp)
    }
    #expect(throws: ReplayFailure.self) { try changed.replay(store.log, from: Tally.State()) }
  }
}
