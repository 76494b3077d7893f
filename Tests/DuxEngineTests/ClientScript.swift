import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// A session with the test in the daemon's place and the clock's.
final class ClientScript {
  let session: RemoteSession
  private(set) var nowMs: Int64 = 1_000
  private(set) var events: [RemoteSession.Event] = []
  /// Lines the session has sent and the test has not looked at.
  private var sent: [JSON] = []
  /// Whether the session has a connection, or wants one.
  private(set) var isConnected = false
  /// The wait before the next connection.
  private(set) var waitMs: Int64?

  /// What the session wants of its journal, and the test has not looked at.
  private(set) var kept: [QueuedStep] = []
  private(set) var forgotten: [Int] = []
  /// Told of the events of each call.
  var onEvents: ([RemoteSession.Event]) -> Void = { _ in }

  init(
    window: Int = 4, seed: UInt64 = 1, restoring steps: [QueuedStep] = [],
    adjust: (inout RemoteSession.Configuration) -> Void = { _ in }
  ) {
    var configuration = RemoteSession.Configuration(
      client: "tty1", backoff: Backoff(firstMs: 100, greatestMs: 10_000), steadyMs: 5_000,
      window: window)
    adjust(&configuration)
    session = RemoteSession(configuration, seed: seed)
    session.advance(nowMs: nowMs)
    session.restore(steps)
    session.start()
    obey()
  }

  func ask<Answer>(_ body: (RemoteSession) -> Answer) -> Answer {
    session.advance(nowMs: nowMs)
    defer { obey() }
    return body(session)
  }

  /// Connects without a welcome.
  func connect() {
    isConnected = true
    ask { $0.connected() }
  }

  /// Connects and welcomes.
  func welcome(lastN: Int64 = 0, seq: Int64 = 0, epoch: String = "e", maxLine: Int64 = 1_000) {
    connect()
    say([
      "op": "welcome", "protocol": 1, "epoch": .string(epoch), "seq": .integer(seq),
      "client": "tty1", "lastN": .integer(lastN), "maxLine": .integer(maxLine),
      "maxDepth": 128, "heartbeatMs": 15_000,
    ])
  }

  func say(_ line: JSON) {
    receive(line.bytes + [0x0A])
  }

  func receive(_ bytes: [UInt8]) {
    ask { session in bytes.withUnsafeBytes { session.received($0) } }
  }

  func lose() {
    isConnected = false
    ask { $0.disconnected("cut") }
  }

  func pass(_ ms: Int64) {
    nowMs += ms
    ask { $0.tick() }
  }

  /// What was sent since the last look.
  func takeSent() -> [JSON] {
    defer { sent = [] }
    return sent
  }

  /// The numbers of the dispatches sent since the last look.
  func takeSentNumbers() -> [Int64] {
    takeSent().filter { $0["op"] == "dispatch" }.compactMap { $0["n"]?.integerValue }
  }

  /// What happened since the last look, a word or two each.
  func takeEvents() -> [String] {
    defer { events = [] }
    return events.compactMap(Self.words)
  }

  func dispatch(_ count: Int = 1) {
    for index in 0..<count {
      ask {
        _ = $0.dispatch(
          [["type": "doc/set", "payload": .integer(Int64(index))]], preconditions: [])
      }
    }
  }

  func ack(_ n: Int64, seq: Int64) {
    say(["op": "ack", "n": .integer(n), "seq": .integer(seq), "changed": true])
  }

  func refuseForNow(_ n: Int64) {
    say([
      "op": "reject", "n": .integer(n), "code": "storage_full", "message": "m", "final": false,
    ])
  }

  /// What was to be kept since the last look.
  func takeKept() -> [QueuedStep] {
    defer { kept = [] }
    return kept
  }

  func takeForgotten() -> [Int] {
    defer { forgotten = [] }
    return forgotten
  }

  private func obey() {
    let effects = session.takeEffects()
    for effect in effects {
      switch effect {
      case .connect: break
      case .connectLater(let afterMs, _): waitMs = afterMs
      case .disconnect: isConnected = false
      case .keep(let step): kept.append(step)
      case .forget(let token): forgotten.append(token.index)
      case .event(let event): events.append(event)
      case .send(let bytes):
        for line in bytes.split(separator: 0x0A) {
          if let json = try? JSON(parsing: line, maximumDepth: 200) { sent.append(json) }
        }
      }
    }
    onEvents(effects.compactMap { if case .event(let event) = $0 { event } else { nil } })
  }

  private static func words(_ event: RemoteSession.Event) -> String? {
    switch event {
    case .live: "live"
    case .waiting: "waiting"
    case .ended(let failure): "ended \(failure.code)"
    case .snapshot(let replica, let reason, _):
      "snapshot \(replica.value?.description ?? "missing")" + (reason.map { " \($0)" } ?? "")
    case .resumed(_, let seq, let head): "resumed \(seq) to \(head)"
    case .patch(let patch, _, let replica, _):
      "patch \(patch.seq) \(replica.value?.description ?? "missing")"
    case .mark(_, let seq): "mark \(seq)"
    case .settled(let step, let settlement): words(step, settlement)
    case .postponed(let failure, _): "postponed \(failure.code)"
    case .returned, .status: nil
    case .cancelled(let step): "step \(step.index) is cancelled"
    case .answer(_, let op, let json, _): "\(op) \(json["seq"]?.description ?? "")"
    case .failed(_, let failure): "failed \(failure.code)"
    }
  }

  private static func words(
    _ step: RemoteSession.Step, _ settlement: ServerMessage.Settlement
  ) -> String {
    switch settlement.result {
    case .success(let accepted): "step \(step.index) is seq \(accepted.seq)"
    case .failure(let failure): "step \(step.index) is \(failure.code)"
    }
  }
}
