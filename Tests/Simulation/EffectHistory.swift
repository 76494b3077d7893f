import DuxJSON
import DuxLog
import DuxStore

/// What really became of effects, as the disk and those who did the work saw it: L10.
final class EffectHistory {
  private var payloads: [String: JSON] = [:]
  private var openKeys: Set<String> = []
  /// Commands that have left the outbox.
  private var endedKeys: Set<String> = []
  /// Commands whose work was done to its end, well or not.
  private var completedKeys: Set<String> = []
  /// How many follow-ups each step sent, and how many of them became steps.
  private var expected: [Int64: Int64] = [:]
  private var found: [Int64: Int64] = [:]
  private var openFollowUps: Set<String> = []
  private(set) var cancelCount = 0
  private let report: (String) -> Void

  init(report: @escaping (String) -> Void) {
    self.report = report
  }

  /// What still has to come; nothing when all effects have ended.
  var unfinished: String? {
    if let key = openKeys.min() { return "the command \(key) has not ended" }
    if let key = openFollowUps.min() { return "the follow-up \(key) waits" }
    return expected.keys.sorted().first { found[$0] ?? 0 != expected[$0] }.map {
      "step \($0) sent \(expected[$0] ?? 0) follow-ups, \(found[$0] ?? 0) became steps"
    }
  }

  var commandCount: Int { payloads.count }

  func note(_ commit: Commit) {
    var types: Set<String> = []
    var answered: Set<String> = []
    for entry in commit.entries {
      for action in actions(of: entry) {
        let type = action["type"]?.stringValue ?? ""
        types.insert(type)
        if let key = take(action, type, at: entry.seq.value), type != "started" {
          answered.insert(key)
        }
      }
    }
    for change in commit.outbox {
      switch change {
      case .put(let row): put(row)
      case .remove(let key): remove(key, answered: answered, types: types)
      }
    }
  }

  private func actions(of entry: LogEntry) -> [JSON] {
    let list = try? JSON(parsing: entry.actions, maximumDepth: .max).arrayValue
    return list.map(Array.init) ?? []
  }

  /// - Returns: the command that the action comes from.
  private func take(_ action: JSON, _ type: String, at seq: Int64) -> String? {
    switch type {
    case "spread": expected[seq, default: 0] += action["payload"]?.integerValue ?? 0
    case "chain": expected[seq, default: 0] += (action["payload"]?.integerValue ?? 0) > 0 ? 1 : 0
    default: break
    }
    let note = action["meta"]?["dux"]
    guard let key = note?["effect"]?.stringValue else {
      if let cause = note?["cause"]?.integerValue, type == "tick" || type == "chain",
        expected[cause] != nil
      {
        found[cause, default: 0] += 1
        if let count = found[cause], count > expected[cause] ?? 0 {
          report("step \(cause) has \(count) follow-ups, it sent fewer")
        }
      }
      return nil
    }
    if endedKeys.contains(key) { report("seq \(seq) is a late answer of \(key)") }
    if payloads[key] == nil { report("seq \(seq) answers \(key), which nobody asked for") }
    if ["delivered", "crew/carried", "failed"].contains(type), !completedKeys.contains(key) {
      report("seq \(seq) tells the end of \(key), whose work was not done")
    }
    return key
  }

  private func put(_ row: OutboxRow) {
    guard let json = try? JSON(parsing: row.bytes, maximumDepth: .max) else {
      return report("the row \(row.key) is no JSON")
    }
    guard json["command"] != nil else {
      openFollowUps.insert(row.key)
      return
    }
    if endedKeys.contains(row.key) { report("\(row.key) came back into the outbox") }
    let former = payloads.updateValue(json["payload"] ?? nil, forKey: row.key)
    if let former, former != json["payload"] { report("\(row.key) is another command now") }
    openKeys.insert(row.key)
  }

  private func remove(_ key: String, answered: Set<String>, types: Set<String>) {
    if openFollowUps.remove(key) != nil { return }
    guard openKeys.remove(key) != nil else { return report("\(key) left the outbox twice") }
    endedKeys.insert(key)
    guard !answered.contains(key) else { return }
    cancelCount += 1
    let reasons: Set = [
      "cancel", "order", "orderLater", "dismiss", "@lease/renew", "@lease/release",
    ]
    if types.isDisjoint(with: reasons) {
      report("\(key) left the outbox without an answer or a reason")
    }
  }

  /// Somebody begins with a command.
  func begins(_ command: CommandEntry) {
    let key = command.key.text
    guard let payload = payloads[key] else {
      return report("\(key) begins before it is durable")
    }
    if endedKeys.contains(key) { report("\(key) begins after its end is durable") }
    if payload != command.payload { report("\(key) runs as another command") }
  }

  /// The work of a command was done to its end.
  func completes(_ command: CommandEntry) {
    completedKeys.insert(command.key.text)
  }
}
