import Glibc
import Testing

@testable import DuxTerminal

struct TextUnitTests {
  private func units(_ text: String) -> [String] {
    text.flatMap { TextUnit.units(of: $0) }.map { "\($0.text)\($0.width)" }
  }

  @Test(arguments: [
    ("a", ["a1"]), ("é", ["é1"]), ("e\u{301}", ["e\u{301}1"]), ("漢字", ["漢2", "字2"]),
    ("😀", ["😀2"]), ("👨‍👩‍👧", ["👨‍👩‍👧2"]), ("👍🏽", ["👍2"]), ("❤️", ["❤1"]), ("1️⃣", ["1\u{20E3}1"]),
    ("🇩🇪", ["🇩🇪2"]), ("🇩", ["�1"]), ("🏳️‍🌈", ["🏳1"]), ("👩🏽‍❤️‍💋‍👨🏿", ["👩‍❤‍💋‍👨2"]),
    ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", ["🏴󠁧󠁢󠁥󠁮󠁧󠁿2"]), ("\u{1112}\u{1161}\u{11AB}", ["\u{1112}\u{1161}\u{11AB}2"]),
    ("กำ", ["ก1", "ำ1"]), ("ｱ", ["ｱ1"]), ("\u{3000}", ["\u{3000}2"]),
  ])
  func textBecomesUnitsOfOneOrTwoCells(_ text: String, _ expected: [String]) {
    #expect(units(text) == expected)
  }

  @Test func clustersOfSeveralScalarsThatTakeRoomBecomeSeveralUnits() {
    #expect(
      units("\u{915}\u{94D}\u{937}\u{93F}") == ["\u{915}\u{94D}1", "\u{937}1", "\u{93F}1"])
  }

  @Test(arguments: [
    ("\u{1B}", "␛"), ("\0", "␀"), ("\n", "␊"), ("\t", "␉"), ("\u{7F}", "␡"), ("\u{9B}", "�"),
    ("\u{202E}", "�"), ("\u{2066}", "�"), ("\u{2028}", "�"), ("\u{FFFE}", "�"), ("\u{1FAE9}", "�"),
    ("\r\n", "␍␊"), ("\u{200B}", ""), ("\u{FEFF}", ""), ("\u{200E}", ""), ("\u{301}", "◌\u{301}"),
    ("\u{E0041}", "◌\u{E0041}"), ("\u{AD}", ""), ("\u{200D}", ""),
  ])
  func whatCouldMoveTheCursorIsShownOrLeftOut(_ text: String, _ expected: String) {
    #expect(text.flatMap { TextUnit.units(of: $0) }.map(\.text).joined() == expected)
  }

  @Test func marksAreNotHeapedWithoutEnd() {
    let units = TextUnit.units(of: Character("e" + String(repeating: "\u{301}", count: 5_000)))
    #expect(units.count == 1)
    #expect(units.first?.text.unicodeScalars.count == TextUnit.longest)
    let family = Character(Array(repeating: "👩", count: 40).joined(separator: "\u{200D}"))
    #expect(TextUnit.units(of: family).map(\.width) == [2])
    #expect(TextUnit.units(of: family).allSatisfy { $0.text.unicodeScalars.count <= 14 })
  }

  @Test func aTerminalThatDoesNotJoinGetsTheFirstEmojiAlone() {
    var grid = Grid(size: Size(columns: 4, rows: 1))
    grid.put(TextUnit(text: "👨‍👩‍👧", width: 2), style: .plain, row: 0, column: 0)
    #expect(grid[0, 0].text == "👨‍👩‍👧")
    #expect(grid[0, 0].plainText == "👨")
    #expect(grid[0, 1].plainText == "")
    #expect(grid[0, 2].plainText == " ")
  }

  @Test func everyScalarBecomesSomethingThatStaysInItsCells() {
    for value in Self.scalars {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for unit in TextUnit.units(of: Character(scalar)) {
        let isHarmless = unit.text.unicodeScalars.allSatisfy {
          switch ScalarKind($0) {
          case .control, .unshowable: $0 == "\u{FFFD}"
          default: true
          }
        }
        if !isHarmless || !(1...2).contains(unit.width) || unit.text.isEmpty {
          Issue.record("\(String(value, radix: 16)) becomes \(unit)")
        }
      }
    }
  }

  /// All scalars, but for most of the planes in which none is assigned.
  private static let scalars =
    Array(UInt32(0)..<0x32000) + stride(from: 0x32000, to: 0xE0000, by: 991)
    + Array(0xE0000..<0xE0200) + stride(from: 0xE0200, to: 0x110000, by: 991)

  /// What the C library gives a cell, and no terminal shows.
  private static let given: Set<UInt32> = [
    0xAD, 0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD,
    0x110CD, 0x1171E,
  ]

  @Test func widthsAgreeWithTheCLibrary() throws {
    let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
    // Swift's module of the C library leaves it out.
    let symbol = try #require(dlsym(nil, "wcwidth"))
    let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    for value in Self.scalars.dropFirst() where !Self.given.contains(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let expected: Int32
      switch ScalarKind(scalar) {
      case .narrow, .flagHalf: expected = 1
      case .wide: expected = 2
      case .mark, .invisible, .joiner: expected = 0
      case .control: expected = -1
      case .unshowable: continue
      }
      let actual = wcwidth(wchar_t(value))
      // Tags and variation selectors that are not assigned yet are left out here all the same.
      if actual != expected, !(actual == -1 && expected == 0) {
        Issue.record("\(String(value, radix: 16)): \(expected) here, \(actual) there")
      }
    }
  }
}
