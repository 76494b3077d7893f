import DuxEngine
import DuxJSON
import DuxStore

/// A sum and a count of each step's name: whatever is counted twice or never shows.
struct TaggedLedger: App {
  struct State: Codable, Equatable, Sendable {
    var sum = 0
    var tags: [String: Int] = [:]
    /// Which life of the log it is of, by the test's count.
    var life = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case add(tag: String, amount: Int)
  }

  let name = "tagged"
  let initialState = State()

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    guard case .add(let tag, let amount) = action else { return .none }
    guard amount != Self.poison else { throw Rejection(reason: "poison", message: tag) }
    state.sum += amount
    state.tags[tag, default: 0] += 1
    return .none
  }

  static let poison = 13
}

/// A daemon that keeps the protocol's promises and does all it may in any order.
final class ModelDaemon {
  struct Entry {
    let tag: String
    let amount: Int
    let client: String
    let n: Int64?
  }

  private struct Outcome {
    let body: JSON
    /// `nil`: rejected.
    let seq: Int?
    /// Steps that were durable when it became so.
    let head: Int
  }

  private struct Item {
    let entry: Entry
    let body: JSON
    let isTaken: Bool
    var wire: ModelWire?
  }

  /// The entries of each life.
  private(set) var lives: [[Entry]] = [[]]
  private(set) var epoch = "e0"
  private var outcomes: [Int64: Outcome] = [:]
  private var highestN: Int64 = 0
  private var group: [Item] = []
  private(set) var wires: [ModelWire] = []
  var isFull = false
  var hasFaults = true
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  var life: Int { lives.count - 1 }
  var head: Int { lives[life].count }

  func chance(_ percent: Int) -> Bool {
    hasFaults && Int.random(in: 0..<100, using: &random) < percent
  }

  /// The states of the life at hand, by seq.
  private var states: [TaggedLedger.State] = [.init()]

  private func json(at seq: Int) -> JSON {
    (try? StateCoder.encode(states[seq])) ?? .null
  }

  private func append(_ entry: Entry) {
    lives[life].append(entry)
    var state = states[states.count - 1]
    state.sum += entry.amount
    state.tags[entry.tag, default: 0] += 1
    states.append(state)
  }

  // Connections.

  func connect() -> ModelWire {
    let wire = ModelWire()
    wires.append(wire)
    return wire
  }

  /// Lets some of what is on its way come in, from any connection, also one that is given up.
  func receive() {
    wires.removeAll { $0.up.isEmpty && ($0.isGivenUp || $0.isClosed) }
    guard
      let wire = wires.filter({ !$0.up.isEmpty || !$0.waiting.isEmpty }).randomElement(
        using: &random)
    else { return }
    let count = Int.random(in: 1...max(1, wire.up.count), using: &random)
    wire.inbox += wire.up.prefix(count)
    wire.up.removeFirst(min(count, wire.up.count))
    while let feed = wire.inbox.firstIndex(of: 0x0A) {
      if let line = try? JSON(parsing: Array(wire.inbox[..<feed])) { wire.waiting.append(line) }
      wire.inbox.removeFirst(feed + 1)
    }
    work(wire)
  }

  private func work(_ wire: ModelWire) {
    while !wire.isClosed, let request = wire.waiting.first, handle(request, wire) {
      wire.waiting.removeFirst()
    }
  }

  /// Handles a request.
  ///
  /// - Returns: `false` if it has to wait.
  private func handle(_ request: JSON, _ wire: ModelWire) -> Bool {
    let isBusy = group.contains { $0.wire === wire }
    switch request["op"]?.stringValue {
    case "hello":
      for other in wires where other !== wire && other.isGreeted {
        close(other, saying: "replaced")
      }
      wire.isGreeted = true
      let lastN = outcomes.keys.max() ?? 0
      wire.say([
        "op": "welcome", "protocol": 1, "app": "tagged", "epoch": .string(epoch),
        "seq": .integer(Int64(head)), "client": "tty1", "lastN": .integer(lastN),
        "maxLine": 65_536, "maxDepth": 128, "heartbeatMs": 15_000,
      ])
    case "dispatch": return take(request, wire, isBusy: isBusy)
    case "subscribe":
      if isBusy { return false }
      answer(request, wire)
    case "ping":
      if isBusy { return false }
      if wire.isLagging { catchUp(wire) }
      wire.say(["op": "pong", "seq": .integer(Int64(head))])
    default: break
    }
    return true
  }

