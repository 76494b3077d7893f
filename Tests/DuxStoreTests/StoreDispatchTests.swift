import DuxStore
import Foundation
import Synchronization
import Testing

@Suite("A store's dispatch")
struct StoreDispatchTests {
  @Test("has reduced the action and told all listeners when it returns")
  func synchronous() {
    let store = Store.tally()
    let seen = Trace<Int>()
    let subscription = store.select(\.count) { seen.add($0) }
    let receipt = store.dispatch(.add(2))
    #expect(store.state.count == 2)
    #expect(seen.all == [0, 2])
    #expect(receipt.result == .accepted(seq: 1, changed: true, action: .add(2)))
    subscription.cancel()
  }

  @Test("gives each accepted action the next number, whether it changes anything or not")
  func numbers() {
    let store = Store.tally()
    #expect(store.snapshot == Snapshot(state: Tally.State(), seq: 0))
    #expect(store.dispatch(.add(1)).result?.seq == 1)
    #expect(
      store.dispatch(.nothing).result == .accepted(seq: 2, changed: false, action: .nothing))
    #expect(store.dispatch(.add(0)).result == .accepted(seq: 3, changed: false, action: .add(0)))
    #expect(store.dispatch(.add(1)).result?.seq == 4)
    #expect(store.snapshot == Snapshot(state: Tally.State(count: 2), seq: 4))
  }

  @Test("leaves no trace of a refused action, and goes on with the next")
  func refusal() throws {
    let store = Store.tally()
    let seen = Trace<Int64>()
    let subscription = store.subscribe(initial: .none) { seen.add($0.seq) }
    store.dispatch(.add(1))
    #expect(store.dispatch(.refuse).result?.rejection?.reason == "unwanted")
    #expect(store.dispatch(.fail).result?.rejection?.reason == "failed")
    #expect(store.snapshot == Snapshot(state: Tally.State(count: 1), seq: 1))
    #expect(try store.dispatch(.add(1)).result?.get() == 2)
    #expect(seen.all == [1, 2])
    subscription.cancel()
  }

  @Test("from inside a reducer is refused, and so is the action that did it")
  func reducerDispatch() throws {
    let holder = SharedValue<Store<Int, Int>?>(nil)
    let inner = SharedValue<Receipt<Int>?>(nil)
    let read = SharedValue(-1)
    let store = Store<Int, Int>(initialState: 7) {
      Reduce { state, action in
        state += action
        guard action == 1 else { return .none }
        read.value = holder.value?.state ?? -1
        inner.value = holder.value?.dispatch(100)
        return .send(5)
      }
    }
    holder.value = store
    #expect(store.dispatch(1).result?.rejection?.reason == Rejection.reentrantReason)
    #expect(inner.value?.result?.rejection?.reason == Rejection.reentrantReason)
    #expect(read.value == 7)
    #expect(store.snapshot == Snapshot(state: 7, seq: 0))
    #expect(store.dispatch(2).result?.seq == 1)
    #expect(store.state == 9)
    holder.value = nil
  }

  @Test("compares states as it is told where they have no equality of their own")
  func ownEquality() {
    struct Shape: Sendable {
      var corners = 3
      var colour = "red"
    }
    let store = Store<Shape, Int>(
      initialState: Shape(), areEqual: { $0.corners == $1.corners },
      reducer: {
        Reduce { state, corners in
          state.corners = corners
          state.colour = "blue"
          return .none
        }
      })
    #expect(store.dispatch(3).result == .accepted(seq: 1, changed: false, action: 3))
    #expect(store.dispatch(4).result == .accepted(seq: 2, changed: true, action: 4))
  }

  @Test("runs several reducers in order, each on what those before it left")
  func severalReducers() {
    let store = Store<[String], String>(initialState: []) {
      Reduce { state, action in
        state.append("first \(action)")
        return .none
      }
      Reduce { state, action in
        state.append("second after \(state.count)")
        return .none
      }
    }
    store.dispatch("x")
    #expect(store.state == ["first x", "second after 1"])
  }

  @Test("can be bound to a function of the action's payload")
  func bound() {
    let store = Store.tally()
    let add = store.bind(Tally.Action.add)
    let note = store.bind(by: "ann") { (text: String, times: Int) in
      Tally.Action.note(String(repeating: text, count: times))
    }
    let authors = Trace<String>()
    let subscription = store.subscribe(initial: .none) { authors.add($0.author) }
    add(3)
    note("x", 2)
    #expect(store.state == Tally.State(count: 3, notes: ["xx"]))
    #expect(authors.all == ["", "ann"])
    subscription.cancel()
  }

  @Test("after the store was closed is refused, and the state stays to be read")
  func closed() async {
    let store = Store.tally()
    store.dispatch(.add(1))
    let seen = Trace<Int>()
    let subscription = store.select(\.count) { seen.add($0) }
    store.close()
    store.close()
    let receipt = store.dispatch(.add(1))
    #expect(receipt.result?.rejection?.reason == Rejection.closedReason)
    await receipt.finish()
    #expect(store.isClosed)
    #expect(store.state.count == 1)
    #expect(seen.all == [1])
    subscription.cancel()
  }

  @Test("that waits when the store is closed is refused, and that under way is not torn")
  func closedInside() {
    let store = Store.tally()
    let waiting = SharedValue<Receipt<Tally.Action>?>(nil)
    let seen = Trace<Int>()
    let first = store.select(\.count, initial: .none) { [weak store] count in
      waiting.value = store?.dispatch(.add(10))
      store?.close()
    }
    let second = store.select(\.count, initial: .none) { seen.add($0) }
    #expect(store.dispatch(.add(1)).result?.seq == 1)
    #expect(waiting.value?.result?.rejection?.reason == Rejection.closedReason)
    #expect(store.state.count == 1)
    #expect(seen.all.isEmpty)
    first.cancel()
    second.cancel()
  }
}
