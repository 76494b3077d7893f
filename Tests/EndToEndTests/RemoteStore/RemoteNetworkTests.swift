import Counter
import DuxJSON
import DuxStore
import Foundation
import Synchronization
import Testing

@testable import DuxClient
@testable import Todos

/// Stores of programs behind a network that delays, cuts and falls silent.
struct RemoteNetworkTests {
  private static let quick: ClientOptions = {
    var options = ClientOptions()
    options.firstRetry = .milliseconds(1)
    options.longestRetry = .milliseconds(20)
    return options
  }()

  private func titles(of daemon: DaemonProcess) throws -> [String] {
    let state = try #require(try Client(daemon, named: nil).get().value)
    return try TodosApp().state(fromView: state).todos.map(\.title)
  }

  @Test func `a cut at each byte of the conversation changes nothing`() async throws {
    let daemon = try DaemonProcess(["--app", "counter"])
    let relay = try Relay(to: daemon)
    var offset = 0
    var count: Int64 = 0
    repeat {
      offset += 1
      relay.change { $0.cutAfter = offset }
      let before = relay.cuts
      let store = try RemoteStore(CounterApp(), at: relay.address, options: Self.quick)
      let receipts = [store.dispatch(.increment), store.dispatch(.add(2))]
      for receipt in receipts { _ = try await receipt.confirmed }
      count += 3
      try await store.connected()
      let view = try CounterApp().view(of: store.state)
      #expect(view["count"]?.integerValue == count, "cut at \(offset)")
      #expect(store.snapshot.pendingCount == 0)
      if relay.cuts == before { break }
    } while offset < 5_000
    #expect(offset > 500 && offset < 5_000)
    let state = try Client(daemon, named: nil).get().value
    #expect(state?["count"]?.integerValue == count)
  }

  @Test func `a line that breaks often carries each step once`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let relay = try Relay(to: daemon, .init(cutAfter: 3_000, cutsAll: true, piece: 97))
    let store = try RemoteStore(TodosApp(), at: relay.address, options: Self.quick)
    var receipts: [RemoteReceipt] = []
    for count in 0..<100 {
      receipts.append(store.dispatch(.add("todo \(count)")))
      if count % 10 == 9 {
        relay.change { $0.cutAfter = 2_000 + 700 * (count % 7) }
        _ = try await receipts[count - 5].confirmed
      }
    }
    relay.change { $0.cutsAll = false }
    for receipt in receipts { _ = try await receipt.confirmed }
    #expect(relay.cuts > 3)
    try await store.reach("all") { $0.pendingCount == 0 }
    let expected = (0..<100).map { "todo \($0)" }
    #expect(store.state.todos.map(\.title) == expected)
    #expect(try titles(of: daemon) == expected)
  }

  @Test func `what is held back on the way shows here, and later there`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let relay = try Relay(to: daemon)
    let store = try RemoteStore(TodosApp(), at: relay.address, options: Self.quick)
    try await store.connected()
    relay.change { $0.isHolding = true }
    let receipts = (0..<20).map { store.dispatch(.add("todo \($0)")) }
    // The link's thread may be telling of the status still: a step then waits its turn.
    try await store.reach("all here") { $0.state.todos.count == 20 }
    try Client(daemon, named: nil).accepted(["type": "add", "payload": "theirs"])
    #expect(store.state.todos.count == 20)
    #expect(receipts.allSatisfy { $0.result == nil })
    relay.change { $0.isHolding = false }
    for receipt in receipts { _ = try await receipt.confirmed }
    #expect(store.state.todos.map(\.title) == ["theirs"] + (0..<20).map { "todo \($0)" })
    #expect(store.state == store.snapshot.confirmed)
  }

  @Test func `a daemon that stands still is noticed, and found again`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    // Of the same length, and the shortest heartbeat that a client goes by.
    let relay = try Relay(
      to: daemon, .init(replacement: ("\"heartbeatMs\":15000", "\"heartbeatMs\":1000 ")))
    let store = try RemoteStore(TodosApp(), at: relay.address, options: Self.quick)
    try await store.connected()
    daemon.pause()
    try await store.reach(status: "stale") { $0.isStale }
    let receipt = store.dispatch(.add("meanwhile"))
    try await store.reach(status: "offline") { $0.isOffline }
    daemon.resume()
    _ = try await receipt.confirmed
    try await store.connected()
    #expect(try titles(of: daemon) == ["meanwhile"])
  }

  @Test func `a busy listener slows the daemon down, and nothing is lost`() async throws {
    let daemon = try DaemonProcess(["--app", "document"])
    let writer = try Client(daemon, named: "writer")
    let store = try RemoteStore.untyped(at: daemon.address)
    try await store.connected()
    let gate = Gate()
    let subscription = store.select({ $0["mine"] }, duplicates: .removed, initial: .none) { _ in
      gate.wait()
    }
    // The listener is called by this dispatch, and holds up all that the daemon says meanwhile.
    let dispatching = Task.detached {
      store.dispatch(try WireAction(.set("/mine", 1)))
    }
    try wait("the listener") { gate.isWaitedAt }
    let text = JSON.string(String(repeating: "x", count: 20_000))
    for count in 0..<2_000 {
      try writer.accepted(.set("/list/\(count % 10)", ["n": .integer(Int64(count)), "t": text]))
    }
    gate.open()
    _ = try await dispatching.value.confirmed
    let last = try writer.get()
    try await store.reach("all") { $0.seq == last.seq }
    #expect(store.state == last.value)
    subscription.cancel()
  }

  /// Where a listener waits for the test.
  private final class Gate: Sendable {
    private let state = Mutex((isOpen: false, isWaitedAt: false))

    var isWaitedAt: Bool { state.withLock { $0.isWaitedAt } }

    func open() { state.withLock { $0.isOpen = true } }

    func wait() {
      state.withLock { $0.isWaitedAt = true }
      while !state.withLock({ $0.isOpen }) { poll(nil, 0, 1) }
    }
  }
}
