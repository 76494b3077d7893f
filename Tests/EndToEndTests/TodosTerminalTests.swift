import DuxJSON
import Testing

/// Terminals that share the list of the app `todos`.
@Suite(.serialized, .enabled(if: TerminalSession.isAvailable, "needs tmux"))
struct TodosTerminalTests {
  private func terminal(_ name: String, on daemon: DaemonProcess) throws -> TerminalSession {
    try .frontEnd("dux-todos", as: name, on: daemon)
  }

  @Test func twoTerminalsShowOneListAlsoAfterTheDaemonWasKilled() throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let ann = try terminal("ann", on: daemon)
    let ben = try terminal("ben", on: daemon)
    try ann.type("a")
    try ann.type("Buy milk")
    try ann.press("Enter")
    try ann.type("日本語を勉強する")
    try ann.press("Enter", "Escape")
    try ben.wait { $0.contains("[ ]   Buy milk") && $0.contains("日本語を勉強する") }
    try ben.type(" ")
    try ann.wait(for: "[x]   Buy milk")

    try daemon.kill()
    try ben.wait { !$0.contains("● live") }
    try ben.type("a")
    try ben.type("While it was away")
    try ben.press("Enter", "Escape")
    try ben.wait { $0.contains("While it was away") && $0.contains("↑1 pending") }
    try daemon.start()
    try ann.wait { $0.contains("While it was away") && $0.contains("● live") }
    let shown = try ben.wait { !$0.contains("pending") && $0.contains("● live") }
    let other = try ann.wait { $0.lines.prefix(6) == shown.lines.prefix(6) }
    #expect(other.lines.prefix(6) == shown.lines.prefix(6))

    try ann.type("u")
    try ben.wait { !$0.contains("日本語") && $0.contains("While it was away") }
    try ann.type("q")
    #expect(try ann.waitForEnd() == .code(0))
    try ben.press("C-c")
    #expect(try ben.waitForEnd() == .code(0))
  }

  @Test func aRefusedTitleIsSaidWhereItWasTypedAndNowhereElse() throws {
    let daemon = try DaemonProcess(["--app", "todos"])
    let ann = try terminal("ann", on: daemon)
    let ben = try terminal("ben", on: daemon)
    try ann.type("a")
    try ann.type("   ")
    try ann.press("Enter")
    try ann.wait(for: "a todo needs a title")
    try ann.type("tea")
    try ann.press("Enter")
    #expect(try !ben.wait(for: "tea").contains("needs a title"))
  }
}
