import Testing

@testable import DuxTerminal

struct GridTests {
  private static let wide = TextUnit(text: "漢", width: 2)
  private static let narrow = TextUnit(text: "a", width: 1)

  private func grid(_ columns: Int, _ rows: Int = 1) -> Grid {
    Grid(size: Size(columns: columns, rows: rows))
  }

  @Test func writingOverHalfOfAWideCharacterBlanksTheOtherHalf() {
    for column in 0...3 {
      var grid = grid(4)
      grid.put(Self.wide, style: .plain, row: 0, column: 1)
      grid.put(Self.narrow, style: .plain, row: 0, column: column)
      let expected = ["a漢", " a", "  a", " 漢a"][column]
      #expect(grid.text == expected)
      #expect(grid.isWhole)
    }
  }

  @Test func wideOverWideLeavesNoHalf() {
    for column in 0...3 {
      var grid = grid(6)
      grid.put(Self.wide, style: .plain, row: 0, column: 0)
      grid.put(Self.wide, style: .plain, row: 0, column: 2)
      grid.put(TextUnit(text: "字", width: 2), style: .plain, row: 0, column: column)
      #expect(grid.text == ["字漢", " 字", "漢字", "漢 字"][column])
      #expect(grid.isWhole)
    }
  }

  @Test func aWideCharacterDoesNotReachOverTheBorder() {
    var grid = grid(3, 2)
    grid.put(Self.wide, style: .plain, row: 0, column: 2)
    #expect(grid.text == "\n")
    #expect(grid.isWhole)
  }

  @Test func whatIsWrittenOutsideIsNotThere() {
    var grid = grid(2, 2)
    for (row, column) in [(-1, 0), (0, -1), (2, 0), (0, 2), (.max, .max), (.min, .min)] {
      grid.put(Self.wide, style: .plain, row: row, column: column)
      #expect(grid[row, column] == .blank)
    }
    #expect(grid == self.grid(2, 2))
    #expect(grid[row: 5].isEmpty)
    #expect(Grid(size: .zero).text == "")
  }

  @Test func sizesAreHeldToWhatCanBe() {
    #expect(Size(columns: -3, rows: .max) == Size(columns: 0, rows: Size.longest))
    #expect(Size(columns: .min, rows: 0) == .zero)
  }

  @Test func onlyRunsOfChangedCellsAreNamed() {
    var old = grid(8)
    old.put(Self.narrow, style: .plain, row: 0, column: 0)
    var new = old
    #expect(new.changes(from: old).isEmpty)
    new.put(Self.narrow, style: .plain, row: 0, column: 3)
    new.put(Self.narrow, style: .plain, row: 0, column: 4)
    new.put(Self.narrow, style: TextStyle(attributes: .bold), row: 0, column: 0)
    #expect(
      new.changes(from: old) == [Change(row: 0, columns: 0..<1), Change(row: 0, columns: 3..<5)])
    #expect(new[Change(row: 0, columns: 3..<5)].map(\.text) == ["a", "a"])
  }

  @Test func aChangedHalfChangesTheWhole() {
    var old = grid(6)
    old.put(Self.wide, style: .plain, row: 0, column: 1)
    old.put(Self.wide, style: .plain, row: 0, column: 3)
    var new = old
    new.put(Self.narrow, style: .plain, row: 0, column: 4)
    #expect(new.changes(from: old) == [Change(row: 0, columns: 3..<5)])
    #expect(old.changes(from: new) == [Change(row: 0, columns: 3..<5)])
  }

  @Test func anotherSizeChangesAllCells() {
    #expect(
      grid(3, 2).changes(from: grid(2, 2)) == [
        Change(row: 0, columns: 0..<3), Change(row: 1, columns: 0..<3),
      ])
    #expect(grid(0, 2).changes(from: grid(2, 2)).isEmpty)
  }

  @Test(arguments: UInt64(1)...20)
  func changesLeadFromAnyGridToAnyOther(_ seed: UInt64) {
    var chance = Chance(seed)
    var old = grid(12, 3)
    for _ in 0..<200 {
      var new = old
      for _ in 0...chance.below(6) {
        let unit = [Self.wide, Self.narrow, .space, TextUnit(text: "🇩🇪", width: 2)][chance.below(4)]
        let style = chance.below(4) == 0 ? TextStyle(attributes: .bold) : .plain
        new.put(unit, style: style, row: chance.below(3), column: chance.below(12))
      }
      #expect(new.isWhole)
      var terminal = old
      let changes = new.changes(from: old)
      for change in changes {
        #expect(new[change].first?.part != .right)
        #expect(new[change].last?.part != .left)
        var column = change.columns.lowerBound
        for cell in new[change] {
          if cell.part != .right {
            let unit = TextUnit(text: cell.text, width: cell.part == .left ? 2 : 1)
            terminal.put(unit, style: cell.style, row: change.row, column: column)
          }
          column += 1
        }
      }
      #expect(terminal == new)
      let changed = changes.map(\.columns.count).reduce(0, +)
      let different = zip(old.cells, new.cells).filter(!=).count
      #expect(changed <= 2 * different)
      old = new
    }
  }
}
