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
  public init(_ wire: borrowing WireAction) throws(Refusal) {
    switch wire.type {
    case "doc/set":
      let payload = try Payload(wire)
      self = .set(path: try payload.path(), value: try payload.value())
    case "doc/remove": self = .remove(path: try Payload(wire).path())
    case "doc/merge":
      let payload = try Payload(wire)
      self = .merge(path: try payload.path(), value: try payload.value())
    case "doc/patch": self = .patch(try Payload(wire).patch())
    case "doc/increment":
      let payload = try Payload(wire)
      self = .increment(path: try payload.path(), by: try payload.step())
    case "doc/append":
      let payload = try Payload(wire)
      self = .append(path: try payload.path(), value: try payload.value())
    case "doc/insert":
      let payload = try Payload(wire)
      self = .insert(
        path: try payload.path(), index: try payload.index(), value: try payload.value())
    default:
      throw .unknownAction(
        "unknown action type \(quoted(wire.type)); this app knows doc/set, doc/remove, doc/merge,"
          + " doc/patch, doc/increment, doc/append, doc/insert")
    }
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
}

/// The payload of one action, with errors that name the action and the member.
private struct Payload {
  let type: String
  let members: JSONObject

  init(_ wire: borrowing WireAction) throws(Refusal) {
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
