import DuxJSON
import DuxStore
import DuxTesting
import Foundation
import Synchronization
import Testing
import Todos

/// One scenario on a real daemon and on the stores of a process: the logs are the same.
struct ScenarioTests {
  private static let first = DuxTesting.Scenario<TodosApp>.Step(.add("buy milk"), by: "ann")

  private func steps(on id: UUID) -> [DuxTesting.Scenario<TodosApp>.Step] {
    [
      .init(.add("call home"), by: "ben"), .init(.add(""), by: "ben"),
      .init(.todo(id: id, action: .toggle), by: "ben"), .init(.toggleAll, by: "ann"),
      .init(.history(.undo), by: "ann"), .init(.move(id: id, before: nil), by: "ben"),
      .init(.clearCompleted, by: "ann"), .init(.history(.undo), by: "ann"),
    ]
  }

  /// Dispatches steps to a daemon, each as its author.
  ///
  /// - Returns: the lines of the daemon's log.
  private func lines(
    of daemon: DaemonProcess, after scenario: DuxTesting.Scenario<TodosApp>, from start: Int64
  ) throws -> [JSON] {
    for step in try scenario.wireSteps() {
      _ = try Client(daemon, named: step.author).dispatch(step.action)
    }
    let reader = try Client(daemon, named: "reader")
    try reader.send(["op": "log", "id": 1, "after": .integer(start), "limit": 1_000])
    var lines: [JSON] = []
    while true {
      let line = try reader.next()
      guard line["op"] == "entry" else { return lines }
      lines.append(line)
    }
  }

  @Test func aDaemonAndTheStoresOfAProcessLogTheSame() async throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let opening = try lines(
      of: daemon, after: DuxTesting.Scenario(of: TodosApp(), [Self.first]), from: 0)
    let recorded = try #require(try ScenarioLog.entries(ofDaemon: opening).first)
    let text = try #require(recorded.inputs["uuid"]?.first?.stringValue)
    let id = try #require(UUID(uuidString: text))
    let rest = try lines(
      of: daemon, after: DuxTesting.Scenario(of: TodosApp(), steps(on: id)), from: recorded.seq)
    let entries = try ScenarioLog.entries(ofDaemon: opening + rest)
    #expect(entries.count == 8)

    let ids = try entries.values(of: "uuid", as: UUID.self)
    let dates = try entries.values(of: "date", as: Date.self)
    let scenario = DuxTesting.Scenario(of: TodosApp(), [Self.first] + steps(on: id)) {
      $0.uuid = Source("uuid", giving: ids, last: id)
      $0.date = Source("date", giving: dates, last: .distantPast)
    }
    let log = try await scenario.logOfStore()
    #expect(log.entries == entries)
    #expect(try await scenario.logOfTestStore() == log)
    #expect(try await scenario.logOfHostedApp() == log)
    #expect(try Client(daemon, named: "reader").get().value?.bytes == log.state.bytes)
    try daemon.killAndStart()
    #expect(try Client(daemon, named: "reader").get().value?.bytes == log.state.bytes)
  }
}

extension [ScenarioLog.Entry] {
  /// What a source gave while the entries were reduced.
  fileprivate func values<Value: Decodable>(
    of source: String, as type: Value.Type
  ) throws -> [Value] {
    try flatMap { $0.inputs[source] ?? [] }.map { try StateCoder.decode(Value.self, from: $0) }
  }
}

extension Source {
  /// A source that gives some values once, and one ever after.
  fileprivate init(_ name: String, giving values: [Value], last: Value) {
    let left = Mutex(values[...])
    self.init(name) { left.withLock { $0.popFirst() } ?? last }
  }
}