  func close(_ wire: ModelWire, saying code: String? = nil) {
    if let code { wire.say(["op": "bye", "code": .string(code), "message": "m"]) }
    wire.isClosed = true
    wire.up = []
  }

  // Steps.

  private func take(_ request: JSON, _ wire: ModelWire, isBusy: Bool) -> Bool {
    guard let n = request["n"]?.integerValue, let action = request["action"] else { return true }
    if let outcome = outcomes[n] {
      if isBusy { return false }
      tell(n, outcome.body == action ? .success(outcome.seq) : .failure("n_conflict"), wire)
    } else if let index = group.firstIndex(where: { $0.entry.n == n }) {
      group[index].wire = wire
    } else if n <= highestN {
      if isBusy { return false }
      tell(n, .failure("outcome_unknown"), wire)
    } else if isFull {
      if isBusy { return false }
      wire.answer([
        "op": "reject", "n": .integer(n), "code": "storage_full", "message": "m", "final": false,
      ])
    } else {
      let payload = action["payload"]
      let entry = Entry(
        tag: payload?["tag"]?.stringValue ?? "", amount: Int(payload?["amount"]?.integerValue ?? 0),
        client: "tty1", n: n)
      highestN = n
      group.append(
        .init(
          entry: entry, body: action, isTaken: entry.amount != TaggedLedger.poison, wire: wire))
    }
    return true
  }

  private func tell(_ n: Int64, _ result: Result<Int?, RefusalCode>, _ wire: ModelWire) {
    switch result {
    case .success(let seq?):
      wire.answer(["op": "ack", "n": .integer(n), "seq": .integer(Int64(seq)), "changed": true])
    case .success(nil):
      wire.answer([
        "op": "reject", "n": .integer(n), "code": "rejected", "reason": "poison", "message": "m",
      ])
    case .failure(let code):
      wire.answer([
        "op": "reject", "n": .integer(n), "code": .string(code.text), "message": "m",
      ])
    }
  }

  private struct RefusalCode: Error, ExpressibleByStringLiteral {
    let text: String
    init(stringLiteral text: String) { self.text = text }
  }

  /// Another client's step.
  func takeOthers(_ tag: String) {
    group.append(
      .init(
        entry: .init(tag: tag, amount: 1, client: "tty2", n: nil), body: .null, isTaken: true))
  }

  /// Makes the open group durable and tells of it: patches first, then the answers.
  func commit() {
    let items = group
    group = []
    for item in items {
      if item.isTaken {
        append(item.entry)
        for wire in wires where wire.isFollowing && !wire.isLagging { wire.say(patch(head)) }
      }
      guard let n = item.entry.n else { continue }
      outcomes[n] = Outcome(body: item.body, seq: item.isTaken ? head : nil, head: head)
    }
    for item in items {
      guard let n = item.entry.n, let wire = item.wire, let outcome = outcomes[n] else { continue }
      tell(n, .success(outcome.seq), wire)
      if let seq = outcome.seq { wire.toldSeq = max(wire.toldSeq, seq) }
    }
    for wire in wires { work(wire) }
  }

  private func patch(_ seq: Int) -> JSON {
    let entry = lives[life][seq - 1]
    let patch = JSONPatch.diff(from: json(at: seq - 1), to: json(at: seq))
    var line: JSONObject = [
      "op": "patch", "path": "", "seq": .integer(Int64(seq)), "time": 1,
      "client": .string(entry.client), "patch": patch.json,
    ]
    line["n"] = entry.n.map { .integer($0) }
    return .object(line)
  }

