import DuxCommandLine
import Testing

struct HelpTests {
  @Test
  func theHelpOfAProgramWithCommandsReadsAsExpected() throws {
    let help = try Sample.program.parse(["--help"]).helpText(width: 80, style: .plain)
    #expect(
      help == """
        Usage: dux [OPTIONS] COMMAND

        Talk to a duxd

        First paragraph, which is broken in the source.

        Second paragraph.

        Commands:
          watch      Print each change below a path as it happens
          increment  Add to a number
          get        Print values

        Options:
          -s, --server ENDPOINT  Daemon to talk to [default: 127.0.0.1:7389]
                                 [env: DUX_SERVER] [config: server]
          -v, --verbose          Say more [env: DUX_VERBOSE] [config: verbose]
          -h, --help             Print this help and stop
              --version          Print the version and stop

        """)
  }

  @Test
  func theHelpOfACommandReadsAsExpected() throws {
    let help = try Sample.program.parse(["watch", "--help"]).helpText(width: 80, style: .plain)
    #expect(
      help == """
        Usage: dux watch [OPTIONS] PATH [FILTER...]

        Print each change below a path as it happens

        Arguments:
          PATH    Where to look, as a JSON Pointer
          FILTER  Types of action to show

        Options:
          -q, --quiet  Say less
              --a-very-long-option-name PLACEHOLDER
                       Stands on a line of its own
          -h, --help   Print this help and stop

        Options of every command:
          -s, --server ENDPOINT  Daemon to talk to [default: 127.0.0.1:7389]
                                 [env: DUX_SERVER] [config: server]
          -v, --verbose          Say more [env: DUX_VERBOSE] [config: verbose]

        Examples:
          dux watch /deploy
              Follow what is deployed where

        """)
  }

  @Test
  func theHelpOfANarrowTerminalIsWrapped() throws {
    let help = try Sample.daemon.parse(["--help"]).helpText(width: 54, style: .plain)
    #expect(
      help == """
        Usage: duxd [OPTIONS]

        Own a state and share it live with many programs

        Options:
              --listen ENDPOINT  Where to listen [repeatable]
                                 [default: 127.0.0.1:7389]
                                 [env: DUX_LISTEN]
                                 [config: listen]
              --max-line BYTES   Longest line taken, in either
                                 direction, before it is
                                 refused [default: 1MiB]
                                 [env: DUX_MAX_LINE]
                                 [config: max-line]
              --durability full|normal
                                 What an ack promises
          -v, --verbose          Say more [env: DUX_VERBOSE]
                                 [config: verbose]
          -h, --help             Print this help and stop
              --version          Print the version and stop

        """)
  }

  @Test(arguments: [-1, 0, 40, 60, 79, 80, 100, 200])
  func noLineIsWiderThanAskedForAndNothingIsLost(_ width: Int) throws {
    let wide = try Sample.daemon.parse(["--help"]).helpText(width: 1_000, style: .plain)
    let help = try Sample.daemon.parse(["--help"]).helpText(width: width, style: .plain)
    let words = { (text: String) in text.split { $0 == " " || $0 == "\n" } }
    #expect(words(help) == words(wide))
    #expect(!help.contains("\u{a0}"))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= max(40, width) })
    #expect(help.split(separator: "\n").allSatisfy { $0.last != " " })
  }

  @Test
  func emphasisChangesNoLetterAndNoColumn() throws {
    let invocation = try Sample.program.parse(["watch", "--help"])
    let plain = invocation.helpText(width: 80, style: .plain)
    let styled = invocation.helpText(width: 80, style: .terminal)
    #expect(styled.contains("\u{1b}[1mUsage:\u{1b}[0m dux watch"))
    #expect(
      styled.replacing("\u{1b}[1m", with: "").replacing("\u{1b}[0m", with: "") == plain)
  }
}
