@testable import DuxStore
import Foundation
import Testing

@Suite("Selecting")
struct SelectTests {
  @Test("calls the listener at once and then for changes of the part alone")
  func removesDuplicates() {
    let store = Store.tally()
    let seen = Trace<Int>()
    let subscription = store.select(\.count) { seen.add($0) }
    store.dispatch(.note("unrelated"))
    store.dispatch(.add(1))
    store.dispatch(.add(0))
    store.dispatch(.refuse)
    store.dispatch(.add(1))
    #expect(seen.all == [0, 1, 2])
    #expect(subscription.start == 0)
    subscription.cancel()
  }

  @Test("without an initial value waits for the first real change")
  func noInitialValue() {
    let store = Store.tally()
    store.dispatch(.add(5))
    let seen = Trace<Int>()
    let subscription = store.select({ $0.count / 10 }, initial: .none) { seen.add($0) }
    #expect(subscription.start == 1)
    store.dispatch(.add(1))
    #expect(seen.all.isEmpty)
    store.dispatch(.add(4))
    #expect(seen.all == [1])
    subscription.cancel()
  }

  @Test("gives every step's value where duplicates are kept")
  func keepsDuplicates() {
    let store = Store.tally()
    let seen = Trace<Int>()
    let subscription = store.select(\.count, duplicates: .kept) { seen.add($0) }
    store.dispatch(.nothing)
    store.dispatch(.note("x"))
    store.dispatch(.refuse)
    #expect(seen.all == [0, 0, 0])
    subscription.cancel()
  }

  @Test("compares as it is told, with the last value that this listener was given")
  func ownComparison() {
    let store = Store.tally()
    let seen = Trace<Int>()
    let subscription = store.select(\.count, duplicates: .removed { abs($0 - $1) < 3 }) {
      seen.add($0)
    }
    for _ in 0..<7 { store.dispatch(.add(1)) }
    #expect(seen.all == [0, 3, 6])
    subscription.cancel()
  }

  @Test("tells nil from a value, both ways")
  func optionals() {
    let store = Store.tally()
    let seen = Trace<String?>()
    let subscription = store.select(\.name) { seen.add($0) }
    for name in ["ann", "ann", nil, nil, "bob", nil] { store.dispatch(.rename(name)) }
    #expect(seen.all == [nil, "ann", nil, "bob", nil])
    subscription.cancel()
  }

  @Test("calls listeners in the order in which they subscribed")
  func order() {
    let store = Store.tally()
    let seen = Trace<Int>()
    var subscriptions = (0..<5).map { index in
      store.select(\.count, initial: .none) { _ in seen.add(index) }
    }
    subscriptions.remove(at: 1).cancel()
    subscriptions.append(store.select(\.count, initial: .none) { _ in seen.add(5) })
    store.dispatch(.add(1))
    #expect(seen.all == [0, 2, 3, 4, 5])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("ends with the last reference to the subscription, and lets go of the listener at once")
  func tokenLifetime() {
    let store = Store.tally()
    let seen = Trace<Int>()
    var subscription: Subscription?
    weak let captured: SharedValue<Int>? = {
      let holder = SharedValue(0)
      subscription = store.select(\.count) {
        holder.value = $0
        seen.add($0)
      }
      return holder
    }()
    #expect(captured != nil && subscription != nil)
    subscription = nil
    #expect(captured == nil)
    store.dispatch(.add(1))
    #expect(seen.all == [0])
  }

  @Test("twice with the same closure is two subscriptions, and cancelling twice ends one")
  func twoSubscriptions() {
    let store = Store.tally()
    let seen = Trace<Int>()
    let listener: @Sendable (Int) -> Void = { seen.add($0) }
    let first = store.select(\.count, initial: .none, listener)
    let second = store.select(\.count, initial: .none, listener)
    store.dispatch(.add(1))
    first.cancel()
    first.cancel()
    store.dispatch(.add(1))
    second.cancel()
    store.dispatch(.add(1))
    #expect(seen.all == [1, 1, 2])
  }

  @Test("tells a whole-state subscriber of each step with the state before it")
  func wholeState() {
    let store = Store.tally()
    store.dispatch(.add(1))
    let seen = Trace<StateChange<Tally.State, Tally.Action>>()
    let subscription = store.subscribe { seen.add($0) }
    store.dispatch(.nothing, by: "ann")
    store.dispatch(.refuse)
    store.dispatch(.add(2))
    #expect(seen.all.map(\.seq) == [1, 2, 3])
    #expect(seen.all.map(\.previous?.count) == [nil, 1, 1])
    #expect(seen.all.map(\.state.count) == [1, 1, 3])
    #expect(seen.all.map(\.action) == [nil, .nothing, .add(2)])
    #expect(seen.all.map(\.author) == ["", "ann", ""])
    #expect(seen.all.map(\.isChanged) == [true, false, true])
    subscription.cancel()
  }
}

@Suite("A listener")
struct ListenerTests {
  @Test("that another one releases is not called any more, not even for the same step")
  func releasedDuringNotification() {
    let store = Store.tally()
    let second = SharedValue<Subscription?>(nil)
    let seen = Trace<String>()
    let first = store.select(\.count, initial: .none) { _ in
      seen.add("first")
      second.value = nil
    }
    second.value = store.select(\.count, initial: .none) { _ in seen.add("second") }
    store.dispatch(.add(1))
    store.dispatch(.add(1))
    #expect(seen.all == ["first", "first"])
    first.cancel()
  }

