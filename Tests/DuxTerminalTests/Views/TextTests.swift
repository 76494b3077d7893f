import Testing

@testable import DuxTerminal

struct TextTests {
  @Test func textIsBrokenAndCut() {
    let text = Text("the quick brown fox")
    #expect(lines(of: text, 9, 3) == ["the quick", "brown fox", ""])
    #expect(lines(of: text, 9, 1) == ["the quic…"])
    #expect(lines(of: text.truncated(), 9, 2) == ["the quic…", ""])
    #expect(lines(of: text.lines(2), 5, 3) == ["the", "quic…", ""])
    #expect(lines(of: Text("a\nb\n\nc"), 3, 4) == ["a", "b", "", "c"])
    #expect(lines(of: Text("a\nb").truncated(), 3, 2) == ["a…", ""])
    #expect(lines(of: Text(""), 3, 1) == [""])
    #expect(lines(of: Text("a\nlong").aligned(.trailing), 9, 2) == ["   a", "long"])
  }

  @Test func spansKeepTheirStyles() {
    let text = Text("a").bold() + Text("b").foreground(.basic(.red)) + Text("c").role(.selection)
    let grid = render(text, size: Size(columns: 3, rows: 1))
    #expect(grid[0, 0].style == TextStyle(attributes: .bold))
    #expect(grid[0, 1].style == TextStyle(foreground: .basic(.red)))
    #expect(grid[0, 2].style == TextStyle(attributes: .reverse))
  }

  @Test func theStyleAroundIsBelowTheOwn() {
    let view = HStack {
      Text("a").foreground(.basic(.red))
      Text("b")
    }
    .style(TextStyle(foreground: .basic(.blue), attributes: .bold))
    let grid = render(view, size: Size(columns: 3, rows: 1))
    #expect(
      grid[0, 0].style == TextStyle(foreground: .basic(.red), attributes: .bold))
    #expect(grid[0, 2].style == TextStyle(foreground: .basic(.blue), attributes: .bold))
    #expect(grid[0, 1].style == .plain)
  }

  @Test func aBackgroundFillsTheRoom() {
    let grid = render(
      Text("a").fillingWidth().background(.selection), size: Size(columns: 3, rows: 2))
    #expect(grid[0, 2].style == TextStyle(attributes: .reverse))
    #expect(grid[1, 0].style == .plain)
  }

  @Test(arguments: [
    "\u{1B}[2J\u{1B}[H", "\u{9B}31m", "a\u{202E}b", "\r\r\r", "\u{8}\u{8}", "\u{1B}]0;title\u{7}",
    "\t\t", "a\u{2028}b", "\u{0}\u{1}\u{2}", String(repeating: "\u{301}", count: 300),
  ])
  func hostileTextStaysInItsCells(_ text: String) {
    let view = Border {
      VStack {
        Text(text).truncated()
        Text("below")
      }
    }
    let grid = render(view, size: Size(columns: 12, rows: 4))
    #expect(grid.isWhole)
    #expect(grid.lines[2].contains("below"))
    let end =
      grid.lines[0].firstIndex(of: "┐").map {
        grid.lines[0].distance(from: grid.lines[0].startIndex, to: $0)
      } ?? 0
    #expect(grid[1, end].text == "│")
    for cell in grid.cells {
      for scalar in cell.text.unicodeScalars {
        #expect(scalar.properties.generalCategory != .control)
        #expect(!(0x202A...0x202E).contains(scalar.value))
      }
    }
  }

  @Test func textWithoutEndCostsNoMoreThanAScreen() {
    let long = String(repeating: "漢a ", count: 500_000)
    #expect(lines(of: Text(long), 10, 2).count == 2)
    #expect(lines(of: Text(long).truncated(), 5, 1) == ["漢a …"])
    let many = String(repeating: "\n", count: 500_000)
    #expect(Text(many).height(columns: 5).ideal == Size.longest)
  }
}
