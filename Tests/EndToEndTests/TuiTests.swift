import DuxJSON
import Glibc
import Testing

/// `dux tui` on real terminals, with a real daemon.
@Suite(.serialized, .enabled(if: TerminalSession.isAvailable, "needs tmux"))
struct TuiTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func tui(
    _ daemon: DaemonProcess, _ name: String, columns: Int = 80, rows: Int = 24
  ) throws -> TerminalSession {
    try TerminalSession(
      [
        programs + "/dux", "tui", "--connect", "\(daemon.host):\(daemon.port)", "--client", name,
      ], columns: columns, rows: rows, environment: ["XDG_STATE_HOME": folder("state")])
  }

  private func dispatch(_ line: String, on terminal: TerminalSession) throws {
    try terminal.type(":" + line)
    try terminal.press("Enter")
  }

  /// The rows of the state, without the lines around them.
  private func rows(_ screen: TerminalSession.Screen) -> [String] {
    // The first column holds the marks, which fade.
    screen.lines.dropFirst(2).dropLast().map { String($0.dropFirst()) }
  }

  @Test func whatIsSetInOneIsSeenInTheOtherAlsoAcrossAKilledDaemon() throws {
    let daemon = try DaemonProcess()
    let (one, other) = (try tui(daemon, "one"), try tui(daemon, "other"))
    for terminal in [one, other] { try terminal.wait(for: "● live") }
    try dispatch("set /deploy/web v1", on: one)
    try other.wait(for: "deploy: {1 member}  {\"web\":\"v1\"}")

    try daemon.kill()
    for terminal in [one, other] { try terminal.wait(for: "○ offline") }
    try dispatch("set /meanwhile 2", on: other)
    try other.wait(for: "1 on the way")
    try daemon.start()
    for terminal in [one, other] {
      try terminal.wait { $0.contains("● live") && $0.contains("meanwhile: 2") }
    }
    try dispatch("set /after [1,2,3]", on: one)
    try other.wait(for: "after: [3 items]  [1,2,3]")
    let screens = (
      try one.wait(for: "after: [3 items]"), try other.wait { $0.lines[0].contains("seq 3") }
    )
    #expect(rows(screens.0) == rows(screens.1))
    for terminal in [one, other] {
      try terminal.press("q")
      let end = try terminal.waitForEnd()
      let screen = try terminal.screen()
      #expect(end == .code(0), "\(screen)")
    }
  }

  @Test func itStartsBeforeTheDaemonAndTellsATakeover() throws {
    let daemon = try DaemonProcess()
    try daemon.kill()
    let terminal = try tui(daemon, "same", columns: 120, rows: 30)
    try terminal.wait(for: "○ offline")
    try daemon.start()
    try terminal.wait(for: "● live")
    try terminal.wait(for: "same (this one)")
    let second = try tui(daemon, "same")
    try second.wait(for: "● live")
    try terminal.wait(for: "✕ ended")
    try terminal.press("q")
    #expect(try terminal.waitForEnd() == .code(0))
  }

  @Test func whoIsHereAndTheLogAreShownBesideTheState() throws {
    let daemon = try DaemonProcess()
    let terminal = try tui(daemon, "watcher", columns: 140, rows: 40)
    try terminal.wait(for: "● live")
    let other = try Client(daemon, named: "somebody")
    try terminal.wait(for: "somebody  since")
    try other.accepted(.set("/n", 1))
    try terminal.wait { $0.lines.contains { $0.contains("doc/set") && $0.contains("+ /n 1") } }
    try terminal.wait(for: "+    n: 1")
  }

  @Test func everySizeIsDrawnInAndKeysStillWork() throws {
    let daemon = try DaemonProcess()
    let terminal = try tui(daemon, "small", columns: 1, rows: 1)
    try terminal.wait { $0.isAlternate }
    for (columns, rows) in [(400, 120), (20, 3), (1, 1), (80, 24)] {
      try terminal.resize(columns: columns, rows: rows)
      try terminal.type("?")
      try terminal.press("Escape", "Tab", "Tab", "Tab", "Tab")
      try terminal.wait { $0.lines.count == rows }
    }
    try dispatch("set /alive yes", on: terminal)
    try terminal.wait(for: "alive: \"yes\"")
  }

  @Test func linesAreKeptForTheNextRun() throws {
    let daemon = try DaemonProcess()
    let first = try tui(daemon, "first")
    try first.wait(for: "● live")
    try dispatch("set /a 41", on: first)
    try first.wait(for: "a: 41")
    try first.press("q")
    _ = try first.waitForEnd()
    let second = try tui(daemon, "second")
    try second.wait(for: "● live")
    try second.type(":")
    try second.press("Up")
    try second.wait { $0.lines.last?.hasPrefix(": set /a 41") ?? false }
  }

  @Test func itDoesNothingWhileNothingHappens() throws {
    let daemon = try DaemonProcess()
    let terminal = try tui(daemon, "idle")
    try terminal.wait(for: "● live")
    let before = try terminal.processorTicks
    // What is measured is that nothing happens for a while, so a while has to pass.
    poll(nil, 0, 3_000)
    #expect(try terminal.processorTicks - before <= 3)
  }
}
