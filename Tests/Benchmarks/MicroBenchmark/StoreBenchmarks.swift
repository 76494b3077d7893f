import DuxJSON
import DuxStore

/// Actions through the apps, as the daemon hosts them.
extension Benchmark {
  static let stores = [
    Benchmark("reduce", "take one doc/set with 10,000 items", rounds: 64, operations: 64) {
      let round = Reducing(try Inputs.documentStore())
      var step = 1
      return { meter in
        let actions = try (0..<64).map { try WireAction(Inputs.action(step + $0)) }
        step += 64
        try round.take(actions, meter)
      }
    },
    Benchmark(
      "reduce-typed", "take one action of a row of a Swift app's table of 10,000 rows", rounds: 64,
      operations: 64
    ) {
      let round = Reducing(
        try HostedApp(Leased(TableApp(size: Inputs.itemCount)), limits: Inputs.stateLimits))
      var step = 1
      return { meter in
        let actions = try (0..<64).map { offset in
          let id = (step + offset) * 7_919 % Inputs.itemCount
          let payload: JSON = [
            "id": .integer(Int64(id)), "action": .string("title \(step + offset)"),
          ]
          return try WireAction(["type": "row/rename", "payload": payload])
        }
        step += 64
        try round.take(actions, meter)
      }
    },
  ]
}

/// A store that takes actions while the states before are still held, as the daemon holds the one
/// that is on disk.
private final class Reducing {
  private var store: any HostedStore
  private var former: any HostedStore
  private let context = DispatchContext(author: Inputs.client(1))

  init(_ store: any HostedStore) {
    self.store = store
    former = store
  }

  func take(_ actions: [WireAction], _ meter: Meter) throws {
    try meter.measure {
      for action in actions {
        former = store
        let step = try store.dispatch([action], context)
        guard step.patch.operations.count == 1 else { throw BenchmarkFault("nothing changed") }
        keep(step)
      }
    }
  }
}

private struct Row: Identifiable, Codable, Equatable, Sendable {
  let id: Int
  var title: String
  var isDone = false
}

private struct TableApp: App {
  struct State: Codable, Equatable, Sendable {
    var title = "rows"
    var rows = Table<Int, Row>()
  }

  enum Action: Codable, Equatable, Sendable {
    case clear
    case row(id: Int, action: RowReducer.Action)
  }

  let name = "table"
  var initialState = State()

  init(size: Int) throws {
    initialState.rows = try Table((0..<size).map { Row(id: $0, title: "row number \($0)") })
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      if case .clear = action { state.rows = Table() }
      return .none
    }
    .forEach(\.rows, action: Action.row(id:action:)) { RowReducer() }
  }
}

private struct RowReducer: Reducer {
  enum Action: Codable, Equatable, Sendable {
    case rename(String)
    case toggle
  }

  func reduce(into state: inout Row, action: Action) -> Effect<Action> {
    switch action {
    case .rename(let title): state.title = title
    case .toggle: state.isDone.toggle()
    }
    return .none
  }
}
