import DuxJSON
import DuxStore
import Testing

@testable import Todos

/// The list as the daemon serves it.
struct HostingTests {
  private let milk = "00000000-0000-0000-0000-000000000001"

  private func list() throws -> HostedApp<TodosApp> {
    try HostedApp(
      TodosApp(), limits: StateLimits(maximumDepth: 32, maximumBytes: 1 << 20),
      dependencies: DependencyValues(.test).setting(todosWorld))
  }

  private func send(
    _ type: JSON, _ payload: JSON? = nil, to list: inout HostedApp<TodosApp>
  ) throws -> [String] {
    var action: JSONObject = ["type": type]
    action["payload"] = payload
    let step = try list.dispatch([try WireAction(.object(action))], DispatchContext(author: "ann"))
    return step.patch.operations.map(\.path.description).filter { $0.hasPrefix("/todos") }
  }

  @Test func actionsAreTypedAsTheirEnumsAreNested() throws {
    var list = try list()
    let row = "/todos/rows/\(milk)"
    #expect(try send("add", "Buy milk", to: &list) == ["/todos/order/a0", row])
    #expect(
      try send("todo/rename", ["id": .string(milk), "action": "Buy oat milk"], to: &list)
        == [row + "/title"])
    #expect(try send("todo/toggle", ["id": .string(milk)], to: &list) == [row + "/isCompleted"])
    let notes: JSON = ["field": "notes", "value": "at the corner"]
    #expect(
      try send("todo/set", ["id": .string(milk), "action": notes], to: &list) == [row + "/notes"])
    #expect(try send("history/undo", to: &list) == [row + "/notes"])
    #expect(try send("history/redo", to: &list) == [row + "/notes"])
    #expect(try send("move", ["id": .string(milk)], to: &list).isEmpty)
    #expect(try send("toggleAll", to: &list) == [row + "/isCompleted"])
    #expect(
      list.view["todos"]?["rows"]?[milk] == [
        "id": .string(milk), "title": "Buy oat milk", "notes": "at the corner",
        "priority": "normal", "isCompleted": false, "created": 1_800_000_000_000,
      ])
  }

  @Test func theDaemonsOwnStateComesBackFromItsView() throws {
    var list = try list()
    _ = try send("add", "Buy milk", to: &list)
    _ = try send("todo/toggle", ["id": .string(milk)], to: &list)
    var restored = try self.list()
    _ = try restored.restore(view: list.view, version: 1)
    #expect(restored.state == list.state)
    _ = try send("history/undo", to: &restored)
    #expect(restored.state.todos(.active).count == 1)
  }
}
