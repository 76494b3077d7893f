import DuxCommandLine
import DuxJSON

/// A value for people: an entry a line, indented, and what changed in it marked.
///
/// Marks stand in the first two columns too, for whoever sees no colours: `+` new, `~` replaced,
/// `-` gone.
struct PrettyText {
  let style: Style
  /// Old values beside new ones are shown up to so many columns.
  private static let oldValueColumns = 40

  /// The lines of a value.
  func lines(of value: JSON) -> [String] {
    var lines = Lines(limit: .max, hasGutter: false)
    append(value, name: nil, comma: "", level: 0, marks: nil, kind: nil, to: &lines)
    return lines.texts
  }

  /// The lines of a value with its changes marked; `nil` when they are more than `limit`.
  func lines(of value: JSON, marks: Marks, limit: Int) -> [String]? {
    var lines = Lines(limit: limit, hasGutter: true)
    append(value, name: nil, comma: "", level: 0, marks: marks, kind: nil, to: &lines)
    return lines.isOver ? nil : lines.texts
  }

  private struct Lines {
    let limit: Int
    let hasGutter: Bool
    var texts: [String] = []
    var isOver: Bool { texts.count > limit }
  }

  private func append(
    _ value: JSON, name: String?, comma: String, level: Int, marks: Marks?, kind: Marks.Kind?,
    to lines: inout Lines
  ) {
    guard !lines.isOver else { return }
    let kind = marks?.kind ?? kind
    let key = name.map { self.key($0, kind) } ?? ""
    let was = marks?.old.map(oldText) ?? ""
    switch value {
    case .object(let object) where !object.isEmpty || marks?.hasRemoved == true:
      line(key + "{" + was, level, kind, &lines)
      appendMembers(of: object, level: level + 1, marks: marks, kind: kind, to: &lines)
      line("}" + comma, level, kind, &lines)
    case .array(let array) where !array.isEmpty || marks?.hasRemoved == true:
      line(key + "[" + was, level, kind, &lines)
      appendElements(of: array, level: level + 1, marks: marks, kind: kind, to: &lines)
      line("]" + comma, level, kind, &lines)
    default:
      line(key + value.printableText + comma + was, level, kind, &lines)
    }
  }

  private func appendMembers(
    of object: JSONObject, level: Int, marks: Marks?, kind: Marks.Kind?, to lines: inout Lines
  ) {
    var removed = (marks?.removedMembers ?? [])[...]
    var left = object.count
    func appendRemoved(before name: String?) {
      while let first = removed.first, name.map({ first.name.precedes($0) }) ?? true {
        append(
          first.old, name: first.name, comma: "", level: level, marks: nil, kind: .removed,
          to: &lines)
        removed.removeFirst()
      }
    }
    for (name, member) in object {
      guard !lines.isOver else { return }
      left -= 1
      appendRemoved(before: name)
      append(
        member, name: name, comma: left > 0 ? "," : "", level: level,
        marks: marks?.child(name), kind: kind, to: &lines)
    }
    appendRemoved(before: nil)
  }

  private func appendElements(
    of array: JSONArray, level: Int, marks: Marks?, kind: Marks.Kind?, to lines: inout Lines
  ) {
    let removed = marks?.removedElements ?? []
    var next = 0
    for (index, element) in array.enumerated() {
      guard !lines.isOver else { return }
      while next < removed.count, removed[next].index <= index {
        append(
          removed[next].old, name: nil, comma: "", level: level, marks: nil, kind: .removed,
          to: &lines)
        next += 1
      }
      append(
        element, name: nil, comma: index + 1 < array.count ? "," : "", level: level,
        marks: marks?.child(String(index)), kind: kind, to: &lines)
    }
    for (_, old) in removed.dropFirst(next) {
      append(old, name: nil, comma: "", level: level, marks: nil, kind: .removed, to: &lines)
    }
  }

  private func key(_ name: String, _ kind: Marks.Kind?) -> String {
    let text = JSON.string(name).printableText
    // Within a marked line the colour of the mark is the only one.
    return (kind == nil ? style.coloured(text, .blue) : text) + ": "
  }

  private func oldText(_ old: JSON) -> String {
    old.encodedByteCount <= Self.oldValueColumns ? "  (was \(old.printableText))" : ""
  }

  private func line(_ text: String, _ level: Int, _ kind: Marks.Kind?, _ lines: inout Lines) {
    guard !lines.isOver else { return }
    let indented = String(repeating: "  ", count: level) + text
    guard lines.hasGutter else { return lines.texts.append(indented) }
    switch kind {
    case nil: lines.texts.append("  " + indented)
    case .added?: lines.texts.append(style.coloured("+ " + indented, .green))
    case .replaced?: lines.texts.append(style.coloured("~ " + indented, .yellow))
    case .removed?: lines.texts.append(style.coloured("- " + indented, .red))
    }
  }
}

extension String {
  /// Whether it stands before another in the order of their bytes, as the keys of an object do.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
