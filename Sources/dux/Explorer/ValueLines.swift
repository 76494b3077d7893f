import DuxCommandLine
import DuxJSON
import DuxProtocol
import DuxTerminal

/// Values as lines to read and to copy.
enum ValueLines {
  private static let limit = 2_000
  private static let longestLine = 20_000

  /// The lines of a value; of one that is too long, only how long it is.
  static func lines(of value: JSON, limit: Int = limit) -> [String] {
    let pretty = PrettyText(style: .plain)
    guard value.encodedByteCount < longestLine || value.entryCount != nil,
      let lines = pretty.lines(of: value, marks: Marks(), limit: limit)
    else { return [value.shortText(longestLine / 4), tooLong(value)] }
    // Without the two columns for marks.
    return lines.map { String($0.dropFirst(2)).cut(to: longestLine) }
  }

  private static func tooLong(_ value: JSON) -> String {
    "(\(value.encodedByteCount.byteText): too long to be shown here)"
  }
}

extension LoggedStep {
  /// A line of a step's details.
  struct DetailLine: Equatable, Sendable {
    let text: String
    let role: Role?
  }

  private static let payloadLines = 60

  /// What is known of the step: when, who, each action with its payload, and each operation.
  var detailLines: [DetailLine] {
    var lines = [DetailLine(text: ClockText.dayAndTime(timeMs) + "  " + author, role: .secondary)]
    for action in actions.prefix(Self.shownActions) {
      let type = action["type"]?.stringValue ?? "?"
      lines.append(DetailLine(text: type.printable, role: .accent))
      for (name, value) in action.objectValue ?? [:] where name != "type" {
        let inner = ValueLines.lines(of: value, limit: Self.payloadLines)
        for (index, line) in inner.enumerated() {
          let label = index == 0 ? name.printable + ": " : ""
          lines.append(DetailLine(text: "  " + label + line, role: nil))
        }
      }
    }
    if actions.count > Self.shownActions {
      let left = actions.count - Self.shownActions
      lines.append(DetailLine(text: "… \(left.counted("action")) more", role: .secondary))
    }
    return lines + changeLines
  }

  private static let shownActions = 20

  private var changeLines: [DetailLine] {
    guard !changes.isEmpty else { return [DetailLine(text: "nothing changed", role: .secondary)] }
    var lines = changes.map { DetailLine(text: $0.shortText, role: $0.role) }
    if furtherChangeCount > 0 {
      lines.append(
        DetailLine(text: "… \(furtherChangeCount.counted("operation")) more", role: .secondary))
    }
    return lines
  }
}

extension LoggedStep.Change {
  /// How it looks.
  var role: Role {
    switch kind {
    case .added: .success
    case .replaced, .moved: .changed
    case .removed: .failure
    }
  }
}

/// An effect as lines to read.
enum EffectLines {
  static func lines(of effect: ListedEffect) -> [String] {
    [
      "key       \(effect.key.printable)",
      "kind      \(effect.kind.rawValue.printable)",
      "state     \(effect.state.rawValue.printable)",
      "scope     \(effect.scope.isEmpty ? "-" : effect.scope.printable)",
      "asked by  \(effect.action.printable), seq \(effect.cause), \(effect.author.printable)",
      "tries     \(effect.attempts)",
    ] + (effect.error.map { ["error     \($0.printable)"] } ?? [])
  }
}
