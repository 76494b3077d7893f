import DuxClient
import Testing

@testable import DuxTerminal

/// Any views in any room: nothing traps, and no wide character is ever cut in two.
struct RandomViewTests {
  /// Makes views out of chance.
  private struct Maker {
    var chance: Chance

    private static let texts = [
      "", "a", "hello world", "漢字かな", "👨‍👩‍👧 family", "e\u{301}e\u{301}", "\u{1B}[2J", "🇩🇪🇫🇷", "a\nb\n漢",
      "\u{202E}abc", "क्षि कि", "long long long long long long", "\t\r\n\u{0}",
    ]

    private mutating func text() -> String { Self.texts[chance.below(Self.texts.count)] }

    private mutating func number() -> Int {
      [0, 1, 2, 3, 5, 17, -1, .max, .min][chance.below(9)]
    }

    private mutating func alignment() -> Alignment {
      [.topLeading, .center, .bottomTrailing, .top, .trailing][chance.below(5)]
    }

    private mutating func children(_ depth: Int) -> [AnyView] {
      (0..<chance.below(5)).map { _ in view(depth - 1) }
    }

    mutating func view(_ depth: Int) -> AnyView {
      depth > 0 && chance.below(3) > 0 ? branch(depth) : leaf()
    }

    private mutating func branch(_ depth: Int) -> AnyView {
      let kind = chance.below(11)
      let number = number()
      let alignment = alignment()
      let children = children(depth)
      let group = ViewGroup { for child in children { child } }
      switch kind {
      case 0: return AnyView(HStack(alignment: alignment.vertical, spacing: number) { group })
      case 1: return AnyView(VStack(alignment: alignment.horizontal, spacing: number) { group })
      case 2: return AnyView(ZStack(alignment: alignment) { group })
      case 3: return AnyView(Border(text()) { group })
      case 4: return AnyView(group.padding(number))
      case 5: return AnyView(group.frame(width: number, height: 3, alignment: alignment))
      case 6: return AnyView(group.filling(alignment))
      case 7: return AnyView(group.sheet(text()) { Text(text()) })
      case 8: return AnyView(group.background(.selection).priority(number))
      case 9: return AnyView(group.target("name").toast { Banner(text(), .warning) })
      default:
        return AnyView(
          VStack {
            group; HStack { group }
          })
      }
    }

    private mutating func leaf() -> AnyView {
      switch chance.below(12) {
      case 0: return AnyView(Spacer(min: number()))
      case 1: return AnyView(Divider(chance.below(2) == 0 ? .horizontal : .vertical))
      case 2: return AnyView(ProgressBar(Double(chance.below(100)) / 99))
      case 3: return AnyView(TextField(Draft(text()), placeholder: text()))
      case 4: return AnyView(list())
      case 5: return AnyView(StatusLine(text(), status: .live, pendingCount: 3, who: [text()]))
      case 6: return AnyView(KeyHelp([(text(), text()), ("q", "Quit")]))
      case 7: return AnyView(Tabs([text(), text()], selected: number()))
      case 8: return AnyView(Text(text()).truncated(.middle).bold())
      case 9: return AnyView(TreeRow(depth: number(), .open) { Text(text()) })
      default: return AnyView(Text(text()).lines(number()).aligned(alignment().horizontal))
      }
    }

    private mutating func list() -> List {
      let rows = IndexRows(count: [0, 1, 3, 1_000_000][chance.below(4)]) { $0 }
      var position = ListPosition<Int>()
      position.move(by: number(), in: rows)
      let text = text()
      return List(rows, position, rowHeight: number()) { row, _ in
        HStack {
          Text("\(row)")
          Text(text).truncated()
        }
      }
    }
  }

  private func size(_ chance: inout Chance) -> Size {
    switch chance.below(8) {
    case 0: Size(columns: 0, rows: 0)
    case 1: Size(columns: 1, rows: 1)
    case 2: Size(columns: 1, rows: chance.below(10))
    case 3: Size(columns: chance.below(30), rows: 1)
    default: Size(columns: chance.below(60), rows: chance.below(25))
    }
  }

  private func check(_ view: AnyView, _ size: Size, seed: UInt64) {
    let grid = render(view, size: size)
    #expect(grid.size == size)
    #expect(grid.isWhole, "seed \(seed), \(size)")
    #expect(grid == render(view, size: size), "seed \(seed), \(size)")
    if let cursor = grid.cursor {
      #expect(cursor.row >= 0 && cursor.row < size.rows, "seed \(seed)")
      #expect(cursor.column >= 0 && cursor.column < size.columns, "seed \(seed)")
    }
    for cell in grid.cells where !cell.text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) {
      Issue.record("seed \(seed): a control character")
    }
  }

  @Test(arguments: UInt64(1)...120)
  func anyViewIsDrawnInAnyRoom(_ seed: UInt64) {
    var chance = Chance(seed)
    var maker = Maker(chance: Chance(seed &* 31))
    for _ in 0..<4 {
      let view = maker.view(4)
      check(view, size(&chance), seed: seed)
    }
  }

  @Test func aViewIsDrawnInTheLargestRoom() {
    for seed in UInt64(1)...10 {
      var maker = Maker(chance: Chance(seed))
      check(maker.view(5), Size(columns: 400, rows: 120), seed: seed)
    }
  }

  @Test func deepViewsCostNoMoreThanTheirDepthAllows() {
    var view = AnyView(Text("deep"))
    for level in 0..<40 {
      let inner = view
      view =
        level % 2 == 0
        ? AnyView(HStack(spacing: 0) { inner })
        : AnyView(
          VStack {
            inner; Divider()
          })
    }
    #expect(lines(of: view, 10, 25).first == "deep")
  }
}
