import DuxTerminal
import Testing

/// Keys, their names, and what they do.
@Suite struct KeyMapTests {
  private enum Order: Sendable, Equatable { case add, remove, quit }

  private let map = KeyMap<Order> {
    KeyMap<Order>.Entry(.add, "Add", "a", .control("n"))
    KeyMap<Order>.Entry(.remove, "Remove", Key(.delete), "a", label: "Del")
    KeyMap<Order>.Entry(.quit, "Quit", "q", Key(.escape))
  }

  @Test func theFirstEntryOfAKeyHasIt() {
    #expect(map["a"] == .add && map[.control("n")] == .add)
    #expect(map[Key(.delete)] == .remove && map["z"] == nil)
    #expect(map[.key("q")] == .quit && map[.paste("q")] == nil)
  }

  @Test func helpNamesKeysAsPeopleDo() {
    #expect(map.help.map(\.keys) == ["a Ctrl-N", "Del", "q Esc"])
    #expect(map.help.map(\.help) == ["Add", "Remove", "Quit"])
    #expect(
      "\(Key(.up, control: true, alt: true, shift: true))" == "Ctrl-Alt-Shift-Up")
    #expect("\(Key(" "))" == "Space" && "\(Key(.function(12)))" == "F12")
  }

  @Test func onlyWhatAKeyTypesIsText() {
    #expect(Key("é").typed == "é" && Key.control("a").typed == nil && Key(.enter).typed == nil)
  }
}
