import DuxJSON
import DuxStore
import Testing

@testable import DuxClient
@testable import Todos

/// Who is connected, and stores that know no types, on a real daemon.
struct RemotePresenceTests {
  private typealias TodoStore = RemoteStore<TodosApp.State, TodosApp.Action>

  private struct Cursor: Codable, Equatable {
    var row: Int
  }

  private func reach(
    _ what: String, _ store: TodoStore, _ isSo: @escaping @Sendable ([Presence]) -> Bool
  ) async throws {
    try await store.reach(what) { _ in isSo(store.presence) }
  }

  @Test func `programs see who else is here, and what they say`() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let left = try TodoStore(
      TodosApp(), at: daemon.address, options: ClientOptions(name: "left"))
    let watching = left.onPresence { _ in }
    try await left.connected()
    try await reach("itself", left) { $0.map(\.client) == ["left"] && $0[0].state == nil }
    var right: TodoStore? = try TodoStore(
      TodosApp(), at: daemon.address, options: ClientOptions(name: "right"))
    try right?.setPresence(Cursor(row: 3))
    try await reach("the other", left) { present in
      present.map(\.client) == ["left", "right"] && present[1].state == ["row": 3]
    }
    try right?.setPresence(Cursor(row: 4))
    try await reach("the change", left) { $0.last?.state == ["row": 4] }
    right?.clearPresence()
    try await reach("the silence", left) { $0.count == 2 && ($0[1].state ?? .null) == .null }
    try right?.setPresence(Cursor(row: 5))
    let sinceMs = left.presence.last?.sinceMs ?? 0
    try daemon.killAndStart()
    // Said again after the new connection, without being asked.
    try await reach("it said again", left) { present in
      present.last?.state == ["row": 5] && present.last?.sinceMs != sinceMs
    }
    right = nil
    try await reach("the leave", left) { $0.map(\.client) == ["left"] }
    watching.cancel()
  }

  @Test func `a document is predicted without its types`() async throws {
    let daemon = try DaemonProcess()
    let store = try RemoteStore.untyped(at: daemon.address)
    #expect(store.state == .null)
    try await store.connected()
    #expect(store.state == [:])
    let receipt = store.dispatch(try WireAction(.set("/a/b", 1)))
    #expect(store.state == ["a": ["b": 1]])
    _ = try await receipt.confirmed
    #expect(store.state == ["a": ["b": 1]])
    let refused = store.dispatch(try WireAction(.increment("/a/x")))
    await #expect(throws: RemoteRefusal.self) { _ = try await refused.confirmed }
    #expect(store.state == ["a": ["b": 1]])
  }

  @Test func `a path is followed as it appears, changes and vanishes`() async throws {
    let daemon = try DaemonProcess()
    let writer = try Client(daemon, named: nil)
    let store = try RemoteStore.untyped(at: daemon.address, path: JSONPointer("/a"))
    try await store.connected()
    #expect(store.state == .null)
    try writer.accepted(.set("/a", ["x": 1]))
    try await store.reach("the value") { $0.state == ["x": 1] }
    try writer.accepted(.set("/other", 1))
    let receipt = store.dispatch(try WireAction(.set("/a/x", 2)))
    // Below the root nothing is foreseen.
    #expect(store.state == ["x": 1])
    _ = try await receipt.confirmed
    #expect(store.state == ["x": 2])
    try writer.accepted(.remove("/a"))
    try await store.reach("nothing") { $0.state == .null }
  }

  @Test func `an app that is no document shows what the daemon has taken`() async throws {
    let daemon = try DaemonProcess(["--app", "counter"])
    let store = try RemoteStore.untyped(at: daemon.address)
    try await store.connected()
    let receipt = store.dispatch(try WireAction(["type": "increment"]))
    #expect(store.state["count"] == 0)
    _ = try await receipt.confirmed
    #expect(store.state["count"] == 1)
  }
}
