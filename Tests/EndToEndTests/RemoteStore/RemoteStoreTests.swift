import DuxJSON
import DuxStore
import Synchronization
import Testing

@testable import DuxClient
@testable import Todos

/// Stores of programs, on a real daemon.
struct RemoteStoreTests {
  private typealias TodoStore = RemoteStore<TodosApp.State, TodosApp.Action>

  private let daemon: DaemonProcess

  init() throws {
    daemon = try DaemonProcess(["--app", "todos"])
  }

  private func store(_ options: ClientOptions = ClientOptions()) throws -> TodoStore {
    try RemoteStore(TodosApp(), at: try daemon.address, options: options)
  }

  @Test func `a dispatch shows at once, and the same when the daemon has taken it`() async throws {
    let store = try store()
    try await store.connected()
    let seen = Mutex<[[String]]>([])
    let subscription = store.select { state in
      state.todos.map(\.title)
    } _: { titles in
      seen.withLock { $0.append(titles) }
    }
    daemon.pause()
    let receipt = store.dispatch(.add("Buy milk"))
    #expect(store.state.todos.map(\.title) == ["Buy milk"])
    #expect(receipt.result == nil)
    #expect(seen.withLock { $0 } == [[], ["Buy milk"]])
    daemon.resume()
    let confirmation = try await receipt.confirmed
    #expect(confirmation.seq == 1 && confirmation.changed)
    let snapshot = store.snapshot
    #expect(snapshot.pendingCount == 0 && snapshot.seq == 1)
    #expect(snapshot.state.todos.map(\.title) == ["Buy milk"])
    #expect(seen.withLock { $0 } == [[], ["Buy milk"]])
    subscription.cancel()
  }

  @Test func `two programs see one list`() async throws {
    let (left, right) = (try store(), try store())
    try await left.connected()
    try await right.connected()
    for count in 1...50 {
      _ = try await (count % 2 == 0 ? left : right).dispatch(.add("todo \(count)")).confirmed
    }
    try await left.reach("all") { $0.state.todos.count == 50 }
    try await right.reach("all") { $0.state.todos.count == 50 }
    #expect(left.state == right.state)
    #expect(left.snapshot.confirmed == right.snapshot.confirmed)
  }

  @Test func `a refusal takes back exactly its own change`() async throws {
    let relay = try Relay(to: daemon)
    let store = try TodoStore(TodosApp(), at: relay.address)
    try await store.connected()
    _ = try await store.dispatch(.add("first")).confirmed
    relay.change { $0.isHolding = true }
    try Client(daemon, named: nil).accepted(["type": "add", "payload": "theirs"])
    let todos = try #require(try TodosApp().view(of: store.state)["todos"])
    let refused = store.dispatch(.add("second"), if: [.equals(try JSONPointer("/todos"), todos)])
    let taken = store.dispatch(.add("third"))
    #expect(store.state.todos.map(\.title) == ["first", "second", "third"])
    relay.change { $0.isHolding = false }
    _ = try await taken.confirmed
    #expect(store.state.todos.map(\.title) == ["first", "theirs", "third"])
    await #expect(throws: RemoteRefusal.self) { _ = try await refused.confirmed }
    guard case .rejected(let refusal) = refused.result else {
      Issue.record("\(String(describing: refused.result))")
      return
    }
    #expect(refusal.code == "precondition_failed")
  }

  @Test func `what the reducer refuses is decided by the daemon`() async throws {
    let store = try store()
    try await store.connected()
    let receipt = store.dispatch(.add("   "))
    #expect(store.state.todos.isEmpty)
    do {
      _ = try await receipt.confirmed
      Issue.record("it was taken")
    } catch let refusal as RemoteRefusal {
      #expect(refusal.code == "rejected" && refusal.reason == "empty_title")
      #expect(!refusal.message.isEmpty)
    }
  }

  @Test func `several actions are one step`() async throws {
    let store = try store()
    try await store.connected()
    let taken = try await store.dispatch(together: [.add("a"), .add("b")]).confirmed
    #expect(taken.seq == 1)
    #expect(store.state.todos.map(\.title) == ["a", "b"])
    daemon.pause()
    let refused = store.dispatch(together: [.add("c"), .add("")])
    #expect(store.state.todos.count == 2)
    daemon.resume()
    await #expect(throws: RemoteRefusal.self) { _ = try await refused.confirmed }
    #expect(store.state.todos.count == 2)
  }

  @Test func `a closed store settles what is left, and keeps its state`() async throws {
    let store = try store()
    try await store.connected()
    _ = try await store.dispatch(.add("kept")).confirmed
    daemon.pause()
    let receipt = store.dispatch(.add("lost"))
    store.close()
    await store.closed()
    daemon.resume()
    #expect(store.status.endCode == EndReason.closed)
    guard case .unknown(let reason)? = receipt.result else {
      Issue.record("\(String(describing: receipt.result))")
      return
    }
    #expect(reason.code == EndReason.closed)
    #expect(store.state.todos.map(\.title) == ["kept"])
    let late = store.dispatch(.add("late"))
    guard case .rejected(let refusal)? = late.result else {
      Issue.record("\(String(describing: late.result))")
      return
    }
    #expect(refusal.code == EndReason.closed)
    await #expect(throws: EndReason.self) { try await store.connected() }
  }

  @Test func `a store that nobody keeps ends without a thread left behind`() async throws {
    struct Left {
      // The thread keeps it to its end.
      weak var core: RemoteCore<TodosApp.State, TodosApp.Action>?
    }
    var receipts: [RemoteReceipt] = []
    var left: [Left] = []
    for _ in 0..<20 {
      let store = try store()
      receipts.append(store.dispatch(.add("x")))
      left.append(Left(core: store.core))
    }
    for receipt in receipts {
      // Taken or unknown: settled in any case.
      _ = try? await receipt.confirmed
      #expect(receipt.result != nil)
    }
    try wait("the end of all threads") { left.allSatisfy { $0.core == nil } }
  }
}
