import DuxStore
import Synchronization
import Testing

@testable import Counter

/// What whoever watches a counter can rely on.
struct ListeningTests {
  private let store = Store(app: CounterApp())
  private let seen = Notes()

  @Test func aListenerGetsThePartItSelectsNowAndWhenItChanges() {
    let subscription = store.select(\.statistics.highest) { [seen] in seen.add($0) }
    for action: CounterApp.Action in [.add(2), .decrement, .add(3)] { store.dispatch(action) }
    #expect(seen.all == [0, 2, 4])
    subscription.cancel()
  }

  @Test func withoutItsTokenAListenerIsCalledNoMore() {
    var subscription: Subscription? = store.select(\.count, initial: .none) { [seen] in
      seen.add($0)
    }
    store.dispatch(.increment)
    #expect(subscription?.start == 0)
    subscription = nil
    store.dispatch(.increment)
    #expect(seen.all == [1])
  }

  @Test func aListenerEndedByAnEarlierOneIsNotCalledInTheSameRound() {
    let later = Mutex<Subscription?>(nil)
    withExtendedLifetime(
      store.select(\.count, initial: .none) { _ in later.withLock { $0.take() }?.cancel() }
    ) {
      later.withLock { $0 = store.select(\.count, initial: .none) { [seen] in seen.add($0) } }
      store.dispatch(.increment)
    }
    #expect(seen.all.isEmpty)
  }

  @Test func aListenerThatComesDuringARoundStartsWithTheNextAction() {
    let late = Mutex<Subscription?>(nil)
    let (store, seen) = (store, seen)
    withExtendedLifetime(
      store.select(\.count, initial: .none) { _ in
        late.withLock { late in
          late = late ?? store.select(\.count, initial: .none) { seen.add($0) }
        }
      }
    ) {
      store.dispatch(.increment)
      store.dispatch(.increment)
    }
    #expect(seen.all == [2])
    #expect(late.withLock { $0?.start } == 1)
  }

  @Test func aListenerMayDispatchAndEachListenerSeesEachCountOnceInOrder() {
    let second = Notes()
    let (store, first) = (store, seen)
    let subscriptions = [
      store.select(\.count, initial: .none) { count in
        first.add(count)
        if count == 1 { store.dispatch(.increment) }
      },
      store.select(\.count, initial: .none) { second.add($0) },
    ]
    withExtendedLifetime(subscriptions) { _ = store.dispatch(.increment) }
    #expect(first.all == [1, 2])
    #expect(second.all == [1, 2])
  }

  @Test func countsComeAsASequenceToo() async throws {
    var counts = store.allValues(of: \.count).makeAsyncIterator()
    #expect(try await counts.next() == 0)
    store.dispatch(.add(2))
    store.dispatch(.add(0))
    store.dispatch(.increment)
    #expect(try await counts.next() == 2)
    #expect(try await counts.next() == 3)
  }
}

/// What listeners were told, in order.
private final class Notes: Sendable {
  private let content = Mutex<[Int]>([])

  var all: [Int] { content.withLock { $0 } }

  func add(_ number: Int) { content.withLock { $0.append(number) } }
}
