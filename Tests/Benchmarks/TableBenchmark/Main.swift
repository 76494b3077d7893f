import DuxJSON
import DuxStore
import Glibc

/// Prints what an action on a table costs by the table's size: the change itself, its JSON, the
/// patch and the patch's text, in microseconds of this thread's processor time.
///
/// Sizes are the arguments: 1,000, 100,000 and 1,000,000 rows without any.
@main
enum TableBenchmark {
  static func main() throws {
    let sizes = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    print(
      "| rows | action | change | JSON | diff | text | together |\n|--:|---|--:|--:|--:|--:|--:|")
    for size in sizes.isEmpty ? [1000, 100_000, 1_000_000] : sizes where size > 0 {
      var run = try Run(size: size)
      try run.measure("update") { table, random, _ in
        table[id: random.below(size)]?.isDone.toggle()
      }
      try run.measure("append") { table, _, fresh in try table.append(fresh) }
      try run.measure("insert anywhere") { table, random, fresh in
        try table.insert(fresh, at: random.below(table.count))
      }
      try run.measure("insert at one spot") { table, _, fresh in
        try table.insert(fresh, after: size / 2)
      }
      try run.measure("move") { table, random, _ in
        try table.move(random.below(size), to: random.below(table.count))
      }
      try run.measure("remove") { table, random, _ in
        if let row = table[position: random.below(table.count)] { table.remove(id: row.id) }
      }
    }
  }
}

private struct Todo: Identifiable, Codable, Equatable, Sendable {
  var id: Int
  var title: String
  var isDone = false
  var tags = ["a", "b"]

  init(id: Int) {
    self.id = id
    title = "todo number \(id)"
  }
}

/// A table, and what was its JSON before the action that is measured next.
private struct Run {
  private var table: Table<Int, Todo>
  private var json: JSON
  private var random = Random()
  private var nextID: Int
  private let size: Int

  init(size: Int) throws {
    self.size = size
    nextID = size
    table = try Table((0..<size).map(Todo.init))
    json = try table.json
  }

  mutating func measure(
    _ name: String, _ change: (inout Table<Int, Todo>, inout Random, Todo) throws -> Void
  ) throws {
    let count = 2000
    var sums = [0.0, 0.0, 0.0, 0.0]
    for _ in 0..<count {
      // The version before is held, as a store does while it reduces.
      let before = table
      let fresh = Todo(id: nextID)
      nextID += 1
      let started = processorTime()
      try change(&table, &random, fresh)
      let changed = processorTime()
      let next = try table.json
      let mirrored = processorTime()
      let patch = JSONPatch.diff(from: json, to: next)
      let compared = processorTime()
      _ = patch.json.bytes.count
      let marks = [started, changed, mirrored, compared, processorTime()]
      for index in sums.indices { sums[index] += marks[index + 1] - marks[index] }
      withExtendedLifetime(before) { json = next }
    }
    let means = (sums + [sums.reduce(0, +)]).map { ($0 / Double(count) * 10).rounded() / 10 }
    let cells = means.map { "\($0)" }.joined(separator: " | ")
    print("| \(size) | \(name) | \(cells) |")
  }
}

/// The same numbers in each run.
private struct Random {
  private var state: UInt64 = 7

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}

private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}
