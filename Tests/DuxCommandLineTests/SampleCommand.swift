import DuxCommandLine

/// A program like the real ones, with every kind of option and argument.
enum Sample {
  static let server = Option(
    "server", letter: "s", .value("ENDPOINT"), summary: "Daemon to talk to",
    defaultValue: "127.0.0.1:7389", variable: "DUX_SERVER", key: "server")
  static let verbose = Option(
    "verbose", letter: "v", .flag, summary: "Say more", variable: "DUX_VERBOSE", key: "verbose")
  static let quiet = Option("quiet", letter: "q", .flag, summary: "Say less")
  static let maximumLine = Option(
    "max-line", .value("BYTES"),
    summary: "Longest line taken, in either direction, before it is refused",
    defaultValue: "1MiB", variable: "DUX_MAX_LINE", key: "max-line")
  static let listen = Option(
    "listen", .values("ENDPOINT"), summary: "Where to listen", defaultValue: "127.0.0.1:7389",
    variable: "DUX_LISTEN", key: "listen")
  static let durability = Option(
    "durability", .value("full|normal"), summary: "What an ack promises")
  static let since = Option(
    "a-very-long-option-name", .value("PLACEHOLDER"), summary: "Stands on a line of its own")

  static let watch = Command(
    name: "watch", summary: "Print each change below a path as it happens",
    arguments: [
      Argument("PATH", summary: "Where to look, as a JSON Pointer"),
      Argument("FILTER", .any, summary: "Types of action to show"),
    ],
    options: [quiet, since],
    examples: [Example("dux watch /deploy", summary: "Follow what is deployed where")])
  static let increment = Command(
    name: "increment", summary: "Add to a number",
    arguments: [
      Argument("PATH", summary: "Which"), Argument("BY", .optional, summary: "How much"),
    ])
  static let get = Command(
    name: "get", summary: "Print values",
    arguments: [Argument("PATH", .atLeastOne, summary: "Which")])
  static let program = Command(
    name: "dux", summary: "Talk to a duxd",
    discussion: "First paragraph, which is\nbroken in the source.\n\nSecond paragraph.",
    options: [server, verbose], subcommands: [watch, increment, get])

  static let daemon = Command(
    name: "duxd", summary: "Own a state and share it live with many programs",
    options: [listen, maximumLine, durability, verbose])
}
