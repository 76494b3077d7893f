import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// What one run of a daemon was told and has told of presence.
final class PresenceRecord {
  private var names: [UInt64: String?] = [:]
  private var states: [UInt64: [JSON?]] = [:]
  private var epoch: String?
  /// What followers were told, by seq.
  private var contents: [Int: JSON] = [:]

  func greeted(_ link: ConnectionID, as name: String?) { names[link.value] = name }

  func said(_ state: JSON?, on link: ConnectionID) { states[link.value, default: []].append(state) }

  /// What is wrong with a follower's copy.
  func fault(of copy: JSON, at seq: Int) -> String? {
    if let other = contents[seq] {
      return other == copy ? nil : "another follower was told \(other)"
    }
    contents[seq] = copy
    guard let entries = copy.objectValue else { return "no object" }
    for (name, entry) in entries {
      let serial = UInt64(clamping: entry["serial"]?.integerValue ?? -1)
      guard let known = names[serial] else { return "\(name) is on no connection" }
      guard known.map({ $0.utf8.elementsEqual(name.utf8) }) ?? name.hasPrefix("anonymous-") else {
        return "\(name) calls itself \(known ?? "nothing")"
      }
      if let state = entry["state"], states[serial]?.contains(state) != true {
        return "\(name) never said \(state)"
      }
    }
    return nil
  }

  func isOurs(_ epoch: String) -> Bool {
    if self.epoch == nil { self.epoch = epoch }
    return self.epoch == epoch
  }
}

/// A follower's copy, as the auditor knows it.
struct AuditedPresence {
  var epoch: String
  var position: Int
  var value: JSON
  /// Whether parts are missing.
  var isPartial: Bool
}

/// Presence: no hole in the seqs, the same for all, and nothing that nobody said.
extension ConnectionAuditor {
  /// Judges what is about presence; `false` when it is not.
  func judgesPresence(_ message: ServerMessage, _ json: JSON, byteCount: Int) -> Bool {
    guard json["path"] == .string(ReservedWords.presencePath) else { return false }
    switch message {
    case .snapshot(let snapshot): judge(presence: snapshot, json, byteCount: byteCount)
    case .part(let part): judge(part: part, json)
    case .patch(let patch): judge(presence: patch)
    case .mark(_, let seq):
      if presence?.position != Int(seq.value) || presence?.isPartial != false {
        report(.noGapNoRepeat, "at \(presence?.position ?? -1): \(json)")
      }
    default: return false
    }
    return true
  }

  private func judge(presence snapshot: ServerMessage.Snapshot, _ json: JSON, byteCount: Int) {
    let seq = Int(snapshot.position.seq.value)
    if !record.isOurs(snapshot.position.epoch) { report(.wire, "another epoch: \(json)") }
    if snapshot.reason == "lagged" {
      if seq < presence?.position ?? .max { report(.noGapNoRepeat, "back: \(json)") }
    } else {
      guard case .subscribeToPresence(let position)? = take(json) else {
        return report(.answerOrder, "a snapshot: \(json)")
      }
      if (snapshot.reason == nil) != (position == nil) { report(.wire, "the reason: \(json)") }
    }
    if byteCount > limits.maximumLineBytes { report(.wire, "a snapshot of \(byteCount) bytes") }
    presence = AuditedPresence(
      epoch: snapshot.position.epoch, position: seq, value: snapshot.state ?? .null,
      isPartial: snapshot.hasMore)
    checkPresence(json)
  }

  private func judge(part: ServerMessage.Part, _ json: JSON) {
    guard presence?.isPartial == true else { return report(.wire, "a part of nothing: \(json)") }
    presence?.isPartial = part.hasMore
    apply(part.patch, json)
  }

  private func judge(presence patch: ServerMessage.Patch) {
    guard let position = presence?.position, presence?.isPartial == false else {
      return report(.wire, "nobody follows: \(patch.json)")
    }
    if Int(patch.seq.value) != position + 1 {
      report(.noGapNoRepeat, "after \(position): \(patch.json)")
    }
    if patch.patch.operations.isEmpty { report(.wire, "nothing changes: \(patch.json)") }
    presence?.position = Int(patch.seq.value)
    apply(patch.patch, patch.json)
  }

  private func apply(_ patch: JSONPatch, _ json: JSON) {
    guard var value = presence?.value else { return }
    if (try? patch.apply(to: &value)) == nil {
      report(.convergence, "does not apply to \(value): \(json)")
    }
    presence?.value = value
    checkPresence(json)
  }

  private func checkPresence(_ json: JSON) {
    guard let presence, !presence.isPartial else { return }
    if let fault = record.fault(of: presence.value, at: presence.position) {
      report(.convergence, "presence at \(presence.position): \(fault): \(json)")
    }
  }
}
