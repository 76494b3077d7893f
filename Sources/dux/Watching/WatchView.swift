import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// What `dux watch` prints for each thing that happens: state in, text out.
struct WatchView {
  /// For whom it prints.
  enum Form {
    /// Lines of the protocol.
    case json
    /// The value alone, a line each time it changes; an empty one where there is none.
    case values
    case people
  }

  /// What people want to see of a change.
  enum Detail {
    case value
    case patches
  }

  let path: JSONPointer
  let form: Form
  let detail: Detail
  let style: Style
  let columns: Int
  /// Lines that a value may have to be shown whole.
  let rows: Int

  /// Changes in one step that are marked in the value; with more, only the paths are told.
  private static let markedOperations = 200

  /// The value as it is, at the beginning or anew.
  func lines(snapshot replica: Replica, reason: String?) -> [String] {
    switch form {
    case .json: return [Self.json(snapshot: replica, reason: reason).description]
    case .values: return [replica.value?.description ?? ""]
    case .people:
      let seq = replica.position?.seq ?? .zero
      let header = style.bold("seq \(seq)") + "  " + PathText.name(path)
      guard detail == .value else { return [header] }
      guard let value = replica.value else { return [header + style.faint("  there is nothing")] }
      let pretty = PrettyText(style: style)
      if let lines = pretty.lines(of: value, marks: Marks(), limit: rows) {
        return [header] + lines
      }
      return [header, style.faint("  " + Self.sizeText(of: value))]
    }
  }

  /// The subscription goes on behind a seq.
  func lines(resumed replica: Replica, from seq: SequenceNumber, head: SequenceNumber) -> [String] {
    guard form == .json else { return [] }
    let json: JSON = [
      "op": "resumed", "path": .string(replica.path),
      "epoch": .string(replica.position?.epoch ?? ""), "from": .integer(seq.value),
      "seq": .integer(head.value),
    ]
    return [json.description]
  }

  /// One step.
  func lines(patch: ServerMessage.Patch, before: JSON?, after: JSON?) -> [String] {
    switch form {
    case .json: return [patch.json.description]
    case .values: return patch.patch.operations.isEmpty ? [] : [after?.description ?? ""]
    case .people:
      let actions = (patch.json["actions"]?.arrayValue ?? []).map {
        style.coloured("  action ", .magenta) + StepText.withoutOrigin($0).printableText
      }
      return [header(of: patch)] + actions + changes(patch.patch, before, after)
    }
  }

  private func changes(_ patch: JSONPatch, _ before: JSON?, _ after: JSON?) -> [String] {
    guard detail == .value else {
      return patch.operations.map {
        "  " + JSONPatch(operations: [$0]).json.printableText.dropFirst().dropLast()
      }
    }
    guard !patch.operations.isEmpty else { return [] }
    guard let after else { return [style.coloured("- there is nothing any more", .red)] }
    if patch.operations.count <= Self.markedOperations {
      let marks = Marks(patch, of: before)
      if let lines = PrettyText(style: style).lines(of: after, marks: marks, limit: rows) {
        return lines
      }
    }
    return OperationText(style: style, columns: columns)
      .lines(of: patch, in: before, at: path, limit: max(1, rows))
  }

  private func header(of patch: ServerMessage.Patch) -> String {
    var parts = [style.bold("seq \(patch.seq)")]
    if let time = patch.json["time"]?.integerValue {
      parts.append(style.faint(ClockText.time(time)))
    }
    if let author = StepText.author(of: patch.json) { parts.append(author) }
    parts.append(style.coloured(StepText.types(of: patch.json), .cyan))
    if patch.patch.operations.isEmpty { parts.append(style.faint("(nothing changed)")) }
    return parts.joined(separator: "  ")
  }

  private static func sizeText(of value: JSON) -> String {
    let size =
      switch value {
      case .object(let object): "an object of \(object.count.counted("member"))"
      case .array(let array): "an array of \(array.count.counted("item"))"
      default: "a string"
      }
    return "\(size), \(value.encodedByteCount.byteText): too long for this screen, so changes are"
      + " shown by their paths"
  }

  static func json(snapshot replica: Replica, reason: String?) -> JSON {
    var object: JSONObject = [
      "op": "snapshot", "path": .string(replica.path),
      "epoch": .string(replica.position?.epoch ?? ""),
      "seq": .integer(replica.position?.seq.value ?? 0),
    ]
    if let value = replica.value { object["state"] = value } else { object["missing"] = true }
    if let reason { object["reason"] = .string(reason) }
    return .object(object)
  }
}
