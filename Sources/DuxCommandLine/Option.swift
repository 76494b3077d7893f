/// A setting that is named on the command line, and may come from elsewhere too.
package struct Option: Equatable, Sendable {
  /// What the option takes.
  package enum Kind: Equatable, Sendable {
    /// Nothing: it is on or off. `--name=false` turns off what the configuration turned on.
    case flag
    /// One value, given once; the text stands for it in the help, such as `BYTES`.
    case value(String)
    /// One value each time it is given, all of them kept. In the environment commas part them.
    case values(String)
  }

  /// The name without its dashes.
  package let name: String
  /// The letter of its short form.
  package let letter: Character?
  /// What it takes.
  package let kind: Kind
  /// What it does, in one line.
  package let summary: String
  /// The value when none is given, as a user would write it; read like any other.
  package let defaultValue: String?
  /// The environment variable that gives it; an empty variable counts as none.
  package let variable: String?
  /// The key of the configuration file that gives it.
  package let key: String?

  /// Describes an option.
  ///
  /// - Precondition: the name is not empty and has no `=`; the letter is neither a digit, which would
  ///   make negative numbers ambiguous, nor `-` or `=`.
  package init(
    _ name: String, letter: Character? = nil, _ kind: Kind, summary: String,
    defaultValue: String? = nil, variable: String? = nil, key: String? = nil
  ) {
    precondition(!name.isEmpty && !name.hasPrefix("-") && !name.contains("="), "name of an option")
    precondition(letter.map { $0.isASCII && $0.isLetter } ?? true, "letter of --\(name)")
    self.name = name
    self.letter = letter
    self.kind = kind
    self.summary = summary
    self.defaultValue = defaultValue
    self.variable = variable
    self.key = key
  }

  /// The option as it is typed.
  package var spelling: String {
    "--\(name)"
  }

  /// What stands for the value in the help; `nil` for a flag.
  var placeholder: String? {
    switch kind {
    case .flag: nil
    case .value(let placeholder), .values(let placeholder): placeholder
    }
  }

  var isRepeatable: Bool {
    if case .values = kind { true } else { false }
  }

  /// The option that every command has.
  static let help = Option("help", letter: "h", .flag, summary: "Print this help and stop")
  /// The option that every program has.
  static let version = Option("version", .flag, summary: "Print the version and stop")
}
