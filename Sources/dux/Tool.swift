import DuxClient
import DuxCommandLine

/// A command of the program: how it is typed, and what it does.
struct Tool: Sendable {
  let command: Command
  /// Those of its subcommands.
  var subtools: [Tool] = []
  let run: @Sendable (Call) throws(Failure) -> ExitStatus

  /// All commands, in the order of the help.
  static let all: [Tool] =
    [GetCommand.tool] + WriteCommands.all + [
      DispatchCommand.tool, WatchCommand.tool, WaitCommand.tool, ExecCommand.tool, LockCommand.tool,
      LeaseCommand.tool, LogCommand.tool, WhoCommand.tool, EffectsCommand.tool, StatusCommand.tool,
      PingCommand.tool, BenchCommand.tool, TuiCommand.tool, VersionCommand.tool,
    ]

  /// The tool that a command line calls.
  static func called(by invocation: Invocation) -> Tool? {
    var tools = all
    var called: Tool?
    for command in invocation.commands.dropFirst() {
      called = tools.first { $0.command.name == command.name }
      tools = called?.subtools ?? []
    }
    return called
  }

  /// The program as the command line knows it.
  static let program = Command(
    name: "dux",
    summary: "Read, change and follow the state that a duxd shares.",
    discussion: """
      A PATH is a JSON Pointer, such as /todos/0/title; left out, it is the whole state. A VALUE is \
      JSON, or a bare word, which is a string.

      Exit status: 0 done; 1 refused for good (the app's rule, a condition that does not hold, \
      another client of the same name); 2 there is no such value or effect, or it is no longer kept; \
      3 a check of 'dux bench' failed; 64 the command line or the input is wrong; 69 the daemon \
      cannot be reached, or does not answer; 70 a fault, here or in the daemon; 74 the output cannot be written; 75 refused for \
      the moment, and still so after --timeout; 124 to 127 as 'dux wait', 'dux exec' and 'dux lock' \
      say; 130 interrupted, which is also how watch usually \
      ends; 141 nobody reads the output any more.

      'dux help COMMAND' tells more about each, with examples.
      """,
    options: GlobalOptions.all,
    examples: [
      Example("dux set /deploy/web v42", summary: "Set a value"),
      Example("dux get /deploy/web", summary: "Read it"),
      Example("dux watch /deploy", summary: "Follow what happens below a path"),
    ],
    subcommands: all.map(\.command))
}

/// The options that every command takes.
enum GlobalOptions {
  static let connect = Option(
    "connect", letter: "c", .value("WHERE"),
    summary: "Where the daemon listens: HOST:PORT or unix:PATH",
    defaultValue: DaemonAddress.standardText, variable: DaemonAddress.variable)
  static let json = Option(
    "json", .flag, summary: "Print JSON, one value a line, as each command's help says")
  static let client = Option(
    "client", .value("NAME"),
    summary: "This client's name; another connection of the same name is ended by this one "
      + "(default: a name of its own)")
  static let timeout = Option(
    "timeout", .value("DURATION"),
    summary: "How long to wait for a silent daemon, for one that was lost, and while it refuses "
      + "writes for the moment; not for watch and exec, and for wait and lock as their help says",
    defaultValue: "10s")
  static let color = Option(
    "color", .value("WHEN"), summary: "Colours: auto, always or never", defaultValue: "auto")

  static let all = [connect, json, client, timeout, color]
}
