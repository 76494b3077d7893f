import Glibc
import Testing

/// What a program does to a terminal, and what it leaves behind, with real ones under tmux.
///
/// One after the other, for each has a tmux, a shell and a program of its own.
@Suite(.serialized, .enabled(if: TerminalSession.isAvailable, "needs tmux"))
struct TerminalDriverTests {
  private static let sample = programs + "/terminal-sample"
  /// Where no daemon is: the programs work without one.
  private static let nowhere = ["--connect", "127.0.0.1:1"]

  /// The sample in a terminal of its own.
  private func start(
    columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> TerminalSession {
    let terminal = try TerminalSession(
      [Self.sample] + Self.nowhere, columns: columns, rows: rows, environment: environment)
    try terminal.wait(for: "last: nothing")
    return terminal
  }

  /// The sample, started from a shell.
  private func startInShell(
    _ prefix: String = "", rows: Int = 24
  ) throws -> (TerminalSession, pid_t) {
    let terminal = try TerminalSession.shell(rows: rows)
    try terminal.type("\(prefix) \(Self.sample) \(Self.nowhere.joined(separator: " "))")
    try terminal.press("Enter")
    try terminal.wait(for: "last: nothing")
    let text = try String(
      decoding: contents(of: "/proc/\(terminal.pid)/task/\(terminal.pid)/children"), as: UTF8.self)
    guard let child = text.split(separator: " ").first.flatMap({ pid_t($0) }) else {
      throw Unexpected("the shell has no child")
    }
    return (terminal, child)
  }

  /// The shell has the terminal as it was: its screen, a cursor, no mouse, and lines that are echoed.
  private func expectClean(
    _ terminal: TerminalSession, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let screen = try terminal.wait { !$0.isAlternate && $0.isCursorVisible && !$0.takesMouse }
    #expect(!screen.contains("last:"), "the old screen", sourceLocation: sourceLocation)
    try terminal.type("stty -a | grep -q ' icanon .* echo '; echo status $?")
    try terminal.press("Enter")
    let after = try terminal.wait { $0.lines.contains { $0.hasPrefix("status ") } }
    #expect(after.lines.contains("status 0"), sourceLocation: sourceLocation)
  }

  @Test func theTerminalIsCleanWhenTheProgramQuits() throws {
    let (terminal, _) = try startInShell()
    let screen = try terminal.screen()
    #expect(screen.isAlternate && screen.takesMouse && !screen.isCursorVisible)
    try terminal.type("q")
    try expectClean(terminal)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGSEGV, SIGABRT])
  func theTerminalIsCleanAfterASignal(_ signal: Int32) throws {
    let (terminal, child) = try startInShell("SWIFT_BACKTRACE=enable=no")
    kill(child, signal)
    try terminal.wait { !$0.isAlternate }
    try terminal.type("echo ended $?")
    try terminal.press("Enter")
    try terminal.wait(for: "ended \(128 + signal)")
    try expectClean(terminal)
  }

  @Test(arguments: ["!": 128 + SIGILL, "#": 128 + SIGABRT, "x": 5])
  func theTerminalIsCleanAfterACrash(_ key: String, _ status: Int32) throws {
    // High enough for what a debug build says of a trap.
    let (terminal, _) = try startInShell("SWIFT_BACKTRACE=enable=no", rows: 120)
    try terminal.type(key)
    try terminal.wait { !$0.isAlternate }
    if key == "!" { try terminal.wait(for: "Index out of range") }
    try terminal.type("echo ended $?")
    try terminal.press("Enter")
    try terminal.wait(for: "ended \(status)")
    try expectClean(terminal)
  }

  @Test func whatIsSaidOnStandardErrorIsShownAfterwards() throws {
    let (terminal, _) = try startInShell()
    try terminal.type("e")
    try terminal.wait(for: "last: key e")
    #expect(try !terminal.screen().contains("standard error"))
    try terminal.type("q")
    try terminal.wait(for: "said on standard error")
    try expectClean(terminal)
  }

  @Test(arguments: ["C-z", "s"])
  func aSuspendedProgramGivesTheTerminalBackAndDrawsAgain(_ key: String) throws {
    let (terminal, child) = try startInShell()
    try terminal.type("+")
    try terminal.wait(for: "count 1")
    try terminal.press(key)
    try terminal.wait(for: "Stopped")
    try expectClean(terminal)
    try terminal.resize(columns: 70, rows: 20)
    try terminal.type("fg")
    try terminal.press("Enter")
    let screen = try terminal.wait(for: "size 70x20")
    #expect(screen.contains("count 1") && screen.isAlternate && screen.takesMouse)
    #expect(!screen.contains("Stopped"))
    kill(child, SIGTSTP)
    try terminal.wait(for: "Stopped")
    try terminal.type("fg")
    try terminal.press("Enter")
    try terminal.wait(for: "last:")
    try terminal.type("q")
    try expectClean(terminal)
  }

  @Test func whatAnyoneWroteOverAStoppedProgramIsDrawnOver() throws {
    let (terminal, child) = try startInShell()
    kill(child, SIGSTOP)
    try terminal.wait(for: "Stopped")
    try terminal.type("fg")
    try terminal.press("Enter")
    try terminal.wait { $0.contains("last:") && !$0.contains("Stopped") }
    try terminal.type("q")
    try expectClean(terminal)
  }

  @Test func everySizeIsDrawnIn() throws {
    let terminal = try start()
    let count = "count 0, offline"
    for (columns, rows) in [(1, 1), (400, 120), (2, 40), (200, 1), (17, 5), (80, 24)] {
      try terminal.resize(columns: columns, rows: rows)
      try terminal.wait { screen in
        guard screen.lines.count == rows else { return false }
        if columns >= 20, rows >= 3 { return screen.contains("size \(columns)x\(rows)") }
        // In less room it is the layout's choice what is seen; that the program lives is seen below.
        return columns < 17 || screen.lines[0] == count
      }
    }
    try terminal.type("+")
    try terminal.wait(for: "count 1")
  }

