public import DuxJSON

/// An action as it stands on the wire and in the log: a Flux Standard Action,
/// `{"type":"todos/add","payload":{…}}`.
public struct WireAction: Hashable, Sendable {
  /// What is asked for; never empty.
  public let type: String
  /// What it is asked with.
  public let payload: JSON?
  /// The whole object where it has members beyond these two.
  private let whole: JSONObject?

  /// The whole object as it was sent, members beyond these two included.
  public var json: JSON {
    if let whole { return .object(whole) }
    var members: JSONObject = ["type": .string(type)]
    members["payload"] = payload
    return .object(members)
  }

  /// Reads an action from JSON.
  ///
  /// - Throws: ``Refusal/badAction(_:)`` when `json` is no object with a `type` that is a string.
  public init(_ json: JSON) throws(Refusal) {
    guard let object = json.objectValue else {
      throw .badAction("an action is an object with a \"type\", this is \(json.kindName)")
    }
    guard let type = object["type"] else {
      throw .badAction("an action needs a \"type\"")
    }
    guard let type = type.stringValue else {
      throw .badAction("the \"type\" of an action is a string, this is \(type.kindName)")
    }
    guard !type.isEmpty else {
      throw .unknownAction("the empty action type is unknown")
    }
    self.init(type: type, payload: object["payload"], whole: object)
  }

  /// Makes an action of its parts; the type is not empty.
  package init(type: String, payload: JSON?) {
    self.type = type
    self.payload = payload
    whole = nil
  }

  private init(type: String, payload: JSON?, whole: JSONObject) {
    self.type = type
    self.payload = payload
    self.whole = whole.count == (payload == nil ? 1 : 2) ? nil : whole
  }
}

/// What the daemon writes beside an action, in its `meta` under the name `dux`: nobody else may.
extension WireAction {
  private static let meta = "meta"
  private static let own = "dux"
  private static let inputs = "inputs"

  /// Holds an action from outside to what is reserved for the daemon's own.
  package func checkReserved() throws(Refusal) {
    // An action of a type and a payload has nothing else to look at.
    if type.utf8.first != UInt8(ascii: "@"), whole == nil { return }
    guard !type.utf8.starts(with: "@@".utf8) else {
      throw .badAction("the type \(JSON.string(type)) is reserved: types do not begin with \"@@\"")
    }
    guard whole?[Self.meta]?[Self.own] == nil else {
      throw .badAction("\(type): \"dux\" in \"meta\" is written by the daemon alone")
    }
  }

  /// What sources gave while the action was reduced, by name.
  package var inputs: [String: [JSON]] {
    guard let record = whole?[Self.meta]?[Self.own]?[Self.inputs]?.objectValue else { return [:] }
    return Dictionary(
      record.map { ($0.key, $0.value.arrayValue.map(Array.init) ?? []) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The same action with what sources gave.
  func recording(_ inputs: [String: [JSON]]) -> WireAction {
    var members = JSONObject()
    for (name, values) in inputs { members[name] = .array(JSONArray(values)) }
    return adding([(Self.inputs, .object(members))])
  }

  /// The same action with what it comes from: the step that caused it, its author, and the command
  /// that it ends.
  package func caused(by seq: Int64, author: String, effect: String?) -> WireAction {
    var notes: [(String, JSON)] = [("cause", .integer(seq)), ("author", .string(author))]
    if let effect { notes.append(("effect", .string(effect))) }
    return adding(notes)
  }

  /// The same action with the `meta` of the one that it stands for.
  func noted(like other: WireAction) -> WireAction {
    guard let meta = other.whole?[Self.meta], var members = json.objectValue else { return self }
    members[Self.meta] = meta
    return WireAction(type: type, payload: payload, whole: members)
  }

  private func adding(_ notes: [(name: String, value: JSON)]) -> WireAction {
    var members = json.objectValue ?? JSONObject()
    var meta = members[Self.meta]?.objectValue ?? JSONObject()
    var own = meta[Self.own]?.objectValue ?? JSONObject()
    for note in notes { own[note.name] = note.value }
    meta[Self.own] = .object(own)
    members[Self.meta] = .object(meta)
    return WireAction(type: type, payload: payload, whole: members)
  }
}

extension JSON {
  /// What kind of value this is, with its article, for messages.
  package var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
