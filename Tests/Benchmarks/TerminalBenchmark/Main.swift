import DuxClient
import DuxStore
import DuxTerminal
import Glibc

/// Prints what a frame costs, and how many cells it changes.
///
/// In microseconds of this thread's processor time: making the view, laying it out and drawing it,
/// and beside it finding the changed cells. What the terminal does with those is not in it. The first
/// argument is the number of frames of each row, 2,000 without it.
@main
enum TerminalBenchmark {
  static func main() throws {
    let frames = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2_000
    let run = Run(frames: max(frames, 1))
    print("| view | rows | size | frame | µs | changes µs | cells |\n|---|--:|--:|---|--:|--:|--:|")
    for size in [Size(columns: 80, rows: 24), Size(columns: 200, rows: 60)] {
      for count in [100, 10_000, 1_000_000] {
        try run.measureLists(count, size)
      }
    }
    run.measureText(Size(columns: 200, rows: 60))
  }
}

private struct Row: Identifiable, Codable, Equatable, Sendable {
  var id: Int
  var title: String
  var isDone = false

  init(_ id: Int) {
    self.id = id
    title = "row number \(id), with a title of some length"
  }
}

private struct Run {
  let frames: Int

  /// A list over a table of a store: one row further down in each frame, then rows added above.
  func measureLists(_ count: Int, _ size: Size) throws {
    var table = try Table((0..<count).map(Row.init))
    var position = ListPosition<Int>()
    let name = "`List` over `Table`"
    var layout = Layout()
    measure(name, count, size, "one row down") { _ in
      position.take(.key(Key(.down)), in: table, layout, name: "rows")
      let grid = render(screen(table, position), size: size)
      layout = grid.layout
      return grid
    }
    position.select(count / 2, in: table)
    measure(name, count, size, "one title changed") { frame in
      table[id: count / 2]?.title = "changed \(frame)"
      return render(screen(table, position), size: size)
    }
    var next = count
    measure(name, count, size, "one row added above") { _ in
      try? table.insert(Row(next), at: 0)
      next += 1
      return render(screen(table, position), size: size)
    }
  }

  /// Every cell written, and every one another in each frame.
  func measureText(_ size: Size) {
    measure("`Text` in all cells, ASCII", 0, size, "all cells changed") { frame in
      let letter = Character(Unicode.Scalar(UInt8(97 + frame % 26)))
      let line = String(repeating: letter, count: size.columns)
      return render(lines(line, size), size: size)
    }
    measure("`Text` in all cells, wide", 0, size, "all cells changed") { frame in
      let line = String(repeating: frame % 2 == 0 ? "漢" : "字", count: size.columns / 2)
      return render(lines(line, size), size: size)
    }
  }

  private func lines(_ line: String, _ size: Size) -> some View {
    VStack {
      for _ in 0..<size.rows { Text(line).truncated() }
    }
  }

  private func screen(_ table: Table<Int, Row>, _ position: ListPosition<Int>) -> some View {
    VStack {
      Border("Rows") {
        List(table, position, name: "rows") { row, _ in
          HStack {
            Text(row.isDone ? "✓" : " ").role(.success)
            Text(row.title).truncated()
            Spacer()
            Text("#\(row.id)").role(.secondary)
          }
        }
      }
      KeyHints([("q", "Quit"), ("a", "Add"), ("?", "Help")])
      StatusLine("rows", status: .live, who: ["ann", "bob"])
    }
  }

  private func measure(
    _ view: String, _ count: Int, _ size: Size, _ what: String, _ draw: (Int) -> Grid
  ) {
    var shown = draw(0)
    var drawing: Int64 = 0
    var comparing: Int64 = 0
    var cells = 0
    for frame in 1...frames {
      let begin = threadNanoseconds()
      let grid = draw(frame)
      let drawn = threadNanoseconds()
      let changes = grid.changes(from: shown)
      comparing += threadNanoseconds() - drawn
      drawing += drawn - begin
      cells += changes.reduce(0) { $0 + $1.columns.count }
      shown = grid
    }
    print(
      "| \(view) | \(count) | \(size.columns)×\(size.rows) | \(what) |"
        + " \(microseconds(drawing)) | \(microseconds(comparing)) | \(cells / frames) |")
  }

  private func microseconds(_ nanoseconds: Int64) -> Double {
    (Double(nanoseconds) / 100 / Double(frames)).rounded() / 10
  }
}

private func threadNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
