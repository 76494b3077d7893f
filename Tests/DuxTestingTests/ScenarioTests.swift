import DuxJSON
import DuxStore
import DuxTesting
import Foundation
import Testing

struct ScenarioTests {
  struct ShopApp: App {
    let name = "shop"
    let initialState = Shop.State()
    var startAction: Shop.Action? { .rename("started") }
    var middleware: [any Middleware<Shop.State, Shop.Action>] { [Doubling()] }
    var body: some Reducer<Shop.State, Shop.Action> { Shop() }
    var commands: [CommandHandler<Shop.Action>] {
      [
        CommandHandler(
          Shop.Buy.self, failed: { error, _, _ in .failed("\(error)") },
          run: { command, _ in .bought(command.number) })
      ]
    }
  }

  /// Turns `add` into another one.
  struct Doubling: Middleware {
    let name = "doubling"

    func process(
      _ action: Shop.Action, in state: Shop.State, _ context: DispatchContext
    ) -> Passage<Shop.Action> {
      if case .add(let number) = action, context.origin == .outside {
        return .replace(with: .add(2 * number))
      }
      return .pass()
    }
  }

  static let scenario = Scenario(
    of: ShopApp(),
    [
      .init(.add(1), by: "ann"), .init(.load, by: "ben"), .init(.refuse, by: "ann"),
      .init(.both(3, 4), by: "cy"), .init(.nothing, by: "ann"), .init(.stamp, by: "ben"),
      .init(.ring(5), by: "ann"), .init(.buy(2), by: "ben"), .init(.countdown(3), by: "ann"),
      .init(.rename("x"), by: "cy"),
    ]
  ) {
    $0.date = .stepping(from: Date(timeIntervalSince1970: 100))
    $0.clock = ImmediateClock()
  }

  @Test func theSameScenarioGivesTheSameLogOnEachKindOfStore() async throws {
    let log = try await Self.scenario.logOfStore()
    #expect(try await Self.scenario.logOfTestStore() == log)
    #expect(try await Self.scenario.logOfHostedApp() == log)
    #expect(log.entries.map(\.seq) == Array(1...18))
    #expect(log.rejections == [2: "unwanted"])
    #expect(log.entries.first?.author == "@duxd")
    #expect(log.entries.dropFirst().first?.action == ["type": "add", "payload": 2])
    #expect(log.entries.compactMap { $0.inputs["date"] } == [[.integer(100_000)]])
    #expect(log.entries.filter { $0.author == "cy" }.map(\.cause) == [nil, 5, 5, nil])
    #expect(log.state["count"] == 7)
  }

  @Test func aDaemonsLogIsReadTheSameWay() throws {
    let lines: [JSON] = [
      [
        "op": "entry", "seq": 1, "time": 5, "client": "ann", "n": 1,
        "actions": [["type": "both", "payload": ["_0": 3, "_1": 4]]], "patch": [],
      ],
      [
        "op": "entry", "seq": 2, "time": 5, "client": "@duxd",
        "actions": [
          [
            "type": "add", "payload": 3,
            "meta": ["dux": ["cause": 1, "author": "ann", "inputs": ["date": [7]]]],
          ]
        ],
        "patch": [["op": "replace", "path": "/count", "value": 3]],
      ],
    ]
    let entries = try ScenarioLog.entries(ofDaemon: lines)
    #expect(entries.map(\.author) == ["ann", "ann"])
    #expect(entries.map(\.cause) == [nil, 1])
    #expect(entries.map(\.isChanged) == [false, true])
    #expect(entries.last?.action == ["type": "add", "payload": 3])
    #expect(entries.last?.inputs == ["date": [7]])
  }

  @Test func theStepsAreWrittenAsAClientSendsThem() throws {
    let steps = try Self.scenario.wireSteps()
    #expect(steps.count == 10)
    #expect(steps[3].action == ["type": "both", "payload": ["_0": 3, "_1": 4]])
    #expect(steps[3].author == "cy")
  }
}
