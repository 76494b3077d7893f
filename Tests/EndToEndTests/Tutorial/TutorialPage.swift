/// A page that leads through making a package: the files it shows and the lines it has typed.
struct TutorialPage {
  /// One thing that a reader does, in the order of the page.
  enum Step {
    /// Puts a text in a file of the package.
    case file(path: String, text: String)
    /// Types a line that prepares something.
    case line(String)
    /// Types a line whose output the page shows; `…` in it stands for anything.
    case command(String, output: [String])
  }

  let steps: [Step]

  /// Reads the page's blocks of code: those in Swift behind the name of a file, those in `sh`, and
  /// those in `console`, where `$ ` stands before what is typed.
  init(_ text: String) {
    var steps: [Step] = []
    var block: (language: String, lines: [String])?
    var sentence = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let (language, lines) = block {
        if line == "```" {
          steps += Self.steps(language, lines, behind: sentence)
          block = nil
        } else {
          block?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        block = (String(line.dropFirst(3)), [])
      } else if !line.isEmpty {
        sentence = line
      }
    }
    self.steps = steps
  }

  private static func steps(
    _ language: String, _ lines: [String], behind sentence: String
  ) -> [Step] {
    switch language {
    case "swift":
      let path = sentence.split(separator: "`").dropLast().last.map(String.init)
      guard let path, sentence.hasSuffix("`:") else { return [] }
      return [.file(path: path, text: lines.joined(separator: "\n") + "\n")]
    case "sh": return lines.map { .line($0) }
    case "console": return commands(lines)
    default: return []
    }
  }

  private static func commands(_ lines: [String]) -> [Step] {
    var commands: [(typed: String, output: [String])] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), []))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output.append(line)
      }
    }
    return commands.map { .command($0.typed, output: $0.output) }
  }

  /// Whether a line is what the page shows.
  static func fits(_ line: String, _ shown: String) -> Bool {
    let parts = shown.split(separator: "…", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      return line == shown
    }
    guard line.hasPrefix(first), line.hasSuffix(last) else { return false }
    var rest = line.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.count >= last.count
  }
}
