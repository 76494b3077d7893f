import DuxJSON
import DuxLog

/// A step of the log as the explorer shows it.
struct LoggedStep: Sendable {
  let seq: SequenceNumber
  let timeMs: Int64
  /// The client, and to whom a step of the daemon's own is owed.
  let author: String
  /// The types of its actions, the first few of many.
  let types: String
  let actions: [JSON]
  /// The first operations of its patch.
  let changes: [Change]
  /// How many operations there are beyond those.
  let furtherChangeCount: Int
  /// What keeping it costs, roughly, in bytes.
  let byteCount: Int

  /// One operation.
  struct Change: Sendable {
    let kind: Kind
    let path: JSONPointer
    /// What was there before, where that is known.
    let old: JSON?
    let new: JSON?

    /// What it does.
    enum Kind: Sendable {
      case added
      case replaced
      case removed
      case moved(from: JSONPointer)
    }
  }

  /// Operations that are kept of a step.
  static let changeLimit = 100

  /// Makes an entry of a `patch` or `entry` line.
  ///
  /// `before` is the state that the patch changed, where it is known.
  init(_ line: JSON, patch: JSONPatch, before: JSON?) {
    seq = SequenceNumber(line["seq"]?.integerValue ?? 0)
    timeMs = line["time"]?.integerValue ?? 0
    author = StepText.author(of: line) ?? ""
    types = StepText.types(of: line)
    actions = (line["actions"]?.arrayValue).map { $0.map(StepText.withoutOrigin) } ?? []
    var value = before
    var changes: [Change] = []
    for operation in patch.operations.prefix(Self.changeLimit) {
      changes.append(Change(operation, in: value))
      if patch.operations.count > 1, value != nil { value = value.applying(operation) }
    }
    self.changes = changes
    furtherChangeCount = patch.operations.count - changes.count
    byteCount =
      line.encodedByteCount + changes.reduce(256) { $0 + ($1.old?.encodedByteCount ?? 0) }
  }

  /// Makes an entry of an `entry` line.
  init(_ line: JSON) {
    self.init(line, patch: line["patch"].flatMap { try? JSONPatch($0) } ?? JSONPatch(), before: nil)
  }

  /// The actions' payloads in one line.
  var payloadText: String {
    actions.compactMap { $0["payload"] }.map { $0.shortText(Self.shownColumns) }
      .joined(separator: " ")
  }

  /// The changes in one line.
  var changesText: String {
    guard !changes.isEmpty else { return "(nothing changed)" }
    let shown = changes.prefix(Self.shownChanges).map(\.shortText).joined(separator: ", ")
    let left = changes.count - Self.shownChanges + furtherChangeCount
    return left > 0 ? "\(shown), … \(left.grouped) more" : shown
  }

  private static let shownColumns = 160
  private static let shownChanges = 4
}

extension LoggedStep.Change {
  /// Reads an operation, in the value before it where that is known.
  init(_ operation: JSONPatchOperation, in value: JSON?) {
    path = operation.path
    let old = value?.value(at: operation.path)
    let isElement =
      operation.path.parent.flatMap { value?.value(at: $0)?.arrayValue } != nil
    switch operation {
    case .add(_, let new):
      self.new = new
      kind = old == nil || isElement ? .added : .replaced
      self.old = isElement ? nil : old
    case .replace(_, let new), .test(_, let new):
      self.new = new
      kind = .replaced
      self.old = old
    case .remove:
      new = nil
      kind = .removed
      self.old = old
    case .move(let from, _), .copy(let from, _):
      new = nil
      kind = .moved(from: from)
      self.old = old
    }
  }

  /// The sign that stands before it.
  var sign: String {
    switch kind {
    case .added: "+"
    case .replaced, .moved: "~"
    case .removed: "-"
    }
  }

  /// The change in a few words: `~ /a 1 → 2`.
  var shortText: String {
    let name = path.isRoot ? "(the root)" : path.description.printable
    let columns = 60
    switch kind {
    case .moved(let from): return "~ \(name) from \(from.description.printable)"
    case .removed:
      return "- \(name)" + (old.map { " (was \($0.shortText(columns)))" } ?? "")
    case .added: return "+ \(name) " + (new?.shortText(columns) ?? "")
    case .replaced:
      let was = old.map { $0.shortText(columns) + " → " } ?? "= "
      return "~ \(name) \(was)" + (new?.shortText(columns) ?? "")
    }
  }
}
