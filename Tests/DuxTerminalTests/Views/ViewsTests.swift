import DuxClient
import Testing

@testable import DuxTerminal

struct ViewsTests {
  private func grid(_ view: some View, _ columns: Int, _ rows: Int = 1) -> Grid {
    render(view, size: Size(columns: columns, rows: rows))
  }

  @Test func aFieldShowsItsTextAndTheCursor() {
    let field = grid(TextField(Draft("hello")), 10)
    #expect(field.text == "hello")
    #expect(field.cursor == Position(row: 0, column: 5))
    #expect(field[0, 9].style == Theme.standard[.field])
    #expect(grid(TextField(Draft("hello"), isFocused: false), 10).cursor == nil)
  }

  @Test func aFieldShowsThePartAroundTheCursor() {
    var draft = Draft("abcdefghijklmnopqrstuvwxyz")
    #expect(grid(TextField(draft), 10).text == "uvwxyz")
    #expect(grid(TextField(draft), 10).cursor == Position(row: 0, column: 6))
    draft.moveToStart()
    #expect(grid(TextField(draft), 10).text == "abcdefghij")
    for columns in 0...12 {
      for _ in 0..<draft.text.count {
        let grid = grid(TextField(draft), columns)
        #expect(columns == 0 || grid.cursor.map { $0.column < columns } == true)
        draft.moveRight()
      }
      draft.moveToStart()
    }
  }

  @Test func aFieldCutsWideCharactersAtItsEdges() {
    let draft = Draft(String(repeating: "漢", count: 20))
    for columns in 1...9 {
      let grid = grid(TextField(draft), columns)
      #expect(grid.isWhole)
      #expect(grid.cursor != nil)
    }
  }

  @Test func secretsAreDots() {
    let field = grid(TextField(Draft("héllo漢"), entry: .secure), 10)
    #expect(field.text == "••••••")
    #expect(field.cursor == Position(row: 0, column: 6))
  }

  @Test func anEmptyFieldSaysWhatItIsFor() {
    let field = grid(TextField(Draft(), placeholder: "Name"), 10)
    #expect(field.text == "Name")
    #expect(field.cursor == Position(row: 0, column: 0))
  }

