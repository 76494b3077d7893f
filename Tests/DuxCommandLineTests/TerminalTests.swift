import DuxCommandLine
import Glibc
import Testing

struct TerminalTests {
  @Test(
    arguments: [
      (true, 120, [:], 120), (true, 0, [:], 80), (true, 5, [:], 80), (true, 65_535, [:], 80),
      (false, 120, [:], 80), (false, 0, ["COLUMNS": "100"], 100),
      (true, 120, ["COLUMNS": "60"], 60),
      (true, 120, ["COLUMNS": "wide"], 120), (true, 120, ["COLUMNS": "-1"], 120),
    ] as [(Bool, Int, [String: String], Int)])
  func theWidthIsThatOfTheTerminalOrTheUsualOne(
    _ isInteractive: Bool, _ measured: Int, _ environment: [String: String], _ columns: Int
  ) {
    let terminal = Terminal(
      isInteractive: isInteractive, measured: measured, environment: environment)
    #expect(terminal.columns == columns)
  }

  @Test(
    arguments: [
      (true, [:], Style.terminal), (false, [:], .plain), (true, ["NO_COLOR": "1"], .plain),
      (true, ["NO_COLOR": ""], .terminal), (true, ["TERM": "dumb"], .plain),
      (true, ["TERM": "xterm"], .terminal),
    ] as [(Bool, [String: String], Style)])
  func emphasisIsForTerminalsThatWantIt(
    _ isInteractive: Bool, _ environment: [String: String], _ style: Style
  ) {
    let terminal = Terminal(isInteractive: isInteractive, measured: 80, environment: environment)
    #expect(terminal.style == style)
  }

  @Test
  func aFileIsNoTerminal() {
    let descriptor = open("/dev/null", O_WRONLY)
    defer { close(descriptor) }
    #expect(Terminal.of(descriptor, environment: [:]).isInteractive == false)
    #expect(Terminal.of(-1, environment: [:]).columns == 80)
  }

  @Test
  func emphasisEndsWhereItsTextEnds() {
    #expect(Style.terminal.bold("x") == "\u{1b}[1mx\u{1b}[0m")
    #expect(Style.terminal.faint("x") == "\u{1b}[2mx\u{1b}[0m")
    #expect(Style.terminal.coloured("x", .red) == "\u{1b}[31mx\u{1b}[0m")
    #expect(Style.terminal.bold("").isEmpty)
    for colour in Style.Colour.allCases {
      #expect(Style.plain.coloured("x", colour) == "x")
    }
  }
}
