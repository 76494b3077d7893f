/// What a command line asks for, before any value is read.
package struct Invocation: Equatable, Sendable {
  /// What is to be done.
  package enum Request: Equatable, Sendable {
    /// What the command is for.
    case run
    /// Its help.
    case help
    /// The version of the program.
    case version
  }

  /// What is to be done.
  package let request: Request
  /// The commands from the program down to the one called.
  package let commands: [Command]
  /// The values of each option given, under its name; `true` or `false` for a flag.
  package let given: [String: [String]]
  /// The words given for each argument, under its name; no entry for one left out.
  package let words: [String: [String]]

  /// The names from the program down, such as `dux watch`.
  package var path: String {
    commands.map(\.name).joined(separator: " ")
  }

  /// The command called.
  package var command: Command? {
    commands.last
  }

  /// The options that may stand on this command line, those of the outer commands first.
  package var options: [Option] {
    commands.flatMap(\.options)
  }

  /// The word of an argument that takes one; `nil` when it was left out.
  package func argument(_ name: String) -> String? {
    words[name]?.first
  }

  /// The words of an argument that takes several.
  package func arguments(_ name: String) -> [String] {
    words[name] ?? []
  }
}
