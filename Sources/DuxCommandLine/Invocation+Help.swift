extension Invocation {
  /// The help of the command called, ending in a line break.
  ///
  /// The width is in columns; less than 40 is treated as 40.
  package func helpText(width: Int, style: Style) -> String {
    guard let command = commands.last else { return "" }
    let width = max(Self.narrowest, width)
    var sections = [usage(of: command, width: width, style: style)]
    sections.append(TextLayout.wrap(command.summary, width: width))
    sections += Self.paragraphs(command.discussion).map { TextLayout.wrap($0, width: width) }

    func add(_ title: String, _ rows: [(label: String, text: String)]) {
      guard !rows.isEmpty else { return }
      let lines = TextLayout.columns(rows, width: width, style: style)
      sections.append([style.heading("\(title):")] + lines)
    }
    add("Commands", command.subcommands.map { ($0.name, $0.summary) })
    add("Arguments", command.arguments.map { ($0.name, $0.summary) })
    add("Options", ownOptions(of: command).map(Self.row))
    add("Options of every command", commands.dropLast().flatMap(\.options).map(Self.row))
    if !command.examples.isEmpty {
      sections.append(
        [style.heading("Examples:")] + Self.examples(command, width: width, style: style))
    }
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private static let narrowest = 40

  private func ownOptions(of command: Command) -> [Option] {
    command.options + [.help] + (commands.count == 1 ? [.version] : [])
  }

  private func usage(of command: Command, width: Int, style: Style) -> [String] {
    let operands =
      command.subcommands.isEmpty
      ? command.arguments.map(\.usage) : [command.standsAlone ? "[COMMAND]" : "COMMAND"]
    let title = "Usage: "
    let words = ([path] + ["[OPTIONS]"] + operands).map {
      String($0.map { $0 == " " ? TextLayout.firmBlank : $0 })
    }
    let lines = TextLayout.wrap(words.joined(separator: " "), width: width - title.count)
    return lines.enumerated().map { number, line in
      (number == 0 ? style.heading("Usage:") + " " : TextLayout.blanks(title.count)) + line
    }
  }

  private static func row(_ option: Option) -> (label: String, text: String) {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    let value = option.placeholder.map { " \($0)" } ?? ""
    return (letter + option.spelling + value, option.summary + facts(option))
  }

  /// Where else the value comes from; a fact is not broken over two lines.
  private static func facts(_ option: Option) -> String {
    let facts = [
      option.isRepeatable ? "[repeatable]" : nil,
      option.defaultValue.map { "[default: \($0)]" },
      option.variable.map { "[env: \($0)]" },
      option.key.map { "[config: \($0)]" },
    ]
    return facts.compactMap { $0 }
      .map { " " + String($0.map { $0 == " " ? TextLayout.firmBlank : $0 }) }
      .joined()
  }

  private static func examples(_ command: Command, width: Int, style: Style) -> [String] {
    command.examples.flatMap { example in
      ["  " + style.bold(example.line)]
        + TextLayout.wrap(example.summary, width: width - 6).map { "      " + $0 }
    }
  }

  private static func paragraphs(_ text: String) -> [String] {
    var paragraphs: [String] = [""]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        paragraphs.append("")
      } else {
        paragraphs[paragraphs.count - 1] += line + " "
      }
    }
    return paragraphs.filter { !$0.isEmpty }
  }
}
