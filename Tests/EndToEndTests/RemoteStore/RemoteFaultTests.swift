import Counter
import DuxJSON
import DuxStore
import Foundation
import Testing

@testable import DuxClient
@testable import Todos

/// Stores of programs whose daemon goes away, comes back as another, or is none of theirs.
struct RemoteFaultTests {
  private typealias TodoStore = RemoteStore<TodosApp.State, TodosApp.Action>

  private static let quick: ClientOptions = {
    var options = ClientOptions()
    options.firstRetry = .milliseconds(2)
    options.longestRetry = .milliseconds(50)
    return options
  }()

  private static func store(at address: DaemonAddress) throws -> TodoStore {
    try RemoteStore(TodosApp(), at: address, options: quick)
  }

  private func titles(of daemon: DaemonProcess) throws -> [String] {
    let state = try #require(try Client(daemon, named: nil).get().value)
    return try TodosApp().state(fromView: state).todos.map(\.title)
  }

  @Test func `kills in the middle of dispatches lose nothing and repeat nothing`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let store = try Self.store(at: daemon.address)
    try await store.connected()
    var receipts: [RemoteReceipt] = []
    for round in 0..<4 {
      for count in 0..<50 { receipts.append(store.dispatch(.add("\(round)/\(count)"))) }
      if round % 2 == 0 { _ = try await receipts[round * 50 + 10].confirmed }
      try daemon.killAndStart()
    }
    var seqs: [Int64] = []
    for receipt in receipts { seqs.append(try await receipt.confirmed.seq) }
    #expect(seqs == Array(1...200))
    try await store.reach("all") { $0.pendingCount == 0 }
    let expected = (0..<4).flatMap { round in (0..<50).map { "\(round)/\($0)" } }
    #expect(store.state.todos.map(\.title) == expected)
    #expect(try titles(of: daemon) == expected)
  }

  @Test func `without the daemon all goes on, and is told as a status`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let store = try Self.store(at: daemon.address)
    try await store.connected()
    _ = try await store.dispatch(.add("before")).confirmed
    try daemon.kill()
    try await store.reach(status: "offline") { $0.isOffline }
    let receipt = store.dispatch(.add("meanwhile"))
    let withdrawn = store.dispatch(.add("never"))
    // The link's thread may be telling of the status still: a step then waits its turn.
    try await store.reach("both at once") { $0.state.todos.count == 3 }
    #expect(store.state.todos.map(\.title) == ["before", "meanwhile", "never"])
    withdrawn.cancel()
    try await store.reach("the cancel") { $0.state.todos.count == 2 }
    #expect(withdrawn.result == .cancelled)
    #expect(receipt.result == nil)
    try daemon.start()
    #expect(try await receipt.confirmed.seq == 2)
    try await store.connected()
    #expect(try titles(of: daemon) == ["before", "meanwhile"])
  }

  @Test func `another life of the log is taken over, and what waits goes into it`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let store = try Self.store(at: daemon.address)
    try await store.connected()
    for title in ["a", "b", "c"] { _ = try await store.dispatch(.add(title)).confirmed }
    let epoch = store.snapshot.epoch
    try daemon.stop()
    try await store.reach(status: "offline") { $0.isOffline }
    let receipt = store.dispatch(.add("d"))
    try FileManager.default.removeItem(atPath: daemon.data)
    try daemon.start()
    #expect(try await receipt.confirmed.seq == 1)
    #expect(store.snapshot.epoch != epoch)
    #expect(store.state.todos.map(\.title) == ["d"])
    #expect(try titles(of: daemon) == ["d"])
  }

  @Test func `older data of the same log is taken over`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let store = try Self.store(at: daemon.address)
    try await store.connected()
    _ = try await store.dispatch(.add("a")).confirmed
    try daemon.stop()
    let backup = daemon.folder("backup")
    try FileManager.default.copyItem(atPath: daemon.data, toPath: backup)
    try daemon.start()
    _ = try await store.dispatch(.add("b")).confirmed
    _ = try await store.dispatch(.add("c")).confirmed
    try daemon.stop()
    try FileManager.default.removeItem(atPath: daemon.data)
    try FileManager.default.moveItem(atPath: backup, toPath: daemon.data)
    try daemon.start()
    try await store.reach("the older state") { $0.state.todos.map(\.title) == ["a"] }
    _ = try await store.dispatch(.add("d")).confirmed
    #expect(store.state.todos.map(\.title) == ["a", "d"])
    #expect(try titles(of: daemon) == ["a", "d"])
  }

  @Test func `another app ends the session, naming both`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let store = try RemoteStore(CounterApp(), at: daemon.address)
    let receipt = store.dispatch(.increment)
    try await store.reach(status: "the end") { $0.endCode != nil }
    #expect(store.status.endCode == EndReason.wrongApp)
    guard case .ended(let reason) = store.status else { return }
    #expect(reason.message.contains("todos") && reason.message.contains("counter"))
    #expect(receipt.result == .unknown(reason))
  }

  /// An app that goes by the name of another.
  private struct Impostor: App {
    struct State: Codable, Equatable, Sendable { var todos = [0] }
    enum Action: Codable, Sendable { case nothing }

    let name = "todos"
    let initialState = State()

    func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
  }

  @Test func `a state that does not fit ends the session, naming the place`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let store = try RemoteStore(Impostor(), at: daemon.address)
    try await store.reach(status: "the end") { $0.endCode != nil }
    guard case .ended(let reason) = store.status else { return }
    #expect(reason.code == EndReason.stateMismatch)
    #expect(reason.message.contains("/todos"), "\(reason.message)")
    #expect(store.state.todos == [0])
  }

  @Test func `a later protocol ends the session, naming both`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let relay = try Relay(to: daemon, .init(replacement: ("\"protocol\":1", "\"protocol\":9")))
    let store = try Self.store(at: relay.address)
    try await store.reach(status: "the end") { $0.endCode != nil }
    guard case .ended(let reason) = store.status else { return }
    #expect(reason.code == "unsupported_protocol")
    #expect(reason.message.contains("9") && reason.message.contains("1"), "\(reason.message)")
  }

  @Test func `a second client of the name ends the first for good`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let first = try RemoteStore(
      TodosApp(), at: daemon.address, options: ClientOptions(name: "desk"))
    try await first.connected()
    let second = try RemoteStore(
      TodosApp(), at: daemon.address, options: ClientOptions(name: "desk"))
    try await second.connected()
    try await first.reach(status: "the end") { $0.endCode == "replaced" }
    _ = try await second.dispatch(.add("x")).confirmed
    await #expect(throws: EndReason.self) { try await first.connected() }
  }

  @Test func `a suspended store leaves the daemon alone until it is resumed`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let store = try Self.store(at: daemon.address)
    try await store.connected()
    store.suspend()
    try await store.reach(status: "stale") { $0 != .live }
    let receipt = store.dispatch(.add("later"))
    let status = try Client(daemon, named: nil).ask(["op": "status"])
    #expect(status["clients"]?.integerValue == 1, "\(status)")
    #expect(receipt.result == nil)
    store.resume()
    _ = try await receipt.confirmed
    try await store.connected()
    #expect(try titles(of: daemon) == ["later"])
  }

  @Test func `more steps than may wait are refused at once`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    try daemon.stop()
    var options = Self.quick
    options.queuedSteps = 500
    let store = try RemoteStore(TodosApp(), at: daemon.address, options: options)
    let receipts = (0..<500).map { store.dispatch(.add("\($0)")) }
    let late = store.dispatch(.add("too many"))
    guard case .rejected(let refusal)? = late.result else {
      Issue.record("\(String(describing: late.result))")
      return
    }
    #expect(refusal.code == RemoteRefusal.queueFullCode)
    #expect(store.state.todos.count == 500)
    try daemon.start()
    for receipt in receipts { _ = try await receipt.confirmed }
    _ = try await store.dispatch(.add("now")).confirmed
    #expect(try titles(of: daemon).count == 501)
  }
}
