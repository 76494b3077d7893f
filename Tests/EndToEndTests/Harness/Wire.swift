import DuxJSON

extension JSON {
  /// This object with one member set.
  func with(_ key: String, _ value: JSON) -> JSON {
    guard case .object(var members) = self else { return self }
    members[key] = value
    return .object(members)
  }

  /// This object without one member.
  func without(_ key: String) -> JSON {
    guard case .object(var members) = self else { return self }
    _ = members.removeValue(forKey: key)
    return .object(members)
  }

  /// A `dispatch`.
  static func dispatch(_ actions: [JSON], n: Int64? = nil) -> JSON {
    var message: JSONObject = ["op": "dispatch", "actions": .array(JSONArray(actions))]
    if let n { message["n"] = .integer(n) }
    return .object(message)
  }

  /// A `subscribe`, from a position or from a snapshot.
  static func subscribe(_ path: String, from position: Position? = nil) -> JSON {
    var message: JSONObject = ["op": "subscribe", "path": .string(path)]
    if let position {
      message["since"] = .integer(position.seq)
      message["epoch"] = .string(position.epoch)
    }
    return .object(message)
  }

  // Actions of the app `document`.

  static func set(_ path: String, _ value: JSON) -> JSON {
    ["type": "doc/set", "payload": ["path": .string(path), "value": value]]
  }

  static func remove(_ path: String) -> JSON {
    ["type": "doc/remove", "payload": ["path": .string(path)]]
  }

  static func append(_ path: String, _ value: JSON) -> JSON {
    ["type": "doc/append", "payload": ["path": .string(path), "value": value]]
  }

  static func increment(_ path: String, by amount: JSON = 1) -> JSON {
    ["type": "doc/increment", "payload": ["path": .string(path), "by": amount]]
  }

  static func patch(_ operations: [JSON]) -> JSON {
    ["type": "doc/patch", "payload": ["ops": .array(JSONArray(operations))]]
  }
}

/// A place in one life of a log.
struct Position: Equatable {
  var epoch: String
  var seq: Int64
}

/// One entry of a `log` answer.
struct LoggedStep {
  let seq: Int64
  let time: Int64
  let client: String
  let n: Int64?
  let actions: JSON
  let patch: JSONPatch

  init(_ entry: JSON) throws {
    guard let seq = entry["seq"]?.integerValue, let time = entry["time"]?.integerValue,
      let client = entry["client"]?.stringValue, let actions = entry["actions"],
      let patch = entry["patch"]
    else { throw Unexpected("not an entry: \(entry)") }
    self.seq = seq
    self.time = time
    self.client = client
    self.n = entry["n"]?.integerValue
    self.actions = actions
    self.patch = try JSONPatch(patch)
  }
}