  @Test func aTerminalOfOneCellIsEnoughToStart() throws {
    let terminal = try TerminalSession([Self.sample] + Self.nowhere, columns: 1, rows: 1)
    try terminal.wait { $0.isAlternate }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .code(0))
  }

  @Test func aPastedProgramIsATextAndNoKeys() throws {
    let terminal = try start()
    var bytes = try contents(of: Self.sample).prefix(50_000)
    bytes.removeAll { $0 == 0 }
    try terminal.paste(Array(bytes))
    let screen = try terminal.wait(for: "1 pastes")
    #expect(screen.lines[1].hasSuffix(", 0 controls"), "\(screen.lines[1])")
    try terminal.type("+")
    try terminal.wait { $0.contains("count 1") && $0.contains("key +") }
  }

  @Test func wideCharactersStandWhereTheGridHasThem() throws {
    let terminal = try start()
    let line = try terminal.screen().lines[3]
    #expect(line == "日本語|👩|❤|é|🇩🇪|👍|ｱ|")
    // The cursor tells columns, where the text of a line does not: behind three wide characters, an
    // emoji, a letter with an accent and a bar.
    try terminal.type("i")
    let screen = try terminal.wait { $0.isCursorVisible }
    #expect(screen.cursor == (10, 7))
  }

  @Test func keysAndClicksArrive() throws {
    let terminal = try start()
    for (key, name) in [
      ("Up", "Up"), ("C-a", "Ctrl-A"), ("M-x", "Alt-x"), ("Escape", "Esc"), ("F5", "F5"),
      ("BTab", "Shift-Tab"), ("C-Right", "Ctrl-Right"), ("Enter", "Enter"), ("DC", "Del"),
      ("é", "é"), ("M-Escape", "Esc"), ("S-F1", "Shift-F1"), ("PPage", "PgUp"),
    ] {
      try terminal.press(key)
      try terminal.wait { $0.lines[1] == "last: key \(name)" }
    }
    try terminal.click(column: 12, row: 7)
    try terminal.wait(for: "mouse release(DuxTerminal.Mouse.Button.left) 12,7")
    try terminal.wheel(1, column: 0, row: 0)
    try terminal.wait(for: "mouse wheelDown 0,0")
  }

  @Test func colorsAreThoseOfTheTerminalAndNoneWhereNobodyWantsThem() throws {
    let full = try start().styledText()
    #expect(full.contains("\u{1B}[31mred") && full.contains("38;5;208morange"))
    let eight = try start(environment: ["TERM": "screen"]).styledText()
    #expect(eight.contains("\u{1B}[31mred") && !eight.contains("38;5"))
    let none = try start(environment: ["NO_COLOR": "1"]).styledText()
    #expect(none.contains("redorange") && none.contains("\u{1B}[1mbold"))
    let vt100 = try start(environment: ["TERM": "vt100"]).styledText()
    #expect(vt100.contains("redorange"))
  }

  @Test(arguments: [
    ("TERM=dumb", "TERM=dumb"), ("TERM=", "TERM is not set"), ("TERM=no-such", "no-such"),
    ("TERM=xterm", "standard output is not a terminal"),
  ])
  func aTerminalThatCannotBeDrawnOnIsRefused(_ setting: String, _ words: String) throws {
    let terminal = try TerminalSession.shell()
    let output = setting == "TERM=xterm" ? ">/dev/null" : ""
    try terminal.type("\(setting) \(Self.sample) --connect 127.0.0.1:1 \(output); echo ended $?")
    try terminal.press("Enter")
    let screen = try terminal.wait(for: "ended 64")
    #expect(screen.text.replacing("\n", with: "").contains(words))
    let result = try run([Self.sample] + Self.nowhere)
    #expect(result.end == .code(64))
    #expect(result.errors.hasPrefix("terminal-sample: standard input is not a terminal"))
  }

  @Test func changesThatNobodyTookAreTold() throws {
    let (terminal, _) = try startInShell()
    try terminal.type("+")
    try terminal.wait(for: "count 1")
    try terminal.type("q")
    try terminal.wait(for: "the daemon has not confirmed 1 of the changes")
    try terminal.type("echo ended $?")
    try terminal.press("Enter")
    try terminal.wait(for: "ended 69")
  }

  @Test func aTerminalThatTakesNothingGetsTheNewestFrameWhenItGoesOn() throws {
    let (terminal, child) = try startInShell()
    let device = open(try terminal.devicePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(device) }
    tcflow(device, TCOOFF)
    // More than the terminal holds: each key changes a line.
    for _ in 0..<60 { try terminal.type("+a+b+c+d+e") }
    tcflow(device, TCOON)
    try terminal.wait(for: "count 300")
    tcflow(device, TCOOFF)
    try terminal.type("+")
    kill(child, SIGTERM)
    let deadline = Deadline(.seconds(10))
    while kill(child, 0) == 0 && !deadline.hasPassed { poll(nil, 0, 10) }
    #expect(!deadline.hasPassed, "a terminal that takes nothing holds up the end")
    tcflow(device, TCOON)
    try terminal.type("echo ended $?")
    try terminal.press("Enter")
    try terminal.wait(for: "ended 143")
  }

  @Test func aProgramThatWaitsTakesNoTime() throws {
    let terminal = try start()
    let before = try terminal.processorTicks
    // What is measured is that nothing happens for a while, so a while has to pass.
    poll(nil, 0, 2_000)
    #expect(try terminal.processorTicks - before <= 2)
  }
}