  @Test func aSheetLiesOverDimmedContent() {
    let below = VStack {
      for _ in 0..<5 { Text("xxxxxxxxxxxx").target("below") }
    }
    let view = below.sheet("Add") { TextField(Draft("hi")).frame(width: 4) }
    let grid = grid(view, 12, 5)
    #expect(
      grid.lines == [
        "xxxxxxxxxxxx", "xx┌ Add ┐xxx", "xx│ hi  │xxx", "xx└─────┘xxx", "xxxxxxxxxxxx",
      ]
        || grid.lines[2].contains("│ hi"))
    #expect(grid[0, 0].style == TextStyle(attributes: .dim))
    #expect(grid.cursor?.row == 2)
    #expect(grid.layout.target(at: Position(row: 0, column: 0)) == nil)
    let none = below.sheet("Add") {}
    #expect(self.grid(none, 12, 5).layout.target(at: Position(row: 0, column: 0))?.name == "below")
  }

  @Test func aToastLiesInTheCorner() {
    let view = Text("a").filling().toast { Banner("saved", .success) }
    #expect(lines(of: view, 14, 2) == ["a", "      ✓ saved"])
  }

  @Test(arguments: [
    (0.0, "░░░░░   0%"), (0.5, "██▌░░  50%"), (1.0, "█████ 100%"), (-3, "░░░░░   0%"),
    (.nan, "░░░░░   0%"), (.infinity, "█████ 100%"), (0.999, "████▉  99%"),
  ])
  func progressIsHeldBetweenNothingAndAll(_ fraction: Double, _ expected: String) {
    #expect(lines(of: ProgressBar(fraction), 10, 1) == [expected])
  }

  @Test func aSpinnerTurnsWithTheTime() {
    #expect(lines(of: Spinner(nowMs: 0), 1, 1) == ["⠋"])
    #expect(lines(of: Spinner(nowMs: 199), 1, 1) == ["⠙"])
    #expect(lines(of: Spinner(nowMs: -1), 1, 1) == ["⠋"])
    #expect(lines(of: Spinner(nowMs: .min), 1, 1).first?.count == 1)
  }

  @Test func theStatusLineSaysHowThingsStand() {
    func line(_ status: ConnectionStatus, _ pending: Int = 0) -> String {
      lines(
        of: StatusLine(
          "todos", status: status, pendingCount: pending, who: ["ann", "bob"], nowMs: 100_000),
        70, 1
      )[0]
    }
    #expect(line(.live).hasPrefix(" todos  ● live"))
    #expect(line(.live).hasSuffix("ann, bob"))
    #expect(line(.live, 2).contains("↑2 pending"))
    #expect(line(.connecting).contains("◌ connecting"))
    #expect(line(.stale(sinceMs: 30_000)).contains("◐ stale for 1 min"))
    #expect(
      line(.offline(sinceMs: nil, reason: "refused", retryAtMs: 103_500))
        .contains("○ offline: refused, next try in 3 s"))
    #expect(
      line(.offline(sinceMs: 40_000, reason: "refused", retryAtMs: 0))
        .contains("○ offline for 1 min: refused, next try in 0 s"))
    #expect(line(.stale(sinceMs: .min)).contains("stale"))
  }

  @Test func helpListsKeysBesideWhatTheyDo() {
    let help = [(keys: "a Ctrl-N", help: "Add"), (keys: "q", help: "Quit")]
    #expect(lines(of: KeyHelp(help), 20, 2) == ["a Ctrl-N  Add", "q         Quit"])
    #expect(lines(of: KeyHints(help), 20, 1) == ["a Ctrl-N Add  q Quit"])
    #expect(lines(of: KeyHints(help), 19, 1) == ["a Ctrl-N Add"])
    let more = [("a", "Add"), ("r", "Rename"), ("?", "Keys"), ("q", "Quit")]
    #expect(lines(of: KeyHints(more), 33, 1) == ["a Add  r Rename  ? Keys  q Quit"])
    #expect(lines(of: KeyHints(more), 30, 1) == ["a Add  ? Keys  q Quit"])
    #expect(lines(of: KeyHints(more), 14, 1) == ["? Keys  q Quit"])
    #expect(lines(of: KeyHints(more), 3, 1) == [""])
  }

  @Test func aNarrowStatusLineKeepsWhatIsAtStakeBeforeTheReason() {
    let status = ConnectionStatus.offline(
      sinceMs: 98_000, reason: "cannot connect to 127.0.0.1:7389: connection refused",
      retryAtMs: 103_500)
    func line(_ columns: Int) -> String {
      lines(
        of: StatusLine(
          "todos", status: status, pendingCount: 3, who: ["ann", "bob"], nowMs: 100_000),
        columns, 1
      )[0]
    }
    #expect(line(60) == " todos  ○ offline for 2 s: cannot connect to…  ↑3 pending")
    #expect(line(40) == " todos  ○ offline for 2 …  ↑3 pending")
  }

  @Test func tabsMarkTheOneThatIsSeen() {
    let tabs = Tabs(["State", "Log"], selected: 1)
    let grid = grid(tabs, 20)
    #expect(grid.text == " State  [Log]")
    #expect(grid.layout.target(at: Position(row: 0, column: 9)) == Target("tabs", row: 1))
  }

  @Test func treesAreIndented() {
    let tree = VStack {
      TreeRow(depth: 0, .open) { Text("root") }
      TreeRow(depth: 1, .closed) { Text("child") }
      TreeRow(depth: 1) { Text("leaf") }
    }
    #expect(lines(of: tree, 12, 3) == ["▾ root", "  ▸ child", "    leaf"])
  }

  @Test func focusGoesRound() {
    enum Field: CaseIterable { case first, second }
    var focus = Focus(Field.first)
    focus.moveBackward()
    #expect(focus.field == .second)
    let isTaken = focus.take(.key(Key(.tab)))
    #expect(isTaken)
    #expect(focus.field == .first)
  }
}