  @Test("that subscribes inside a notification starts after the step that is told of")
  func addedDuringNotification() {
    let store = Store.tally()
    let added = SharedValue<[Subscription]>([])
    let seen = Trace<String>()
    let first = store.select(\.count, initial: .none) { [weak store] count in
      seen.add("first \(count)")
      guard count == 1, let store else { return }
      let late = store.select(\.count, initial: .none) { seen.add("late \($0)") }
      let told = store.subscribe { seen.add("told \($0.state.count)") }
      #expect(late.start == 1 && told.start == 1)
      added.value = [late, told]
      store.dispatch(.add(1))
    }
    let second = store.select(\.count, initial: .none) { seen.add("second \($0)") }
    store.dispatch(.add(1))
    #expect(
      seen.all == [
        "first 1", "second 1", "told 1", "first 2", "second 2", "late 2", "told 2",
      ])
    first.cancel()
    second.cancel()
    added.value = []
  }

  @Test("can end its own subscription")
  func endsItself() {
    let store = Store.tally()
    let own = SharedValue<Subscription?>(nil)
    let seen = Trace<Int>()
    own.value = store.select(\.count, initial: .none) {
      seen.add($0)
      own.value = nil
    }
    store.dispatch(.add(1))
    store.dispatch(.add(1))
    #expect(seen.all == [1])
  }

  @Test("that leaves before its initial call gets none")
  func leavesBeforeInitialCall() {
    let store = Store.tally()
    let seen = Trace<Int>()
    let first = store.select(\.count, initial: .none) { [weak store] _ in
      store?.select(\.count) { seen.add($0) }.cancel()
    }
    store.dispatch(.add(1))
    #expect(seen.all.isEmpty)
    first.cancel()
  }

  @Test("does not keep the store alive, nor is it kept by it beyond its end")
  func noCycle() {
    final class Screen: Sendable {
      let subscription = SharedValue<Subscription?>(nil)
      let seen = Trace<Int>()

      func show(_ store: Store<Tally.State, Tally.Action>) {
        subscription.value = store.select(\.count) { self.seen.add($0) }
      }
    }
    weak var screen: Screen?
    weak var store: Store<Tally.State, Tally.Action>?
    do {
      let strongStore = Store.tally()
      let strongScreen = Screen()
      strongScreen.show(strongStore)
      (store, screen) = (strongStore, strongScreen)
      #expect(store != nil && screen != nil)
    }
    #expect(store == nil)
    #expect(screen == nil)
  }
}

@Suite("The list of listeners")
struct ListenerListTests {
  @Test("moves few elements for 10,000 additions and removals, in whatever order")
  func constantWork() {
    var generator = Generator(seed: 1)
    for order in ["forwards", "backwards", "shuffled"] {
      var list = ListenerList<Int>()
      var ids: [Int] = []
      for _ in 0..<10_000 {
        _ = list.add { id in
          ids.append(id); return id
        }
      }
      #expect(list.moves == 0)
      if order == "backwards" { ids.reverse() }
      if order == "shuffled" { ids.shuffle(using: &generator) }
      for id in ids { #expect(list.remove(id) == id) }
      #expect(list.isEmpty)
      #expect(list.moves <= 20_000, "\(order): \(list.moves)")
    }
  }

  @Test("does no more for an addition and removal at a time in a list of 10,000")
  func constantWorkWhenFull() {
    var list = ListenerList<Int>()
    for _ in 0..<10_000 { _ = list.add { $0 } }
    for _ in 0..<100_000 {
      let id = list.add { $0 }
      #expect(list.remove(id) == id)
    }
    #expect(list.count == 10_000)
    #expect(list.moves <= 200_000, "\(list.moves)")
  }

  @Test("moves nothing during a round, and loses nobody who comes or goes in it")
  func changesDuringRound() {
    var list = ListenerList<Int>()
    for _ in 0..<10_000 { _ = list.add { $0 } }
    var seen: [Int] = []
    var round = list.beginRound()
    while let id = list.next(1, in: &round).first {
      seen.append(id)
      if id.isMultiple(of: 2) { _ = list.remove(id + 1) }
      _ = list.remove(id)
      _ = list.add { $0 }
      if seen.count < 5_000 { #expect(list.moves == 0) }
    }
    #expect(seen == Array(stride(from: 0, to: 10_000, by: 2)))
    #expect(list.count == 5_000)
    #expect(list.moves <= 5_000)
    var next: [Int] = []
    round = list.beginRound()
    while let id = list.next(1, in: &round).first { next.append(id) }
    #expect(next == Array(10_000..<15_000))
    #expect(list.remove(3) == nil)
  }
}
