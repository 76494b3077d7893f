/// A command line that cannot be understood.
package struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with it.
  package enum Problem: Equatable, Sendable {
    /// No option has this name; one with a name like it may be meant.
    case unknownOption(String, suggestion: String?)
    /// No subcommand has this name; one with a name like it may be meant.
    case unknownCommand(String, suggestion: String?, known: [String])
    /// The command has subcommands and none was given.
    case missingCommand(known: [String])
    /// The option ends the line, or another option follows it.
    case missingValue(String, placeholder: String, next: String?)
    /// A flag was given a value other than true or false.
    case flagWithValue(String, value: String)
    /// An option that takes one value was given a second.
    case givenTwice(String, first: String, second: String)
    /// An argument is missing.
    case missingArgument(String)
    /// A word is left over.
    case unexpectedArgument(String)
  }

  /// The command whose line it is, such as `dux watch`.
  package let path: String
  /// What is wrong with it.
  package let problem: Problem

  /// What is wrong and the way out, in one line.
  package var description: String {
    "\(message); see '\(path) --help'"
  }

  private var message: String {
    switch problem {
    case .unknownOption(let word, let suggestion):
      "unknown option \(quoted(word))" + orMeant(suggestion)
    case .unknownCommand(let word, let suggestion, let known):
      known.isEmpty
        ? "unexpected argument \(quoted(word))"
        : "unknown command \(quoted(word))"
          + (suggestion == nil
            ? ", the commands are \(known.joined(separator: ", "))" : orMeant(suggestion))
    case .missingCommand(let known):
      "a command is missing, one of \(known.joined(separator: ", "))"
    case .missingValue(let option, let placeholder, nil):
      "\(option) needs a value: \(option) \(placeholder)"
    case .missingValue(let option, _, .some(let next)):
      "\(option) needs a value, and \(quoted(next)) looks like an option "
        + "(if it is the value, write \(option)=\(next))"
    case .flagWithValue(let option, let value):
      "\(option) takes no value but true or false, not \(quoted(value))"
    case .givenTwice(let option, let first, let second):
      "\(option) is given twice, as \(quoted(first)) and as \(quoted(second))"
    case .missingArgument(let name):
      "\(name) is missing"
    case .unexpectedArgument(let word):
      "unexpected argument \(quoted(word))"
    }
  }

  private func orMeant(_ suggestion: String?) -> String {
    suggestion.map { ", did you mean \($0)?" } ?? ""
  }
}

/// A text from outside within a message: in quotes, controls escaped, cut when long.
func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars.prefix(longestQuote) {
    result +=
      scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
  }
  return result + (text.unicodeScalars.count > longestQuote ? "…\"" : "\"")
}

/// Scalars of a quotation; enough to recognise what was typed.
private let longestQuote = 120
