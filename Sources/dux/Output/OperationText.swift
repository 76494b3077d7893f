import DuxCommandLine
import DuxJSON

/// Changes as lines for people, each with its path: what is shown where the whole value is too long.
struct OperationText {
  let style: Style
  /// Columns that a line may fill.
  let columns: Int

  /// The first changes that a patch makes in a value, a line each, and how many more there are.
  ///
  /// `base` is where the value lies in the state; it stands before each path.
  func lines(of patch: JSONPatch, in before: JSON?, at base: JSONPointer, limit: Int) -> [String] {
    var value = before
    var lines: [String] = []
    for operation in patch.operations.prefix(limit) {
      lines.append(line(of: operation, in: value, at: base))
      value = value.applying(operation)
    }
    let left = patch.operations.count - lines.count
    if left > 0 { lines.append(style.faint("  … and \(left.grouped) more")) }
    return lines
  }

  /// The changes of a patch in one line, what was there before not known: `/a = 1, - /b`.
  static func summary(of patch: JSONPatch) -> String {
    guard !patch.operations.isEmpty else { return "(nothing changed)" }
    let parts = patch.operations.prefix(summaryParts).map { operation in
      let path = operation.path.isRoot ? "(the root)" : operation.path.description.printable
      switch operation {
      case .add(_, let value), .replace(_, let value), .test(_, let value):
        return "\(path) = \(value.shortText(summaryColumns))"
      case .remove: return "- \(path)"
      case .move(let from, _): return "\(path) = \(from), which is gone"
      case .copy(let from, _): return "\(path) = \(from)"
      }
    }
    let left = patch.operations.count - parts.count
    return parts.joined(separator: ", ") + (left > 0 ? ", … \(left.grouped) more" : "")
  }

  private static let summaryParts = 8
  private static let summaryColumns = 120

  private func line(
    of operation: JSONPatchOperation, in value: JSON?, at base: JSONPointer
  ) -> String {
    let full = JSONPointer(tokens: base.tokens + operation.path.tokens)
    let path = full.isRoot ? "(the root)" : full.description.printable
    let old = value?.value(at: operation.path)
    let isElement =
      operation.path.parent.flatMap { value?.value(at: $0)?.arrayValue } != nil
    switch operation {
    case .add(_, let new) where isElement || old == nil:
      return fitted("+ ", path, ": " + new.shortText(columns), .green)
    case .add(_, let new), .replace(_, let new), .test(_, let new):
      let half = max(8, (columns - path.count - 10) / 2)
      return fitted(
        "~ ", path, ": " + (old?.shortText(half) ?? "nothing") + " → " + new.shortText(half),
        .yellow)
    case .remove:
      return fitted("- ", path, old.map { " (was \($0.shortText(columns)))" } ?? "", .red)
    case .move(let from, _), .copy(let from, _):
      return fitted("~ ", path, ": from \(from.description.printable)", .yellow)
    }
  }

  private func fitted(
    _ sign: String, _ path: String, _ rest: String, _ colour: Style.Colour
  ) -> String {
    style.coloured((sign + path + rest).cut(to: columns), colour)
  }
}

extension JSON? {
  /// The value after one operation that is known to fit, at a place that may hold nothing.
  func applying(_ operation: JSONPatchOperation) -> JSON? {
    switch operation {
    case .add(let path, let value) where path.isRoot: return value
    case .remove(let path) where path.isRoot: return nil
    default:
      guard var next = self else { return nil }
      // The session has applied the same operation, so it fits.
      try? JSONPatch(operations: [operation]).apply(to: &next)
      return next
    }
  }
}
