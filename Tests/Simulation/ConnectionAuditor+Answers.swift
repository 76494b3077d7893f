import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// Answers: in the order of the requests, true, and behind the patches they rest on.
extension ConnectionAuditor {
  func judge(_ settlement: ServerMessage.Settlement, _ json: JSON) {
    guard case .dispatch(let dispatch)? = take(json), settlement.n == dispatch.n else {
      return report(.answerOrder, "not the dispatch whose turn it is: \(json)")
    }
    switch settlement.result {
    case .success(let accepted): judge(accepted, dispatch, json)
    case .failure(let failure): judge(failure, of: dispatch, json)
    }
  }

  private func judge(
    _ accepted: ServerMessage.Accepted, _ dispatch: Request.Dispatch, _ json: JSON
  ) {
    let seq = Int(accepted.seq.value)
    let entry = history.disk.allEntries[seq - 1]
    let actions = Array(JSON.array(JSONArray(dispatch.actions)).description.utf8)
    if entry.client != client || entry.n != dispatch.n || entry.sentActions != actions {
      report(.exactlyOnce, "the ack names another's step: \(json)")
    }
    if accepted.changed == (entry.patch == Array("[]".utf8)) {
      report(.wire, "the ack is wrong about the change: \(json)")
    }
    if let n = dispatch.n { judgeOutcome(n, dispatch, json) }
    acknowledged = max(acknowledged, seq)
    checkPatches(before: seq, json)
  }

  private func outcome(_ n: Int64) -> Outcome? {
    history.disk.outcome(of: client ?? "", n)
  }

  private func judgeOutcome(_ n: Int64, _ dispatch: Request.Dispatch, _ json: JSON) {
    guard let outcome = outcome(n) else {
      return report(.durableBeforeVisible, "an outcome that is not durable: \(json)")
    }
    if outcome.bodyDigest != dispatch.body.digest {
      report(.exactlyOnce, "the outcome of another body: \(json)")
    }
    switch outcome.result {
    case .accepted(let seq, let changed):
      if json["seq"] != .integer(seq.value) || json["changed"] != .bool(changed) {
        report(.exactlyOnce, "not the first outcome, seq \(seq): \(json)")
      }
    case .rejected(let code, let reason, let message):
      let wanted = [.string(code), reason.map { JSON.string($0) }, .string(message)]
      if [json["code"], json["reason"], json["message"]] != wanted {
        report(.exactlyOnce, "not the first outcome, \(code): \(json)")
      }
    }
  }

  private func judge(
    _ failure: ServerMessage.Failure, of dispatch: Request.Dispatch, _ json: JSON
  ) {
    guard let n = dispatch.n else { return }
    switch failure.code {
    case "n_conflict":
      if outcome(n)?.bodyDigest == dispatch.body.digest || outcome(n) == nil {
        report(.exactlyOnce, "there is no conflict: \(json)")
      }
    case "outcome_unknown":
      if outcome(n) != nil { report(.exactlyOnce, "the outcome is known: \(json)") }
    case _ where failure.isTransient:
      // A refusal that waited to be sent may be older than what became of the number since.
      if outcome(n) != nil, !history.isRepeated(n, of: client ?? "") {
        report(.exactlyOnce, "refused, but it had an outcome: \(json)")
      }
    default:
      judgeOutcome(n, dispatch, json)
    }
  }

  /// An answer that tells of a seq comes behind the patches up to it.
  func checkPatches(before seq: Int, _ json: JSON) {
    for (path, subscription) in subscriptions {
      guard case .live = subscription.phase else { continue }
      let pointer = subscription.path
      if let missing = history.firstTouch(after: subscription.position, through: seq, pointer) {
        report(
          .patchesBeforeAnswers,
          "\(path.text) is at \(subscription.position), seq \(missing) was not sent before \(json)")
      }
    }
  }

  func judge(_ failure: ServerMessage.Failure, _ json: JSON) {
    // Before a welcome a shorter line is too long already.
    if failure.code == "line_too_long", expected.isEmpty, isInLongLine { return }
    guard let request = take(json) else { return }
    switch (request, failure.code) {
    case (.get(_, let seq?), "compacted"):
      if seq >= history.disk.floor { report(.wire, "it is not compacted: \(json)") }
    case (.log(let last?, _), "compacted"):
      if last >= history.disk.floor.value { report(.wire, "it is not compacted: \(json)") }
    case (_, "internal"): report(.wire, "\(json)")
    default: break
    }
  }

  func judge(answer op: String, _ json: JSON) {
    switch op {
    case "entry": judge(entry: json)
    case "end":
      guard case .log(let last, _)? = take(json) else { return report(.answerOrder, "\(json)") }
      if let last, json["seq"] != .integer(Int64(last)), last <= history.head {
        report(.noGapNoRepeat, "the log ended at \(last): \(json)")
      }
    case "value":
      guard case .get(let path, let at)? = take(json) else {
        return report(.answerOrder, "\(json)")
      }
      judge(value: json, path, at)
    case "pong":
      guard case .ping? = take(json) else { return report(.answerOrder, "\(json)") }
      checkPatches(before: Int(json["seq"]?.integerValue ?? 0), json)
    case "effects":
      guard case .effects? = take(json) else { return report(.answerOrder, "\(json)") }
    case "cancelled":
      guard case .cancel(let key)? = take(json), json["key"] == .string(key) else {
        return report(.answerOrder, "\(json)")
      }
    case "presence":
      guard case .presence? = take(json) else { return report(.answerOrder, "\(json)") }
    case "status":
      guard case .status? = take(json) else { return report(.answerOrder, "\(json)") }
    default: report(.wire, "\(json)")
    }
  }

  private func judge(value json: JSON, _ path: JSONPointer, _ at: SequenceNumber?) {
    let seq = Int(json["seq"]?.integerValue ?? -1)
    if let at, at.value != Int64(seq) { report(.wire, "asked at \(at): \(json)") }
    if at == nil, seq < acknowledged {
      report(.answerOrder, "a read behind the ack of \(acknowledged): \(json)")
    }
    if json["value"] != history.value(at: path, max(0, seq)) {
      report(.convergence, "another value than at \(seq): \(json)")
    }
  }

  private func judge(entry json: JSON) {
    guard let first = expected.first, case .log(let last, let remaining) = first.request else {
      return report(.answerOrder, "an entry nobody asked for: \(json)")
    }
    checkID(json, first.id)
    let seq = Int(json["seq"]?.integerValue ?? 0)
    if let last, seq != last + 1 { report(.noGapNoRepeat, "entry \(seq) after \(last)") }
    if remaining == 0 { report(.wire, "more entries than asked for") }
    let entry = history.disk.allEntries[seq - 1]
    let isTrue =
      json["client"] == .string(entry.client) && json["n"]?.integerValue == entry.n
      && json["time"] == .integer(entry.time)
      && json["actions"]?.description == String(decoding: entry.actions, as: UTF8.self)
      && json["patch"]?.description == String(decoding: entry.patch, as: UTF8.self)
    if !isTrue { report(.noGapNoRepeat, "not what happened: \(json)") }
    expected[0].request = .log(last: seq, remaining: remaining - 1)
  }
}
