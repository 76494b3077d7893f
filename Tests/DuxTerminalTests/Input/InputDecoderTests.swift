import DuxTerminal
import Testing

/// What the bytes of terminals mean.
@Suite struct InputDecoderTests {
  private func events(_ text: String) -> [InputEvent] {
    var decoder = InputDecoder()
    return decoder.decode(text.utf8)
  }

  private func keys(_ text: String) -> [Key] {
    events(text).compactMap { if case .key(let key) = $0 { key } else { nil } }
  }

  @Test func textIsTypedScalarByScalar() {
    #expect(keys("aé日👩") == ["a", "é", "日", "👩"])
    #expect(keys("e\u{301}").count == 2)
  }

  @Test func controlKeysAreTheirLetters() {
    #expect(
      keys("\u{01}\u{1A}\u{1C}\u{00}") == [
        .control("a"), .control("z"), .control("\\"), .control(" "),
      ])
    #expect(
      keys("\u{09}\u{0D}\u{0A}\u{7F}\u{08}") == [
        Key(.tab), Key(.enter), Key(.enter), Key(.backspace), Key(.backspace),
      ])
  }

  @Test(arguments: [
    ("[A", Key(.up)), ("OA", Key(.up)), ("[D", Key(.left)), ("[H", Key(.home)),
    ("OF", Key(.end)), ("[1~", Key(.home)), ("[4~", Key(.end)), ("[7~", Key(.home)),
    ("[2~", Key(.insert)), ("[3~", Key(.delete)), ("[5~", Key(.pageUp)),
    ("[6~", Key(.pageDown)), ("[Z", Key(.backTab)), ("OP", Key(.function(1))),
    ("[[A", Key(.function(1))), ("[[E", Key(.function(5))), ("[15~", Key(.function(5))),
    ("[17~", Key(.function(6))), ("[24~", Key(.function(12))), ("[25~", Key(.function(13))),
    ("[1;5A", Key(.up, control: true)), ("[1;2B", Key(.down, shift: true)),
    ("[1;3C", Key(.right, alt: true)), ("[1;8D", Key(.left, control: true, alt: true, shift: true)),
    ("[3;5~", Key(.delete, control: true)), ("[1;2P", Key(.function(1), shift: true)),
    ("O5P", Key(.function(1), control: true)), ("[7$", Key(.home, shift: true)),
    ("[7^", Key(.home, control: true)), ("OM", Key(.enter)), ("Op", Key("0")), ("Ok", Key("+")),
    ("[97;5u", .control("a")), ("[27u", Key(.escape)), ("[13;2u", Key(.enter, shift: true)),
    ("[97;2u", Key("A")), ("[9;2u", Key(.backTab)), ("[57400u", Key("1")),
    ("[127;5u", Key(.backspace, control: true)), ("[27;5;97~", .control("a")),
    ("[97:65;6u", Key(.character("a"), control: true, shift: true)),
    ("[1;1:2A", Key(.up)), ("x", .alt("x")), ("\u{0D}", Key(.enter, alt: true)),
    ("\u{7F}", Key(.backspace, alt: true)), ("é", .alt("é")),
    ("\u{01}", Key(.character("a"), control: true, alt: true)),
  ])
  func aSequenceIsAKey(_ sequence: String, _ key: Key) {
    #expect(events("\u{1B}\(sequence)q") == [.key(key), .key("q")])
  }

  @Test(arguments: [
    "[?1;2c", "[5;10R", "[97;1:3u", "[1;1:3A", "[99~", "[57358u", "]0;title\u{07}",
    "]11;rgb:0/0/0\u{1B}\\", "P1$r0m\u{1B}\\", "_G\u{1B}\\", "[?2004;1$y", "[>0;276;0c", "[5 q",
    "[38;2;1;2;3x", "[999999999999999999999A", "Oz", "[<0;0;0M", "[<3;1;1M", "[<66;1;1M",
  ])
  func whatIsUnknownIsSkippedAlone(_ sequence: String) {
    #expect(events("\u{1B}\(sequence)q") == [.key("q")])
  }

  @Test func aSequenceThatIsBrokenOffEatsNothing() {
    #expect(keys("\u{1B}[1;\u{0D}q") == [Key(.enter), "q"])
    #expect(keys("\u{1B}[1;\u{1B}[Aq") == [Key(.up), "q"])
    #expect(keys("\u{1B}[1;éq") == ["é", "q"])
    #expect(keys("\u{1B}O\u{0D}q") == [Key(.enter), "q"])
    #expect(keys("\u{1B}]0;title\u{0D}q") == [Key(.enter), "q"])
    #expect(keys("\u{1B}[[\u{1B}[A") == [Key(.up)])
    let long = "\u{1B}[" + String(repeating: "1;", count: 1_000) + "A"
    #expect(keys(long + "q").suffix(2) == ["A", "q"])
    let string = "\u{1B}]" + String(repeating: "x", count: 5_000)
    #expect(keys(string).count > 3_000)
  }

  @Test func escapeIsAKeyWhenNothingFollows() {
    var decoder = InputDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.wait == .sequence)
    #expect(decoder.timeOut() == [.key(Key(.escape))])
    #expect(decoder.wait == nil)
    #expect(decoder.decode("\u{1B}\u{1B}".utf8) == [.key(Key(.escape))])
    #expect(decoder.timeOut() == [.key(Key(.escape))])
    #expect(decoder.decode("\u{1B}\u{1B}[A".utf8) == [.key(Key(.escape)), .key(Key(.up))])
  }

  @Test(arguments: [
    ("[", [Key.alt("[")]), ("O", [.alt("O")]), ("]", [.alt("]")]), ("P", [.alt("P")]),
    ("]\u{1B}", [.alt("]"), Key(.escape)]), ("[1;5", []), ("[M!", []), ("[[", []), ("O5", []),
    ("]0;half", []),
  ])
  func whatIsOpenIsSettledWhenNothingFollows(_ sequence: String, _ keys: [Key]) {
    var decoder = InputDecoder()
    #expect(decoder.decode("\u{1B}\(sequence)".utf8) == [])
    #expect(decoder.wait == .sequence)
    #expect(decoder.timeOut() == keys.map { .key($0) })
    #expect(decoder.wait == nil && decoder.timeOut() == [])
    #expect(decoder.decode("q".utf8) == [.key("q")])
  }

  @Test func bytesThatAreNoTextAreDropped() {
    var decoder = InputDecoder()
    let bytes: [UInt8] = [
      0x61, 0xFF, 0x62, 0xC3, 0x63, 0xE2, 0x82, 0x64, 0xC0, 0x80, 0x65, 0xED, 0xA0, 0x80, 0x66,
      0xF4, 0x90, 0x80, 0x80, 0x67, 0x80, 0xC2, 0x9B, 0x68,
    ]
    #expect(decoder.decode(bytes) == "abcdefgh".map { .key(Key(.character($0))) })
    #expect(decoder.decode([0xE2, 0x82]) == [] && decoder.wait == .sequence)
    #expect(decoder.timeOut() == [] && decoder.decode([0xAC]) == [])
  }

  @Test(arguments: [
    ("<0;3;2M", Mouse(.press(.left), at: Position(row: 1, column: 2))),
    ("<0;3;2m", Mouse(.release(.left), at: Position(row: 1, column: 2))),
    ("<2;1;1M", Mouse(.press(.right), at: Position(row: 0, column: 0))),
    ("<32;400;120M", Mouse(.drag(.left), at: Position(row: 119, column: 399))),
    ("<35;1;1M", Mouse(.move, at: Position(row: 0, column: 0))),
    ("<64;1;1M", Mouse(.wheelUp, at: Position(row: 0, column: 0))),
    ("<65;1;1M", Mouse(.wheelDown, at: Position(row: 0, column: 0))),
    ("<20;1;1M", Mouse(.press(.left), at: Position(row: 0, column: 0), control: true, shift: true)),
    ("M !!", Mouse(.press(.left), at: Position(row: 0, column: 0))),
    ("M#\"!", Mouse(.release(.left), at: Position(row: 0, column: 1))),
    ("MC!!", Mouse(.move, at: Position(row: 0, column: 0))),
    ("M`!!", Mouse(.wheelUp, at: Position(row: 0, column: 0))),
  ])
  func theMouseTellsWhatAndWhere(_ sequence: String, _ mouse: Mouse) {
    #expect(events("\u{1B}[\(sequence)q") == [.mouse(mouse), .key("q")])
  }

  @Test func focusIsTold() {
    #expect(events("\u{1B}[I\u{1B}[O") == [.focusGained, .focusLost])
  }

  @Test func aPasteIsOneText() {
    #expect(
      events("\u{1B}[200~a\r\nb\rc\nd\te\u{1B}[201~q")
        == [.paste("a\nb\nc\nd\te"), .key("q")])
    #expect(events("\u{1B}[200~\u{1B}[201~q") == [.key("q")])
    #expect(events("\u{1B}[201~q") == [.key("q")])
  }

  @Test func aPasteHoldsNothingThatActs() {
    #expect(
      events("\u{1B}[200~\u{03}x\u{1B}[31m\u{7F}\u{9B}y\u{1B}[201\u{1B}[200~\u{1B}\u{1B}[201~")
        == [.paste("x[31my[201[200~")])
    var decoder = InputDecoder()
    #expect(decoder.decode("\u{1B}[200~".utf8) == [])
    #expect(decoder.decode([0x61, 0xFF, 0xE2, 0x62, 0x00]) == [])
    #expect(decoder.decode("\u{1B}[201~".utf8) == [.paste("ab")])
  }

  @Test func aPasteWithoutEndEndsWhenNothingFollows() {
    var decoder = InputDecoder()
    #expect(decoder.decode("\u{1B}[200~abc\u{1B}[20".utf8) == [])
    #expect(decoder.wait == .paste)
    #expect(decoder.timeOut() == [.paste("abc")])
    #expect(decoder.decode("q".utf8) == [.key("q")])
  }

  @Test func aPasteIsCutWhereItIsTooLong() {
    var decoder = InputDecoder()
    _ = decoder.decode("\u{1B}[200~".utf8)
    for _ in 0..<40 { #expect(decoder.decode([UInt8](repeating: 0x61, count: 1 << 16)) == []) }
    let events = decoder.decode("é\u{1B}[201~q".utf8)
    #expect(events.count == 2 && events.last == .key("q"))
    guard case .paste(let text)? = events.first else {
      Issue.record("no paste")
      return
    }
    #expect(text.utf8.count == 1 << 20)
  }
}
