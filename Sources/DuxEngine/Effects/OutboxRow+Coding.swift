import DuxJSON
import DuxLog
import DuxStore

/// The rows of the outbox as JSON objects; a member that is missing makes a row unreadable.
extension Outbox.PendingCommand {
  var row: OutboxRow {
    var members: JSONObject = [
      "command": .string(entry.name), "payload": entry.payload, "scope": entry.scope.json,
      "controls": .array(JSONArray(entry.controls.map(\.json))), "cause": entry.cause.json,
      "time": .integer(time), "attempts": .integer(Int64(entry.attempts)),
    ]
    members["error"] = error.map { .string($0) }
    return OutboxRow(key: entry.key.text, bytes: JSON.object(members).bytes)
  }

  init?(_ json: JSON, key: String) {
    guard let name = json["command"]?.stringValue, let payload = json["payload"],
      let scope = EffectScope(json["scope"]), let cause = EffectCause(json["cause"]),
      let controls = [EffectControl](json["controls"]), let time = json["time"]?.integerValue,
      let attempts = json["attempts"]?.integerValue.flatMap({ Int(exactly: $0) })
    else { return nil }
    entry = CommandEntry(
      key: CommandKey(key), name: name, payload: payload, scope: scope, controls: controls,
      cause: cause, attempts: attempts)
    self.time = time
    error = json["error"]?.stringValue
  }
}

extension KeptFollowUp<WireAction> {
  func row(key: String) -> OutboxRow {
    let members: JSONObject = [
      "followUp": action.json, "scope": scope.json,
      "controls": .array(JSONArray(controls.map(\.json))), "cause": cause.json,
    ]
    return OutboxRow(key: key, bytes: JSON.object(members).bytes)
  }

  init?(_ json: JSON) {
    guard let action = json["followUp"].flatMap({ try? WireAction($0) }),
      let scope = EffectScope(json["scope"]), let cause = EffectCause(json["cause"]),
      let controls = [EffectControl](json["controls"])
    else { return nil }
    self.init(action: action, cause: cause, scope: scope, controls: controls)
  }
}

extension EffectScope {
  fileprivate var json: JSON { .array(JSONArray(path.map { .string($0) })) }

  fileprivate init?(_ json: JSON?) {
    guard let names = json?.arrayValue else { return nil }
    let path = names.compactMap(\.stringValue)
    guard path.count == names.count else { return nil }
    self.init(path: path)
  }
}

extension [EffectControl] {
  fileprivate init?(_ json: JSON?) {
    guard let list = json?.arrayValue else { return nil }
    self = list.compactMap { EffectControl($0) }
    guard count == list.count else { return nil }
  }
}

extension EffectControl {
  fileprivate var json: JSON {
    [
      "scope": key.scope.json, "id": .string(key.id.text), "policy": .string(policy.rawValue),
    ]
  }

  fileprivate init?(_ json: JSON) {
    guard let scope = EffectScope(json["scope"]), let id = json["id"]?.stringValue,
      let policy = json["policy"]?.stringValue.flatMap(EffectPolicy.init(rawValue:))
    else { return nil }
    self.init(key: EffectKey(scope: scope, id: EffectID(id)), policy: policy)
  }
}

extension EffectCause {
  fileprivate var json: JSON {
    [
      "step": .integer(step), "action": .string(action), "author": .string(author),
      "root": .integer(root),
    ]
  }

  fileprivate init?(_ json: JSON?) {
    guard let step = json?["step"]?.integerValue, let action = json?["action"]?.stringValue,
      let author = json?["author"]?.stringValue, let root = json?["root"]?.integerValue
    else { return nil }
    self.init(step: step, action: action, author: author, root: root)
  }
}
