import DuxStore
import Testing

@testable import DuxTerminal

struct ListTests {
  private struct Row: Identifiable, Codable, Equatable, Sendable {
    var id: Int
    var title: String { "row \(id)" }

    init(_ id: Int) { self.id = id }
  }

  private func rows(_ ids: some Sequence<Int>) -> ArrayRows<Row> { ArrayRows(ids.map(Row.init)) }

  private func list(
    _ rows: ArrayRows<Row>, _ position: ListPosition<Int>, isFocused: Bool = true
  ) -> List {
    List(rows, position, name: "rows", isFocused: isFocused) { row, context in
      Text((context.isSelected ? ">" : " ") + row.title)
    }
  }

  private func grid(_ rows: ArrayRows<Row>, _ position: ListPosition<Int>, _ height: Int) -> Grid {
    render(list(rows, position), size: Size(columns: 12, rows: height))
  }

  /// The rows that are seen, the selected one with its mark.
  private func seen(_ rows: ArrayRows<Row>, _ position: ListPosition<Int>, _ height: Int)
    -> [String]
  {
    grid(rows, position, height).lines.map {
      $0.replacing("row ", with: "").filter { "0123456789>".contains($0) }
    }
  }

  @Test func theSelectedRowIsAlwaysSeen() {
    let rows = rows(0..<100)
    var position = ListPosition<Int>()
    #expect(seen(rows, position, 3) == [">0", "1", "2"])
    position.move(by: 4, in: rows)
    #expect(seen(rows, position, 3) == ["2", "3", ">4"])
    position.moveToEnd(in: rows)
    #expect(seen(rows, position, 3) == ["97", "98", ">99"])
    #expect(seen(rows, position, 1) == [">99"])
    position.moveToStart(in: rows)
    position.move(by: -7, in: rows)
    #expect(seen(rows, position, 3) == [">0", "1", "2"])
  }

  @Test func aListThatKnowsItsViewportScrollsNoFurtherThanItMust() {
    let rows = rows(0..<100)
    var position = ListPosition<Int>()
    func press(_ code: Key.Code, _ expected: [String]) {
      let layout = grid(rows, position, 3).layout
      position.take(.key(Key(code)), in: rows, layout, name: "rows")
      #expect(seen(rows, position, 3) == expected)
    }
    press(.down, ["0", ">1", "2"])
    press(.down, ["0", "1", ">2"])
    press(.down, ["1", "2", ">3"])
    press(.up, ["1", ">2", "3"])
    press(.up, [">1", "2", "3"])
    press(.up, [">0", "1", "2"])
    press(.pageDown, [">2", "3", "4"])
    press(.pageUp, [">0", "1", "2"])
    press(.end, ["97", "98", ">99"])
    press(.pageDown, ["97", "98", ">99"])
    press(.pageUp, ["95", "96", ">97"])
    press(.home, [">0", "1", "2"])
  }

  @Test func theSelectionStaysWithItsRowAndTheRowOnItsLine() {
    var position = ListPosition<Int>()
    let before = rows(0..<100)
    position.move(by: 50, in: before, Viewport(top: 49, height: 3))
    #expect(seen(before, position, 3) == ["49", ">50", "51"])
    #expect(seen(rows(Array(1000..<1020) + Array(0..<100)), position, 3) == ["49", ">50", "51"])
    #expect(seen(rows(30..<100), position, 3) == ["49", ">50", "51"])
    #expect(seen(rows((0..<100).reversed()), position, 3) == ["51", ">50", "49"])
    #expect(seen(rows([3, 50]), position, 3) == ["3", ">50", ""])
    #expect(position.selection(in: rows([50])) == 50)
  }

  @Test func theRowThatTakesThePlaceOfARemovedOneIsSelected() {
    var position = ListPosition<Int>()
    position.select(5, in: rows(0..<10))
    #expect(position.selection(in: rows([0, 1, 2, 3, 4, 6, 7])) == 6)
    #expect(position.selection(in: rows([0, 1])) == 1)
    #expect(position.selection(in: rows([])) == nil)
    #expect(seen(rows([]), position, 2) == ["", ""])
    position.settle(in: rows([0, 1]))
    #expect(position.selection(in: rows([9, 1, 0])) == 1)
  }

  @Test func movingInNothingChangesNothing() {
    var position = ListPosition<Int>()
    let none = rows([])
    for distance in [1, -1, .max, .min] { position.move(by: distance, in: none) }
    position.movePage(1, in: none, Viewport(top: .max, height: 0))
    position.scroll(by: .max, in: none, Viewport(top: 0, height: 3))
    position.moveToEnd(in: none)
    position.select(7, in: none)
    #expect(position.selection(in: rows([1, 2])) == 1)
  }

