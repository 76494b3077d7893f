extension Command {
  /// Reads the words of a command line, the program's own name left out.
  ///
  /// `--name VALUE`, `--name=VALUE`, `-n VALUE`, `-nVALUE`, `-n=VALUE` and flags in one word (`-ab`) are
  /// options, wherever they stand; `--` ends them. A word like `-5` is a negative number, not an
  /// option, and `-` alone is a word. `--help` and `-h` are known to every command, `--version` to the
  /// program, and `help COMMAND` to those that have subcommands. An option that takes one value may be
  /// repeated with the same value, not with another.
  package func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var parser = LineParser(program: self, words: words)
    return try parser.parse()
  }
}

/// The reading of one command line.
private struct LineParser {
  private let words: [String]
  private var next = 0
  private var commands: [Command]
  private var current: Command
  private var given: [String: [String]] = [:]
  private var positional: [String] = []
  private var request = Invocation.Request.run
  private var optionsEnded = false

  init(program: Command, words: [String]) {
    self.words = words
    commands = [program]
    current = program
  }

  mutating func parse() throws(UsageError) -> Invocation {
    while request == .run, let word = take() {
      try read(word)
    }
    var assigned: [String: [String]] = [:]
    if request == .run {
      guard current.standsAlone else {
        throw error(.missingCommand(known: current.subcommands.map(\.name)))
      }
      assigned = try assignArguments()
    }
    return Invocation(request: request, commands: commands, given: given, words: assigned)
  }

  private mutating func read(_ word: String) throws(UsageError) {
    if optionsEnded || !Self.looksLikeOption(word) {
      try readWord(word)
    } else if word == "--" {
      optionsEnded = true
    } else if word.hasPrefix("--") {
      try readLong(word)
    } else {
      try readLetters(word)
    }
  }

  private mutating func readWord(_ word: String) throws(UsageError) {
    guard !current.subcommands.isEmpty else {
      positional.append(word)
      return
    }
    if let subcommand = current.subcommands.first(where: { $0.name == word }) {
      enter(subcommand)
    } else if word == "help", !optionsEnded {
      try readHelpPath()
    } else {
      throw unknownCommand(word)
    }
  }

  /// Reads `help watch` as `watch --help`.
  private mutating func readHelpPath() throws(UsageError) {
    while let word = take() {
      guard let subcommand = current.subcommands.first(where: { $0.name == word }) else {
        throw unknownCommand(word)
      }
      enter(subcommand)
    }
    request = .help
  }

  private mutating func enter(_ subcommand: Command) {
    current = subcommand
    commands.append(subcommand)
  }

  private mutating func readLong(_ word: String) throws(UsageError) {
    let body = word.dropFirst(2)
    let name = body.prefix { $0 != "=" }
    let attached = name.endIndex < body.endIndex ? String(body[name.endIndex...].dropFirst()) : nil
    guard let option = knownOptions.first(where: { $0.name == name }) else {
      throw unknownOption("--\(name)")
    }
    try set(option, attached: attached)
  }

  /// Reads `-x`, `-xVALUE`, `-x=VALUE` and several flags in one word.
  private mutating func readLetters(_ word: String) throws(UsageError) {
    var rest = word.dropFirst()
    while let letter = rest.popFirst(), request == .run {
      guard let option = knownOptions.first(where: { $0.letter == letter }) else {
        throw unknownOption(word.count == 2 ? word : "-\(letter)", wholeWord: word)
      }
      let hasEquals = rest.first == "="
      if option.kind == .flag, !hasEquals {
        try set(option, attached: nil)
      } else {
        let value = hasEquals ? rest.dropFirst() : rest
        try set(option, attached: hasEquals || !rest.isEmpty ? String(value) : nil)
        return
      }
    }
  }

  private mutating func set(_ option: Option, attached: String?) throws(UsageError) {
    guard option.kind == .flag else {
      let value = if let attached { attached } else { try takeValue(of: option) }
      return try setValue(option, value)
    }
    guard let isOn = FlagText.read(attached ?? "true") else {
      throw error(.flagWithValue(option.spelling, value: attached ?? ""))
    }
    if option == .help || option == .version, isOn {
      request = option == .help ? .help : .version
      return
    }
    try setValue(option, isOn ? "true" : "false")
  }

  private mutating func setValue(_ option: Option, _ value: String) throws(UsageError) {
    if !option.isRepeatable, let first = given[option.name]?.first {
      guard first == value else {
        throw error(.givenTwice(option.spelling, first: first, second: value))
      }
      return
    }
    given[option.name, default: []].append(value)
  }

  private mutating func takeValue(of option: Option) throws(UsageError) -> String {
    let following = next < words.count ? words[next] : nil
    guard let value = following, !Self.looksLikeOption(value) else {
      throw error(
        .missingValue(option.spelling, placeholder: option.placeholder ?? "", next: following))
    }
    next += 1
    return value
  }

  private func assignArguments() throws(UsageError) -> [String: [String]] {
    var left = positional[...]
    var assigned: [String: [String]] = [:]
    for argument in current.arguments {
      let taken = argument.arity.isRepeated ? left : left.prefix(1)
      guard !taken.isEmpty || argument.arity.isOmissible else {
        throw error(.missingArgument(argument.name))
      }
      left = left.dropFirst(taken.count)
      assigned[argument.name] = taken.isEmpty ? nil : Array(taken)
    }
    if let extra = left.first {
      throw error(.unexpectedArgument(extra))
    }
    return assigned
  }

  private mutating func take() -> String? {
    guard next < words.count else { return nil }
    defer { next += 1 }
    return words[next]
  }

  private var knownOptions: [Option] {
    commands.flatMap(\.options) + [.help] + (commands.count == 1 ? [.version] : [])
  }

  private func unknownOption(_ word: String, wholeWord: String = "") -> UsageError {
    let names = knownOptions.map(\.name)
    // `-server` for `--server`, and `-s` for nothing near it.
    let typed = word.hasPrefix("--") ? word.dropFirst(2) : wholeWord.dropFirst()
    let nearest = Suggestion.nearest(to: String(typed), among: names)
    return error(.unknownOption(word, suggestion: nearest.map { "--\($0)" }))
  }

  private func unknownCommand(_ word: String) -> UsageError {
    let known = current.subcommands.map(\.name)
    let nearest = Suggestion.nearest(to: word, among: known)
    return error(.unknownCommand(word, suggestion: nearest, known: known))
  }

  private func error(_ problem: UsageError.Problem) -> UsageError {
    UsageError(path: commands.map(\.name).joined(separator: " "), problem: problem)
  }

  /// Whether a word begins with a dash and is neither `-` nor a negative number.
  static func looksLikeOption(_ word: String) -> Bool {
    let bytes = word.utf8
    guard bytes.first == UInt8(ascii: "-"), let second = bytes.dropFirst().first else {
      return false
    }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    if digits.contains(second) {
      return false
    }
    let third = bytes.dropFirst(2).first
    return !(second == UInt8(ascii: ".") && third.map(digits.contains) == true)
  }
}
