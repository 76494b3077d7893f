import DuxJSON
import DuxStore
import Glibc

/// Prints what one action of a hosted app costs by the size of its state: reading the action,
/// reducing it, seeing the new state as JSON, the patch and the patch's text, in microseconds of this
/// thread's processor time, and the bytes of the patch.
///
/// Beside it stands what leases add to a small document, as the daemon serves it: none ever granted,
/// and one held.
///
/// Sizes are the arguments: 1,000, 100,000 and 1,000,000 rows without any. The last lines are of a
/// state that holds its rows in a plain array, which is compared whole; they stop at 100,000 rows.
@main
enum StoreBenchmark {
  static func main() throws {
    let given = CommandLine.arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
    let sizes = given.isEmpty ? [1_000, 100_000, 1_000_000] : given
    print("| state | rows | action | µs | bytes |\n|---|--:|---|--:|--:|")
    for size in sizes {
      var run = try Run(TableApp(size: size), "Table", size: size, steps: 10_000)
      try run.measure("row/toggle") { ["id": .integer(Int64($0.below(size)))] }
      try run.measure("rename") { .string("title \($0.below(1_000_000))") }
      var next = Int64(size)
      try run.measure("add") { _ in
        next += 1
        return .integer(next)
      }
      try run.measure("remove") { _ in
        next -= 1
        return .integer(next + 1)
      }
    }
    try measureLeases()
    for size in sizes where size <= 100_000 {
      var run = try Run(ArrayApp(size: size), "[Row]", size: size, steps: 10)
      try run.measure("toggle") { .integer(Int64($0.below(size))) }
    }
  }
}

extension StoreBenchmark {
  private static func measureLeases() throws {
    let app = DocumentApp(limits: StateLimits(maximumDepth: 100, maximumBytes: 1 << 30))
    let increment: JSON = ["path": "/n"]
    var plain = try Run(app, "document", size: 1, steps: 100_000)
    var leased = try Run(Leased(app), "document, leases", size: 1, steps: 100_000)
    var held = try Run(Leased(app), "document, one held", size: 1, steps: 100_000)
    try plain.begin("doc/set", ["path": "/n", "value": 0])
    try leased.begin("doc/set", ["path": "/n", "value": 0])
    try held.begin("doc/set", ["path": "/n", "value": 0])
    try held.begin("@lease/acquire", ["name": "a", "ttlMs": 60_000])
    for _ in 0..<3 {
      try plain.measure("doc/increment") { _ in increment }
      try leased.measure("doc/increment") { _ in increment }
      try held.measure("doc/increment") { _ in increment }
    }
  }
}

private struct Row: Identifiable, Codable, Equatable, Sendable {
  var id: Int
  var title: String
  var isDone = false

  init(id: Int) {
    self.id = id
    title = "row number \(id)"
  }
}

private struct TableApp: App {
  struct State: Codable, Equatable, Sendable {
    var title = "rows"
    var rows = Table<Int, Row>()
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Int)
    case remove(Int)
    case rename(String)
    case row(id: Int, action: RowReducer.Action)
  }

  let name = "table"
  var initialState = State()

  init(size: Int) throws {
    initialState.rows = try Table((0..<size).map(Row.init))
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add(let id): try state.rows.append(Row(id: id))
      case .remove(let id): state.rows.remove(id: id)
      case .rename(let title): state.title = title
      case .row: break
      }
      return .none
    }
    .forEach(\.rows, action: Action.row(id:action:)) { RowReducer() }
  }
}

private struct RowReducer: Reducer {
  enum Action: Codable, Equatable, Sendable {
    case toggle
  }

  func reduce(into state: inout Row, action: Action) -> Effect<Action> {
    state.isDone.toggle()
    return .none
  }
}

private struct ArrayApp: App {
  struct State: Codable, Equatable, Sendable {
    var rows: [Row]
  }

  enum Action: Codable, Equatable, Sendable {
    case toggle(Int)
  }

  let name = "array"
  let initialState: State

  init(size: Int) {
    initialState = State(rows: (0..<size).map(Row.init))
  }

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    guard case .toggle(let index) = action, state.rows.indices.contains(index) else {
      throw Rejection(reason: "missing", message: "there is no such row")
    }
    state.rows[index].isDone.toggle()
    return .none
  }
}

/// A hosted app and what is measured of it.
private struct Run<Hosted: App> {
  private var store: HostedApp<Hosted>
  private var random = Random()
  private let kind: String
  private let size: Int
  private let steps: Int

  init(_ app: Hosted, _ kind: String, size: Int, steps: Int) throws {
    store = try HostedApp(
      app, limits: StateLimits(maximumDepth: 100, maximumBytes: 1 << 30))
    self.kind = kind
    self.size = size
    self.steps = steps
  }

  /// Takes an action that is not measured.
  mutating func begin(_ type: String, _ payload: JSON) throws {
    let action = try WireAction(["type": .string(type), "payload": payload])
    _ = try store.dispatch([action], DispatchContext(author: "benchmark"))
  }

  /// Takes one kind of action many times, and prints what one of them takes.
  mutating func measure(_ type: String, _ payload: (inout Random) -> JSON) throws {
    let actions = try (0..<steps).map { _ in
      try WireAction(["type": .string(type), "payload": payload(&random)])
    }
    let context = DispatchContext(author: "benchmark")
    var text: [UInt8] = []
    var bytes = 0
    // The state before is kept, as the daemon keeps the one on disk.
    var durable = store
    let begin = threadNanoseconds()
    for action in actions {
      let step = try store.dispatch([action], context)
      text.removeAll(keepingCapacity: true)
      step.patch.write(into: &text)
      bytes += text.count
      durable = store
    }
    let microseconds = Double(threadNanoseconds() - begin) / 1_000 / Double(steps)
    precondition(durable.view == store.view)
    print(
      "| \(kind) | \(size) | \(type) | \((microseconds * 100).rounded() / 100) |"
        + " \(bytes / steps) |")
  }
}

/// Pseudo-random numbers, the same in every run.
private struct Random {
  private var state: UInt64 = 42

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}

private func threadNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
