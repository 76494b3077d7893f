import DuxStore
import Testing

@Suite("A sequence of values")
struct StoreValuesTests {
  @Test("begins with the current one and goes on with each that differs")
  func order() async {
    let store = Store.tally()
    var values = store.values(of: \.count, buffering: 100).makeAsyncIterator()
    #expect(await values.next() == 0)
    store.dispatch(.add(1))
    store.dispatch(.nothing)
    store.dispatch(.add(1))
    #expect(await values.next() == 1)
    #expect(await values.next() == 2)
  }

  @Test("keeps the newest for a slow reader")
  func newest() async {
    let store = Store.tally()
    var values = store.values(of: \.count).makeAsyncIterator()
    for _ in 0..<10 { store.dispatch(.add(1)) }
    #expect(await values.next() == 10)
  }

  @Test("that leaves nothing out gives each value, and says so when it can't")
  func all() async throws {
    let store = Store.tally()
    let seen = store.allValues(of: \.count, initial: .none, limit: 3)
    var values = seen.makeAsyncIterator()
    for _ in 0..<3 { store.dispatch(.add(1)) }
    #expect(try await values.next() == 1)
    for _ in 0..<3 { store.dispatch(.add(1)) }
    #expect(try await values.next() == 2)
    #expect(try await values.next() == 3)
    #expect(try await values.next() == 4)
    do {
      Issue.record("expected an overflow, not \(String(describing: try await values.next()))")
    } catch {
      #expect((error as? ValuesOverflow)?.limit == 3)
    }
    #expect(store.listenerCount == 0)
  }

  @Test("ends with the store")
  func storeCloses() async {
    let store = Store.tally()
    var values = store.values(of: \.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    store.close()
    #expect(await values.next() == nil)
    var late = store.values(of: \.count).makeAsyncIterator()
    #expect(await late.next() == 0)
    #expect(await late.next() == nil)
  }

  @Test("ends with the reading task, and with it the subscription")
  func cancellation() async {
    let store = Store.tally()
    let first = Latch()
    let task = Task {
      for await _ in store.values(of: \.count) { first.open() }
    }
    await first.wait()
    #expect(store.listenerCount == 1)
    task.cancel()
    await task.value
    #expect(store.listenerCount == 0)
  }

  @Test("has a subscription of its own for each iteration, and none without one")
  func eachIteration() async {
    let store = Store.tally()
    let values = store.values(of: \.count)
    #expect(store.listenerCount == 0)
    do {
      var first = values.makeAsyncIterator()
      var second = values.makeAsyncIterator()
      #expect(store.listenerCount == 2)
      let both = [await first.next(), await second.next()]
      #expect(both == [0, 0])
    }
    #expect(store.listenerCount == 0)
  }
}