  // Following.

  private func answer(_ request: JSON, _ wire: ModelWire) {
    wire.isFollowing = true
    let since = request["since"]?.integerValue.map { Int($0) }
    guard let since else { return snapshot(wire, reason: nil) }
    if request["epoch"]?.stringValue != epoch {
      snapshot(wire, reason: "epoch")
    } else if since > head {
      snapshot(wire, reason: "ahead")
    } else if chance(20) {
      snapshot(wire, reason: "compacted", notBefore: since)
    } else {
      wire.say([
        "op": "resumed", "path": "", "epoch": .string(epoch), "from": .integer(Int64(since)),
        "seq": .integer(Int64(head)),
      ])
      for seq in since..<head { wire.say(patch(seq + 1)) }
    }
  }

  /// A snapshot of now, or of a moment ago with what came since, whole or in parts.
  private func snapshot(_ wire: ModelWire, reason: String?, notBefore since: Int = 0) {
    let oldest = max(wire.toldSeq, since, reason == nil ? 0 : since, head - 3)
    let seq = oldest < head && chance(40) ? Int.random(in: oldest...head, using: &random) : head
    let state = json(at: seq)
    var line: JSONObject = [
      "op": "snapshot", "path": "", "epoch": .string(epoch), "seq": .integer(Int64(seq)),
      "state": state,
    ]
    line["reason"] = reason.map { .string($0) }
    if chance(30) {
      line["state"] = ["sum": 0, "tags": [:], "life": 0]
      line["more"] = true
      wire.say(.object(line))
      let patch = JSONPatch.diff(from: ["sum": 0, "tags": [:], "life": 0], to: state)
      wire.say([
        "op": "part", "path": "", "seq": .integer(Int64(seq)), "patch": patch.json, "more": false,
      ])
    } else {
      wire.say(.object(line))
    }
    for later in seq..<head { wire.say(patch(later + 1)) }
  }

  /// Gives a connection that lags a snapshot, then the answers that waited for it.
  func catchUp(_ wire: ModelWire) {
    guard wire.isLagging else { return }
    wire.isLagging = false
    if wire.isFollowing { snapshot(wire, reason: "lagged") }
    for line in wire.heldAnswers { wire.say(line) }
    wire.heldAnswers = []
  }

  func mark() {
    for wire in wires where wire.isFollowing && !wire.isLagging {
      wire.say(["op": "mark", "path": "", "seq": .integer(Int64(head))])
    }
  }

  // Faults.

  /// Ends at any instant and starts again from what is durable.
  func crash() {
    group = []
    highestN = outcomes.keys.max() ?? 0
    for wire in wires { close(wire) }
  }

  /// Starts again with older data, in a new epoch or, as a raw copy put back, in the same.
  func restore(to seq: Int, newEpoch: Bool) {
    crash()
    outcomes = outcomes.filter { $0.value.head <= seq && ($0.value.seq ?? 0) <= seq }
    highestN = outcomes.keys.max() ?? 0
    let kept = lives[life][..<seq]
    lives.append([])
    states = [.init(life: life)]
    for entry in kept { append(entry) }
    if newEpoch { epoch = "e\(life)" }
  }
}

/// A connection as bytes on their way, both ways.
final class ModelWire {
  /// To the daemon.
  var up: [UInt8] = []
  /// To the client.
  var down: [UInt8] = []
  var inbox: [UInt8] = []
  var waiting: [JSON] = []
  var isGreeted = false
  var isFollowing = false
  var isLagging = false
  var heldAnswers: [JSON] = []
  /// The newest step of the client that it was told of here.
  var toldSeq = 0
  /// By the daemon.
  var isClosed = false
  /// By the client.
  var isGivenUp = false

  func say(_ line: JSON) {
    guard !isClosed else { return }
    down += line.bytes + [0x0A]
  }

  /// Says an answer to a step; patches come first, so it waits while they do.
  func answer(_ line: JSON) {
    if isLagging { heldAnswers.append(line) } else { say(line) }
  }
}
