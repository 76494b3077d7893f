/// A program, or one of its subcommands, as data: what it takes and what its help says.
package struct Command: Equatable, Sendable {
  /// What is typed for it.
  package let name: String
  /// What it does, in one line.
  package let summary: String
  /// What else there is to know; paragraphs are parted by an empty line.
  package let discussion: String
  /// What follows it by place; empty for a command that has subcommands.
  package let arguments: [Argument]
  /// What follows it by name; the options of a command are taken by its subcommands too.
  package let options: [Option]
  /// Calls to copy, with what they do.
  package let examples: [Example]
  /// Its subcommands, in the order of the help.
  package let subcommands: [Command]
  /// Whether it can be called by itself, without one of its subcommands.
  package let standsAlone: Bool

  /// Describes a command.
  ///
  /// - Precondition: names and letters are used once; only the last argument takes several words, and
  ///   only the last ones may be left out; there are arguments or subcommands, not both.
  package init(
    name: String, summary: String, discussion: String = "", arguments: [Argument] = [],
    options: [Option] = [], examples: [Example] = [], subcommands: [Command] = [],
    standsAlone: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.examples = examples
    self.subcommands = subcommands
    self.standsAlone = standsAlone || subcommands.isEmpty
    precondition(arguments.isEmpty || subcommands.isEmpty, "\(name): arguments or subcommands")
    precondition(
      arguments.dropLast().allSatisfy { !$0.arity.isRepeated }
        && zip(arguments, arguments.dropFirst()).allSatisfy {
          !$0.arity.isOmissible || $1.arity.isOmissible
        },
      "\(name): an argument that cannot be told from the next")
    Self.checkUnique(subcommands.map(\.name), name)
    checkOptions(inherited: [])
  }

  /// The command's options and those of its subcommands, each once, in the order of the help.
  package var allOptions: [Option] {
    options + subcommands.flatMap(\.allOptions)
  }

  private func checkOptions(inherited: [Option]) {
    let visible = inherited + options
    Self.checkUnique(visible.map(\.name) + [Option.help.name], name)
    Self.checkUnique((visible + [Option.help]).compactMap(\.letter).map { String($0) }, name)
    for subcommand in subcommands {
      subcommand.checkOptions(inherited: visible)
    }
  }

  private static func checkUnique(_ names: [String], _ owner: String) {
    precondition(Set(names).count == names.count, "\(owner): a name is used twice")
  }
}

/// A word that follows a command by place.
package struct Argument: Equatable, Sendable {
  /// How many words it takes.
  package enum Arity: Equatable, Sendable {
    /// Exactly one.
    case one
    /// One, or none.
    case optional
    /// Any number, none too.
    case any
    /// One or more.
    case atLeastOne

    var isRepeated: Bool {
      self == .any || self == .atLeastOne
    }

    var isOmissible: Bool {
      self == .any || self == .optional
    }
  }

  /// What stands for it in the help, such as `PATH`.
  package let name: String
  /// How many words it takes.
  package let arity: Arity
  /// What it is, in one line.
  package let summary: String

  /// Describes an argument.
  package init(_ name: String, _ arity: Arity = .one, summary: String) {
    self.name = name
    self.arity = arity
    self.summary = summary
  }

  /// The argument as the usage line shows it.
  var usage: String {
    switch arity {
    case .one: name
    case .optional: "[\(name)]"
    case .any: "[\(name)...]"
    case .atLeastOne: "\(name)..."
    }
  }
}

/// A call to copy, with what it does.
package struct Example: Equatable, Sendable {
  /// The line to type.
  package let line: String
  /// What it does.
  package let summary: String

  /// Describes an example.
  package init(_ line: String, summary: String) {
    self.line = line
    self.summary = summary
  }
}
