import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// The laws that a run is judged by.
package enum Law: String, Sendable {
  case totalOrder = "L1 total order"
  case durableBeforeVisible = "L2 durable before visible"
  case exactlyOnce = "L3 exactly once"
  case convergence = "L4 convergence"
  case noGapNoRepeat = "L5 no gap, no repeat"
  case harmlessRefusals = "L6 harmless refusals"
  case boundedMemory = "L7 bounded memory"
  case exactRecovery = "L8 exact recovery"
  case exactReplay = "L9 exact replay"
  case effectsSurvive = "L10 effects survive"
  case answerOrder = "O1 answers in order"
  case patchesBeforeAnswers = "O2 patches before answers"
  case wire = "protocol"
  case progress = "progress"
}

/// A broken law.
package struct Violation: Error, CustomStringConvertible, Sendable {
  package let law: Law
  package let text: String

  package var description: String { "\(law.rawValue): \(text)" }
}

/// What really happened, as the disk saw it: every state, and who asked for what.
final class History {
  struct Key: Hashable {
    let client: String
    let n: Int64?
    let actions: [UInt8]
  }

  let disk: VirtualDisk
  let effects: EffectHistory
  private var replay: any HostedStore
  /// The state after each seq; the first is the initial one.
  private(set) var states: [JSON]
  private var received: [Key: Int] = [:]
  private var accepted: [Key: Int] = [:]
  private var touches: [ByteText: [Int: Bool]] = [:]
  private let report: (Law, String) -> Void

  init(disk: VirtualDisk, store: any HostedStore, report: @escaping (Law, String) -> Void) {
    self.disk = disk
    self.replay = store
    self.states = [store.view]
    self.report = report
    effects = EffectHistory { report(.effectsSurvive, $0) }
    disk.onCommit = { [unowned self] in note($0) }
  }

  var head: Int { states.count - 1 }

  /// How often a number was sent, with whatever body.
  private var requestCounts: [Key: Int] = [:]

  func noteRequest(_ dispatch: Request.Dispatch, of client: String) {
    requestCounts[Key(client: client, n: dispatch.n, actions: []), default: 0] += 1
    received[key(dispatch, client), default: 0] += 1
  }

  /// Whether a number was sent more than once.
  func isRepeated(_ n: Int64, of client: String) -> Bool {
    requestCounts[Key(client: client, n: n, actions: []), default: 0] > 1
  }

  private func key(_ dispatch: Request.Dispatch, _ client: String) -> Key {
    Key(
      client: client, n: dispatch.n,
      actions: Array(JSON.array(JSONArray(dispatch.actions)).description.utf8))
  }

  private var seenOutcomes: Set<Key> = []

  private func note(_ commit: Commit) {
    var accepted: [SequenceNumber: (client: String, n: Int64)] = [:]
    for group in commit.outcomes {
      for outcome in group.outcomes {
        let key = Key(client: group.client, n: outcome.n, actions: [])
        if !seenOutcomes.insert(key).inserted {
          report(.exactlyOnce, "a second outcome of \(group.client) \(outcome.n)")
        }
        if case .accepted(let seq, _) = outcome.result { accepted[seq] = (group.client, outcome.n) }
      }
    }
    for entry in commit.entries {
      if let n = entry.n {
        let outcome = accepted[entry.seq]
        if outcome?.client != entry.client || outcome?.n != n {
          report(.exactlyOnce, "seq \(entry.seq) and the outcome of its number don't agree")
        }
      }
      take(entry)
    }
    effects.note(commit)
  }

  private func take(_ entry: LogEntry) {
    guard entry.seq.value == Int64(states.count) else {
      return report(.totalOrder, "seq \(entry.seq) was made durable after \(head)")
    }
    if head > 0, entry.time < disk.allEntries[head - 1].time {
      report(.totalOrder, "the time of seq \(entry.seq) falls")
    }
    let key = Key(client: entry.client, n: entry.n, actions: entry.sentActions)
    accepted[key, default: 0] += 1
    let isNamed = !entry.client.hasPrefix("anonymous-") && entry.client != Engine.ownName
    if isNamed,
      (accepted[key] ?? 0) > (entry.n == nil ? received[key] ?? 0 : min(1, received[key] ?? 0))
    {
      report(.exactlyOnce, "seq \(entry.seq) happened more often than it was asked for")
    }
    var state = states[head]
    do {
      let patch = try JSONPatch(JSON(parsing: entry.patch, maximumDepth: .max))
      try patch.apply(to: &state)
      let actions = try JSON(parsing: entry.actions, maximumDepth: .max).arrayValue ?? []
      let author = actions.compactMap { $0["meta"]?["dux"]?["author"]?.stringValue }.first
      let replayed = try replay.replay(
        actions.map { try WireAction($0) }, author: author ?? entry.client)
      if replayed != patch || replay.view != state {
        report(.exactReplay, "seq \(entry.seq) replays as \(replayed)")
      }
    } catch {
      report(.exactReplay, "seq \(entry.seq) does not replay: \(error)")
    }
    states.append(state)
  }

  func value(at path: JSONPointer, _ seq: Int) -> JSON? {
    states[seq].value(at: path)
  }

  /// Whether a step changed the value at a path, found by comparing states.
  func doesTouch(_ seq: Int, _ path: JSONPointer) -> Bool {
    if path.isRoot { return true }
    let text = ByteText(path.description)
    if let known = touches[text]?[seq] { return known }
    let answer = value(at: path, seq - 1) != value(at: path, seq)
    touches[text, default: [:]][seq] = answer
    return answer
  }

  /// The first step in a range that changes the value at a path.
  func firstTouch(after start: Int, through end: Int, _ path: JSONPointer) -> Int? {
    guard start < end else { return nil }
    return (start + 1...end).first { doesTouch($0, path) }
  }
}

extension LogEntry {
  /// The actions as they were sent, without what the daemon noted in them.
  var sentActions: [UInt8] {
    guard let list = try? JSON(parsing: actions, maximumDepth: .max).arrayValue else {
      return actions
    }
    let sent = list.map { action -> JSON in
      guard action["meta"]?["dux"] != nil, var members = action.objectValue else { return action }
      members["meta"] = nil
      return .object(members)
    }
    return Array(JSON.array(JSONArray(sent)).description.utf8)
  }
}
