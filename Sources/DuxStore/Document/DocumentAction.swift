public import DuxJSON

/// What may be asked of a ``DocumentApp``.
public enum DocumentAction: Equatable, Sendable {
  /// Puts a value at a path, making parent objects that are missing.
  case set(path: JSONPointer, value: JSON)
  /// Takes away what is at a path.
  case remove(path: JSONPointer)
  /// Merges a value into what is at a path (RFC 7396).
  case merge(path: JSONPointer, value: JSON)
  /// Applies a patch to the whole document (RFC 6902).
  case patch(JSONPatch)
  /// Adds to the number at a path.
  case increment(path: JSONPointer, by: JSON)
  /// Puts a value behind the last of the array at a path.
  case append(path: JSONPointer, value: JSON)
  /// Puts a value before an index of the array at a path.
  case insert(path: JSONPointer, index: Int64, value: JSON)
}

extension DocumentAction {
  /// Reads an action from the wire.
  ///
  /// - Throws: ``Refusal/unknownAction(_:)`` for a type that is none of the document's,
  ///   ``Refusal/badAction(_:)`` for a payload that lacks a member or has one of a wrong kind.
  public init(_ wire: WireAction) throws(Refusal) {
    guard let read = Self.readers.first(where: { $0.type == wire.type })?.read else {
      let known = Self.readers.map(\.type).joined(separator: ", ")
      throw .unknownAction("unknown action type \(quoted(wire.type)); this app knows \(known)")
    }
    self = try read(Payload(wire))
  }

  /// The action as it stands on the wire.
  var wire: WireAction {
    switch self {
    case .set(let path, let value): Self.wire("set", path, ["value": value])
    case .remove(let path): Self.wire("remove", path, [:])
    case .merge(let path, let value): Self.wire("merge", path, ["value": value])
    case .patch(let patch): WireAction(type: "doc/patch", payload: ["ops": patch.json])
    case .increment(let path, let step): Self.wire("increment", path, ["by": step])
    case .append(let path, let value): Self.wire("append", path, ["value": value])
    case .insert(let path, let index, let value):
      Self.wire("insert", path, ["index": .integer(index), "value": value])
    }
  }

  private static func wire(
    _ name: String, _ path: JSONPointer, _ members: JSONObject
  ) -> WireAction {
    var payload = members
    payload["path"] = .string(path.description)
    return WireAction(type: "doc/\(name)", payload: .object(payload))
  }

  private typealias Reader = @Sendable (Payload) throws(Refusal) -> DocumentAction

  private static let readers: [(type: String, read: Reader)] = [
    ("doc/set", { (it) throws(Refusal) in .set(path: try it.path(), value: try it.value()) }),
    ("doc/remove", { (it) throws(Refusal) in .remove(path: try it.path()) }),
    ("doc/merge", { (it) throws(Refusal) in .merge(path: try it.path(), value: try it.value()) }),
    ("doc/patch", { (it) throws(Refusal) in .patch(try it.patch()) }),
    (
      "doc/increment",
      { (it) throws(Refusal) in .increment(path: try it.path(), by: try it.step()) }
    ),
    ("doc/append", { (it) throws(Refusal) in .append(path: try it.path(), value: try it.value()) }),
    (
      "doc/insert",
      { (it) throws(Refusal) in
        .insert(path: try it.path(), index: try it.index(), value: try it.value())
      }
    ),
  ]
}

/// The payload of one action, with errors that name the action and the member.
private struct Payload {
  let type: String
  let members: JSONObject

  init(_ wire: WireAction) throws(Refusal) {
    type = wire.type
    guard let members = wire.payload?.objectValue else {
      throw .badAction("\(wire.type) needs a \"payload\" that is an object")
    }
    self.members = members
  }

  func value() throws(Refusal) -> JSON {
    guard let value = members["value"] else { throw lacks("value") }
    return value
  }

  func path() throws(Refusal) -> JSONPointer {
    guard let path = members["path"] else { throw lacks("path") }
    guard let text = path.stringValue else {
      throw wrong("path", is: path, should: "a string that is a JSON Pointer")
    }
    do throws(JSONPointerError) {
      return try JSONPointer(text)
    } catch {
      throw .badAction("\(type): \"path\": \(error)")
    }
  }

  func patch() throws(Refusal) -> JSONPatch {
    guard let operations = members["ops"] else { throw lacks("ops") }
    do throws(JSONPatchError) {
      return try JSONPatch(operations)
    } catch {
      throw .badAction("\(type): \"ops\": \(error)")
    }
  }

  func step() throws(Refusal) -> JSON {
    switch members["by"] {
    case nil: return .integer(1)
    case .integer(let step)?: return .integer(step)
    case .double(let step)?: return .double(step)
    case let other?: throw wrong("by", is: other, should: "a number")
    }
  }

  func index() throws(Refusal) -> Int64 {
    guard let index = members["index"] else { throw lacks("index") }
    guard let index = index.integerValue else {
      throw wrong("index", is: index, should: "an integer")
    }
    return index
  }

  private func lacks(_ member: String) -> Refusal {
    .badAction("\(type) needs \"\(member)\" in its payload")
  }

  private func wrong(_ member: String, is value: JSON, should: String) -> Refusal {
    .badAction("\(type): \"\(member)\" must be \(should), not \(value.kindName)")
  }
}
