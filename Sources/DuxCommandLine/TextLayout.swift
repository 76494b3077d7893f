/// Text in lines of a given width.
enum TextLayout {
  /// A blank at which no line is broken; it is shown as a plain one.
  static let firmBlank: Character = "\u{a0}"

  /// Fills lines with the words of a text; a word longer than a line stands alone on one.
  static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: { $0 == " " || $0.isNewline }) {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    if !line.isEmpty {
      lines.append(line)
    }
    return lines.map { String($0.map { $0 == firmBlank ? " " : $0 }) }
  }

  /// Two columns: labels, and texts beside them, wrapped within their column.
  ///
  /// A label too long for its column stands on a line of its own.
  static func columns(_ rows: [(label: String, text: String)], width: Int, style: Style) -> [String]
  {
    let limit = min(longestLabel, width - indent - gap - narrowestColumn)
    let longest = rows.map(\.label.count).filter { $0 <= limit }.max() ?? 0
    let start = indent + longest + gap
    let room = max(narrowestColumn, width - start)
    return rows.flatMap { label, text in
      row(label, wrap(text, width: room), start: start, style: style)
    }
  }

  private static let indent = 2
  private static let gap = 2
  private static let longestLabel = 28
  /// Room that texts have at least, at the cost of the labels' column.
  private static let narrowestColumn = 24

  private static func row(
    _ label: String, _ lines: [String], start: Int, style: Style
  ) -> [String] {
    let head = blanks(indent) + style.bold(label)
    let used = indent + label.count
    guard let first = lines.first else { return [head] }
    let rest = lines.dropFirst().map { blanks(start) + $0 }
    guard used + gap <= start else {
      return [head, blanks(start) + first] + rest
    }
    return [head + blanks(start - used) + first] + rest
  }

  static func blanks(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }
}
