import Testing

@testable import DuxTerminal

struct DraftTests {
  private func draft(_ text: String, _ cursor: Int? = nil) -> Draft {
    var draft = Draft(text)
    guard let cursor else { return draft }
    draft.moveToStart()
    for _ in 0..<cursor { draft.moveRight() }
    return draft
  }

  @Test func charactersAreNotTakenApart() {
    var draft = draft("ae\u{301}👨‍👩‍👧🇩🇪")
    #expect(draft.cursor == 4)
    draft.deleteBackward()
    #expect(draft.text == "ae\u{301}👨‍👩‍👧")
    draft.deleteBackward()
    #expect(draft.text == "ae\u{301}")
    draft.deleteBackward()
    #expect(draft.text == "a")
    draft.deleteBackward()
    draft.deleteBackward()
    #expect(draft == Draft())
  }

  @Test func whatCombinesWithItsNeighbourIsOneCharacterWithIt() {
    var first = draft("ab", 1)
    first.insert("\u{301}")
    #expect(first.text == "a\u{301}b")
    #expect(first.cursor == 1)
    var second = draft("x\u{301}", 0)
    second.insert("\u{301}")
    second.insert("e")
    #expect(second.cursor <= second.text.count)
    var flags = draft("🇩🇪", 0)
    flags.insert("🇫")
    #expect(flags.head + flags.tail == Substring(flags.text))
    flags.deleteForward()
    flags.deleteBackward()
    #expect(flags.cursor <= flags.text.count)
  }

  @Test func wordsAreMovedOverAndTakenOut() {
    var draft = draft("one two-three  four")
    draft.moveWordLeft()
    #expect(draft.head == "one two-three  ")
    draft.moveWordLeft()
    #expect(draft.head == "one two-")
    draft.deleteWordBackward()
    #expect(draft.text == "one three  four")
    draft.moveWordRight()
    #expect(draft.head == "one three")
    draft.deleteWordForward()
    #expect(draft.text == "one three")
    draft.moveWordRight()
    #expect(draft.tail == "")
    draft.deleteToStart()
    #expect(draft.isEmpty)
  }

  @Test func theRestIsTakenOutOnEitherSide() {
    var first = draft("abcdef", 2)
    first.deleteToEnd()
    #expect(first.text == "ab")
    #expect(first.cursor == 2)
    var second = draft("abcdef", 2)
    second.deleteToStart()
    #expect(second.text == "cdef")
    #expect(second.cursor == 0)
    second.deleteForward()
    #expect(second.text == "def")
  }

  @Test func whatIsPastedBecomesOneLine() {
    #expect(Draft("\none\r\ntwo\t\tthree\n").text == "one two three")
    #expect(Draft("a\u{1B}[31mb\u{0}\u{7F}\u{9B}c").text == "a[31mbc")
    #expect(Draft("a\u{202E}b\u{2066}c").text == "abc")
    #expect(Draft("👨‍👩‍👧").text == "👨‍👩‍👧")
  }

  @Test func aDraftDoesNotGrowWithoutEnd() {
    var draft = Draft(String(repeating: "é", count: 100_000))
    #expect(draft.text.utf8.count == Draft.longest)
    draft.insert("more")
    #expect(draft.text.utf8.count == Draft.longest)
    #expect(draft.cursor == draft.text.count)
  }

  @Test func keysEditAsInAShell() {
    var draft = Draft()
    for character in "hello world" { draft.take(.key(.character(character))) }
    draft.take(.key(.control("w")))
    #expect(draft.text == "hello ")
    draft.take(.key(.control("a")))
    draft.take(.key(Key(.delete)))
    #expect(draft.text == "ello ")
    draft.take(.key(Key(.end)))
    draft.take(.key(Key(.backspace)))
    draft.take(.paste("\n!"))
    #expect(draft.text == "ello!")
    draft.take(.key(Key(.left, control: true)))
    draft.take(.key(.control("k")))
    #expect(draft.isEmpty)
    for event in [InputEvent.key(Key(.enter)), .key(.control("c")), .resize(.zero)] {
      let isTaken = draft.take(event)
      #expect(!isTaken)
    }
  }

  @Test(arguments: UInt64(1)...40)
  func theCursorIsAlwaysBetweenCharacters(_ seed: UInt64) {
    var chance = Chance(seed)
    var draft = Draft()
    let parts = [
      "a", " ", "\u{301}", "🇩", "👨", "\u{200D}", "漢", "\u{1112}", "\u{1161}", "\r\n", "\u{94D}",
      "\u{915}",
    ]
    for _ in 0..<300 {
      let before = draft
      switch chance.below(10) {
      case 0: draft.deleteBackward()
      case 1: draft.deleteForward()
      case 2: draft.moveLeft()
      case 3: draft.moveRight()
      case 4: draft.moveWordLeft()
      case 5: draft.moveWordRight()
      case 6: draft.deleteWordBackward()
      default: draft.insert(parts[chance.below(parts.count)])
      }
      #expect((0...draft.text.count).contains(draft.cursor), "\(before.text.debugDescription)")
      #expect(String(draft.head) + draft.tail == draft.text)
    }
  }

  @Test func aBindingIsReadAndWritten() {
    var dispatched: [String] = []
    let binding = Binding(get: { "shared" }, set: { dispatched.append($0) })
    var draft = Draft("old")
    draft.adopt(binding)
    #expect(draft.text == "shared")
    draft.edit(binding) { $0.insert("!") }
    draft.edit(binding) { $0.moveLeft() }
    #expect(dispatched == ["sha!red"])
  }
}
