import Testing

@testable import DuxTerminal

struct StyledLineTests {
  @Test(arguments: [
    ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""),
    ("hello", -1, ""),
    ("漢字漢字", 8, "漢字漢字"), ("漢字漢字", 7, "漢字漢…"), ("漢字漢字", 6, "漢字…"), ("漢字", 3, "漢…"),
    ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("", 3, ""),
  ])
  func textIsCutAtCharacters(_ text: String, _ columns: Int, _ expected: String) {
    #expect(TextWidth.truncated(text, to: columns) == expected)
  }

  @Test func aClusterOfSeveralUnitsIsNotTornApart() {
    let text = "\u{915}\u{94D}\u{937}\u{93F}xy"
    #expect(TextWidth.columns(of: text) == 5)
    #expect(TextWidth.truncated(text, to: 3) == "…")
    #expect(TextWidth.truncated(text, to: 4) == "\u{915}\u{94D}\u{937}\u{93F}…")
  }

  @Test func textIsCutAtTheHeadAndInTheMiddle() {
    let line = StyledLine("/home/ann/projects")
    #expect(line.truncated(to: 9, .head).text == "…projects")
    #expect(line.truncated(to: 9, .middle).text == "/hom…ects")
    #expect(StyledLine("漢字漢字").truncated(to: 4, .head).text == "…字")
  }

  @Test(arguments: [
    ("one two three", 7, ["one two", "three"]), ("one two three", 8, ["one two", "three"]),
    ("one two three", 5, ["one", "two", "three"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
    ("a abcdefgh", 3, ["a", "abc", "def", "gh"]), ("  indented text", 10, ["  indented", "text"]),
    ("漢字漢字漢", 5, ["漢字", "漢字", "漢"]), ("ab漢字", 4, ["ab漢", "字"]), ("a  b", 2, ["a", "b"]),
    ("漢", 1, ["漢"]), ("      ", 3, [""]), ("one two   ", 7, ["one two"]),
  ])
  func linesAreBrokenWhereWordsEnd(_ text: String, _ columns: Int, _ expected: [String]) {
    #expect(StyledLine(text).wrapped(columns).map(\.text) == expected)
  }

  @Test func aLongLineIsReadOnlyAsFarAsAScreenGoes() {
    let line = StyledLine(String(repeating: "x", count: 1_000_000))
    #expect(line.columns == Size.longest + 1)
    #expect(TextWidth.columns(of: String(repeating: "漢", count: 100_000)) <= Size.longest + 2)
  }

  @Test(arguments: UInt64(1)...50)
  func brokenLinesFitAndLoseNothingButBlanks(_ seed: UInt64) {
    var chance = Chance(seed)
    let alphabet = ["a", "b", " ", " ", "漢", "e\u{301}", "😀", "\u{915}\u{94D}\u{937}", "c"]
    for _ in 0..<100 {
      let text = (0..<chance.below(40)).map { _ in alphabet[chance.below(alphabet.count)] }.joined()
      let columns = 2 + chance.below(12)
      let lines = StyledLine(text).wrapped(columns)
      #expect(lines.allSatisfy { $0.columns <= columns }, "\(text) in \(columns)")
      #expect(lines.map(\.text).joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
  }
}
