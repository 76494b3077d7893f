import DuxJSON
import Glibc
import Testing

/// Terminals that follow each other through the screens of the app `navigator`.
@Suite(.serialized, .enabled(if: TerminalSession.isAvailable, "needs tmux"))
struct NavigatorTerminalTests {
  private func terminal(_ name: String, on daemon: DaemonProcess) throws -> TerminalSession {
    try .frontEnd("dux-navigator", as: name, on: daemon)
  }

  @Test func oneWatchesTheOtherAlsoAfterTheDaemonWasKilled() throws {
    let daemon = try DaemonProcess(["--app", "navigator"])
    let ann = try terminal("ann", on: daemon)
    let ben = try terminal("ben", on: daemon)
    try ann.type("o")
    try ann.type("numbers/2")
    try ann.press("Enter")
    try ben.wait(for: "● ann")
    try ben.type("f")
    try ben.press("Enter")
    try ben.wait(for: "watching ann")
    try ann.type("d")
    try ben.wait(for: "Menu › Numbers › 2 › 4")
    try daemon.kill()
    try ann.wait { !$0.contains("● live") }
    try ann.press("Escape")
    try ann.wait { $0.lines[0].hasSuffix("Numbers › 2") }
    try daemon.start()
    try ben.wait {
      $0.lines[0].contains("Numbers › 2 ") && !$0.lines[0].contains("› 4") && $0.contains("● live")
    }
    try ben.type("b")
    try ben.wait(for: "you only watch what \"ann\" does")
  }

  @Test func twoKeysOnOneSharedScreenAreOneStepBack() throws {
    let daemon = try DaemonProcess(["--app", "navigator"])
    let ann = try terminal("ann", on: daemon)
    let ben = try terminal("ben", on: daemon)
    for terminal in [ann, ben] {
      try terminal.type("f")
      try terminal.wait(for: "go along with all")
      try terminal.press("End", "Enter")
      try terminal.wait(for: "with all on \"tour\"")
    }
    try ann.type("o")
    try ann.type("numbers/2/4/8")
    try ann.press("Enter")
    try ben.wait(for: "Menu › Numbers › 2 › 4 › 8")
    try ann.wait(for: "Menu › Numbers › 2 › 4 › 8")
    try ann.press("Escape")
    try ben.wait { !$0.lines[0].contains("› 8") }
    try ben.press("Escape")
    try ann.wait { $0.lines[0].contains("Numbers › 2 ") && !$0.lines[0].contains("› 4") }
    #expect(try ben.wait { !$0.lines[0].contains("› 4") }.lines[0].contains("Numbers › 2 "))
  }

  @Test func whatWasEnteredIsThereWhenTheTerminalComesBackUnderItsName() throws {
    let daemon = try DaemonProcess(["--app", "navigator"])
    let first = try terminal("ann", on: daemon)
    try first.type("2")
    try first.wait(for: "First name")
    try first.type("Ada")
    try first.press("Tab")
    try first.type("Lovelace")
    try first.press("Enter")
    try first.wait(for: "Date of birth")
    try first.press("C-c")
    #expect(try first.waitForEnd() == .code(0))
    let second = try terminal("ann", on: daemon)
    try second.wait(for: "Menu › Name › Date of birth")
    try second.press("Escape")
    try second.wait { $0.contains("Lovelace") && $0.lines[0].hasSuffix("Name") }
    try second.press("Escape")
    try second.wait(for: "go on with the form that you began")
    try second.type("q")
    #expect(try second.waitForEnd() == .code(0))
    let witness = try Client(daemon, named: nil)
    #expect(try witness.get().value?["navigators"]?["clients"]?["order"] == [:])
  }
}
