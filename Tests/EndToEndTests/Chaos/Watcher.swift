import DuxJSON

/// A client that follows one path, and resumes from its position after each reconnect.
final class Watcher: Participant {
  let name: String
  var socket: LineSocket?
  private(set) var replica: Replica
  private let wantsActions: Bool
  /// The seq up to which it wants to know that it has everything.
  private var goal: Int64?
  private(set) var isDone = true

  init(name: String, path: String, wantsActions: Bool = false) {
    self.name = name
    self.wantsActions = wantsActions
    replica = Replica(path: path)
  }

  var opening: [JSON] {
    let subscribe = wantsActions ? replica.request.with("actions", true) : replica.request
    return goal == nil ? [subscribe] : [subscribe, probe]
  }

  private var probe: JSON { ["op": "ping", "id": "goal"] }

  /// From now on it is done once it has all up to a seq, which the answer to a ping tells.
  func finish(at seq: Int64) {
    goal = seq
    isDone = false
    send(probe)
  }

  func disconnected() {
    replica.connectionEnded()
  }

  func take(_ message: JSON) throws {
    switch message["op"]?.stringValue {
    case "welcome": break
    case "snapshot", "part", "resumed", "mark": try replica.take(message)
    case "patch":
      try replica.take(message)
      guard wantsActions == (message["actions"] != nil) else {
        throw Unexpected("\(name) got \(message)")
      }
      try checkPair()
    case "pong":
      if let goal, message["seq"]?.integerValue ?? -1 >= goal { isDone = true }
    default: throw Unexpected("\(name) got \(message)")
    }
  }

  /// Both halves are always set in one step, so no frame may hold one without the other.
  private func checkPair() throws {
    guard let pair = replica.state?["pair"] else { return }
    if pair["left"] != pair["right"] { throw Unexpected("\(name) saw a torn batch: \(pair)") }
  }
}
