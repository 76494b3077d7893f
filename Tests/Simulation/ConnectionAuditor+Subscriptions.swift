import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// A subscription, as the auditor follows it.
struct AuditedSubscription {
  enum Phase {
    /// Parts of a snapshot are coming in.
    case parts(JSON, seq: Int)
    case live
  }

  let path: JSONPointer
  let withActions: Bool
  var phase: Phase
  /// Everything up to here was told.
  var position: Int
  var value: JSON?
}

/// Snapshots, patches and marks: each step that touches the path once and in order, or a snapshot.
extension ConnectionAuditor {
  func judge(_ snapshot: ServerMessage.Snapshot, _ json: JSON, byteCount: Int) {
    let seq = Int(snapshot.position.seq.value)
    guard let path = try? JSONPointer(snapshot.path) else { return report(.wire, "\(json)") }
    var withActions = false
    if snapshot.reason == "lagged" {
      guard let former = subscriptions[ByteText(snapshot.path)] else {
        return report(.wire, "a snapshot of nothing subscribed: \(json)")
      }
      withActions = former.withActions
      if seq < former.position { report(.noGapNoRepeat, "back from \(former.position): \(json)") }
    } else {
      guard case .subscribe(let request)? = take(json), request.path == path else {
        return report(.answerOrder, "a snapshot: \(json)")
      }
      withActions = request.withActions
      judge(reason: snapshot.reason, request.position, json)
      if seq < acknowledged {
        report(.answerOrder, "a snapshot behind the ack of \(acknowledged): \(json)")
      }
    }
    if byteCount > limits.maximumLineBytes, snapshot.state?.depth != 0 {
      report(.wire, "a snapshot of \(byteCount) bytes in one line")
    }
    var subscription = AuditedSubscription(
      path: path, withActions: withActions, phase: .live, position: seq, value: snapshot.state)
    if snapshot.hasMore, let state = snapshot.state {
      subscription.phase = .parts(state, seq: seq)
    } else {
      check(subscription.value, path, seq, "the snapshot")
    }
    subscriptions[ByteText(snapshot.path)] = subscription
  }

  private func judge(reason: String?, _ position: Request.Position?, _ json: JSON) {
    guard let position else {
      if reason != nil { report(.wire, "nobody asked to resume: \(json)") }
      return
    }
    let isTrue =
      switch reason {
      case "epoch": position.epoch != epoch
      case "ahead": position.epoch == epoch && position.seq.value > 0
      case "compacted": position.epoch == epoch && position.seq < history.disk.floor
      default: false
      }
    if !isTrue { report(.noGapNoRepeat, "no reason against resuming at \(position): \(json)") }
  }

  func judge(_ part: ServerMessage.Part, _ json: JSON, byteCount: Int) {
    guard var subscription = subscriptions[ByteText(part.path)],
      case .parts(var state, let seq) = subscription.phase
    else { return report(.wire, "a part of nothing: \(json)") }
    if byteCount > limits.maximumLineBytes, part.patch.operations.count > 1 {
      report(.wire, "a part of \(byteCount) bytes")
    }
    if (try? part.patch.apply(to: &state)) == nil {
      report(.convergence, "does not apply: \(json)")
    }
    if part.hasMore {
      subscription.phase = .parts(state, seq: seq)
    } else {
      subscription.phase = .live
      subscription.value = state
      check(state, subscription.path, seq, "the parts")
    }
    subscriptions[ByteText(part.path)] = subscription
  }

  func judge(resumed path: String, _ position: Request.Position, _ json: JSON) {
    guard case .subscribe(let request)? = take(json), request.path.description == path else {
      return report(.answerOrder, "resumed: \(json)")
    }
    guard request.position == position, position.epoch == epoch,
      position.seq <= history.disk.head
    else { return report(.noGapNoRepeat, "not where it was asked for: \(json)") }
    let seq = Int(position.seq.value)
    subscriptions[ByteText(path)] = AuditedSubscription(
      path: request.path, withActions: request.withActions, phase: .live, position: seq,
      value: history.value(at: request.path, seq))
  }

  func judge(_ patch: ServerMessage.Patch) {
    guard var subscription = subscriptions[ByteText(patch.path)], case .live = subscription.phase
    else {
      return report(.wire, "a patch of nothing subscribed: \(patch.json)")
    }
    let seq = Int(patch.seq.value)
    guard seq > subscription.position else {
      return report(.noGapNoRepeat, "a repeat, \(subscription.position) was told: \(patch.json)")
    }
    let path = subscription.path
    if let missing = history.firstTouch(after: subscription.position, through: seq - 1, path) {
      report(.noGapNoRepeat, "seq \(missing) is missing before \(patch.json)")
    }
    if !history.doesTouch(seq, path) { report(.noGapNoRepeat, "untouched: \(patch.json)") }
    subscription.value = apply(patch, to: subscription.value)
    subscription.position = seq
    subscriptions[ByteText(patch.path)] = subscription
    check(subscription.value, path, seq, "the patch \(patch.json)")
    checkMembers(of: patch.json, seq, withActions: subscription.withActions)
  }

  private func checkMembers(of json: JSON, _ seq: Int, withActions: Bool) {
    let entry = history.disk.allEntries[seq - 1]
    let actions = String(decoding: entry.actions, as: UTF8.self)
    let isTrue =
      json["client"] == .string(entry.client) && json["n"]?.integerValue == entry.n
      && json["time"] == .integer(entry.time)
      && json["actions"]?.description == (withActions ? actions : nil)
      && (json["type"] == nil) != (json["types"] == nil)
    if !isTrue { report(.wire, "not what happened: \(json)") }
  }

  private func apply(_ patch: ServerMessage.Patch, to value: JSON?) -> JSON? {
    let operations = patch.patch.operations
    if operations.count == 1 {
      switch operations[0] {
      case .add(let path, let added) where path.isRoot: return added
      case .remove(let path) where path.isRoot: return nil
      default: break
      }
    }
    guard var next = value else { return nil }
    if (try? patch.patch.apply(to: &next)) == nil {
      report(.convergence, "does not apply to \(value?.description ?? "nothing"): \(patch.json)")
    }
    return next
  }

  func judge(mark path: String, _ seq: Int) {
    guard var subscription = subscriptions[ByteText(path)], case .live = subscription.phase else {
      return report(.wire, "a mark of nothing subscribed: \(path) \(seq)")
    }
    if seq < subscription.position {
      report(.noGapNoRepeat, "a mark at \(seq) behind \(subscription.position) of \(path)")
    }
    if let missing = history.firstTouch(
      after: subscription.position, through: seq, subscription.path)
    {
      report(.noGapNoRepeat, "seq \(missing) is missing before the mark \(seq) of \(path)")
    }
    subscription.position = max(seq, subscription.position)
    subscriptions[ByteText(path)] = subscription
  }

  private func check(_ value: JSON?, _ path: JSONPointer, _ seq: Int, _ what: String) {
    if value != history.value(at: path, seq) {
      report(
        .convergence,
        "\(what) makes \(value?.description ?? "nothing") of \(path) at \(seq), it is "
          + (history.value(at: path, seq)?.description ?? "nothing"))
    }
  }
}