  @Test func farMovesEndAtTheLastRow() {
    var position = ListPosition<Int>()
    position.move(by: .max, in: rows(0..<5))
    #expect(position.selection(in: rows(0..<5)) == 4)
    position.move(by: .min, in: rows(0..<5))
    #expect(position.selection(in: rows(0..<5)) == 0)
  }

  @Test func theMouseSelectsAndScrolls() {
    let rows = rows(0..<100)
    var position = ListPosition<Int>()
    func take(_ action: Mouse.Action, _ row: Int) -> Bool {
      let layout = grid(rows, position, 4).layout
      let event = InputEvent.mouse(Mouse(action, at: Position(row: row, column: 2)))
      return position.take(event, in: rows, layout, name: "rows")
    }
    #expect(take(.press(.left), 2))
    #expect(seen(rows, position, 4) == ["0", "1", ">2", "3"])
    #expect(take(.wheelDown, 0))
    #expect(seen(rows, position, 4) == [">3", "4", "5", "6"])
    #expect(take(.wheelUp, 0))
    #expect(seen(rows, position, 4) == ["0", "1", "2", ">3"])
    #expect(!take(.move, 0))
    #expect(!take(.press(.left), 9))
  }

  @Test func aBarShowsWhatPartIsSeen() {
    let rows = rows(0..<8)
    var position = ListPosition<Int>()
    func bar() -> String {
      grid(rows, position, 4).lines.map { String($0.suffix(1)) }.joined()
    }
    #expect(bar() == "┃┃││")
    position.move(by: 4, in: rows)
    #expect(bar() == "│┃┃│")
    position.moveToEnd(in: rows)
    #expect(bar() == "││┃┃")
    #expect(!grid(self.rows(0..<4), position, 4).text.contains("│"))
  }

  @Test func theSelectedRowLooksOtherwiseWithoutColours() {
    let grid = grid(rows(0..<3), ListPosition(), 3)
    #expect(grid[0, 11].style == TextStyle(attributes: .reverse))
    #expect(grid[1, 0].style == .plain)
    let idle = render(
      list(rows(0..<3), ListPosition(), isFocused: false), size: Size(columns: 12, rows: 3))
    #expect(idle[0, 0].style == TextStyle(attributes: [.bold, .underline]))
  }

  @Test func rowsMayTakeSeveralLines() {
    let list = List(rows(0..<9), ListPosition(selecting: 4), rowHeight: 2) { row, _ in
      Text("\(row.id)\nmore")
    }
    #expect(
      lines(of: list, 3, 5) == ["4", "mo…", "5", "mo…", "6"])
    #expect(lines(of: list, 3, 1) == ["4"])
  }

  @Test func onlyRowsThatAreSeenAreMade() {
    final class Counter { var made = 0 }
    let counter = Counter()
    func made(_ count: Int) -> Int {
      counter.made = 0
      let rows = IndexRows(count: count) { index in
        counter.made += 1
        return index
      }
      var position = ListPosition<Int>()
      position.move(by: count / 2, in: rows)
      _ = render(
        List(rows, position) { row, _ in Text("\(row)") }, size: Size(columns: 80, rows: 50))
      return counter.made
    }
    #expect(made(1_000_000) == 50)
    #expect(made(100) == 50)
  }

  @Test func tablesOfAStoreAreRows() throws {
    let table = try Table((0..<1_000).map(Row.init))
    var position = ListPosition<Int>()
    position.select(500, in: table)
    let list = List(table, position) { row, _ in Text(row.title) }
    #expect(lines(of: list, 9, 2) == ["row 499 │", "row 500 ┃"])
    var shorter = table
    shorter.remove(id: 3)
    #expect(position.index(in: shorter) == 499)
  }

  @Test func pickedRowsKeepTheOrderOfTheirIDs() {
    let picked = PickedRows([5, 3, 77, 9], of: rows(0..<10))
    #expect(picked.count == 3)
    #expect((-1..<4).map { picked.row(at: $0)?.id } == [nil, 5, 3, 9, nil])
    #expect(picked.index(of: 9) == 2)
    #expect(picked.index(of: 77) == nil)
  }

  @Test func columnsShareTheWidth() {
    let columns: [TableView<Row>.Column] = [
      .init("id", .fixed(3), alignment: .trailing) { Text("\($0.id)") },
      .init("title") { Text($0.title) },
      .init("more") { _ in Text("a long text") },
    ]
    let table = TableView(rows(0..<3), ListPosition(), columns: columns)
    #expect(
      lines(of: table, 20, 5) == [
        " id title   more", "────────────────────", "  0 row 0   a long…", "  1 row 1   a long…",
        "  2 row 2   a long…",
      ])
    #expect(lines(of: table, 2, 1) == [""] || lines(of: table, 2, 1).count == 1)
  }
}
