import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// Reads along on one connection at the daemon's side, and knows what may be said.
final class ConnectionAuditor {
  /// A request that waits for its answer.
  enum Expected {
    case hello
    case subscribe(Request.Subscribe)
    case subscribeToPresence(Request.Position?)
    case unsubscribe(path: String)
    case presence
    case dispatch(Request.Dispatch)
    case get(JSONPointer, SequenceNumber?)
    case log(last: Int?, remaining: Int)
    case effects
    case cancel(key: String)
    case ping
    case status
    /// A line that can only be refused.
    case refused
  }

  let history: History
  let limits: Limits
  let epoch: String
  let record: PresenceRecord
  private let link: ConnectionID
  private let fail: (Law, String) -> Void

  private var scannerIn = LineScanner()
  private var inbound: [UInt8] = []
  private var scannerOut = LineScanner()
  private var outbound: [UInt8] = []

  var expected: [(request: Expected, id: RequestID?)] = []
  var client: String?
  var subscriptions: [ByteText: AuditedSubscription] = [:]
  var presence: AuditedPresence?
  /// The highest seq that the connection was acknowledged.
  var acknowledged = 0
  private var hasSaidGoodbye = false
  private var isDeaf = false

  init(
    of link: ConnectionID, history: History, limits: Limits, epoch: String,
    record: PresenceRecord, report: @escaping (Law, String) -> Void
  ) {
    self.link = link
    self.record = record
    self.history = history
    self.limits = limits
    self.epoch = epoch
    self.fail = { report($0, "connection \(link.value): \($1)") }
  }

  func report(_ law: Law, _ text: String) { fail(law, text) }

  // What the daemon is given.

  func received(_ bytes: [UInt8]) {
    guard !isDeaf else { return }
    inbound += bytes
    while !isDeaf {
      let limit = limits.maximumLineBytes
      let finding = inbound.withUnsafeBytes { scannerIn.next(in: $0, maximumLineBytes: limit) }
      switch finding {
      case .incomplete: return
      case .tooLong:
        isDeaf = true
        expected.append((.refused, nil))
      case .line(let count, let next):
        let line = Array(inbound[..<count])
        inbound.removeFirst(next)
        if line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) { expect(line) }
      }
    }
  }

  private func expect(_ line: [UInt8]) {
    let decoded = line.withUnsafeBytes { Request.decode($0, limits: limits) }
    let request: Expected =
      switch decoded.result {
      case .failure: .refused
      case .success(.hello): .hello
      case .success(.subscribe(let subscribe)): .subscribe(subscribe)
      case .success(.unsubscribe(let path)): .unsubscribe(path: path.description)
      case .success(.subscribeToPresence(let position)): .subscribeToPresence(position)
      case .success(.unsubscribeFromPresence): .unsubscribe(path: ReservedWords.presencePath)
      case .success(.presence): .presence
      case .success(.dispatch(let dispatch)): .dispatch(dispatch)
      case .success(.get(let path, let seq)): .get(path, seq)
      case .success(.log(let range)): .log(last: start(of: range), remaining: range.limit)
      case .success(.effects): .effects
      case .success(.cancel(let key)): .cancel(key: key)
      case .success(.ping): .ping
      case .success(.status): .status
      }
    if case .success(.hello(let hello)) = decoded.result, client == nil {
      client = hello.client
      record.greeted(link, as: hello.client)
    }
    if case .success(.presence(let state)) = decoded.result { record.said(state, on: link) }
    if case .dispatch(let dispatch) = request, let client {
      history.noteRequest(dispatch, of: client)
    }
    expected.append((request, decoded.id))
  }

  private func start(of range: Request.LogRange) -> Int? {
    if case .after(let seq) = range.start { return Int(seq.value) }
    return nil
  }

  var isInLongLine: Bool { inbound.count > Limits.maximumLineBytesBeforeHello }

  // What the daemon says.

  func sent(_ bytes: UnsafeRawBufferPointer) {
    outbound += bytes
    while true {
      let finding = outbound.withUnsafeBytes { scannerOut.next(in: $0, maximumLineBytes: .max - 1) }
      guard case .line(let count, let next) = finding else { return }
      let line = Array(outbound[..<count])
      outbound.removeFirst(next)
      judge(line)
    }
  }

  private func judge(_ line: [UInt8]) {
    if hasSaidGoodbye {
      return report(.wire, "a line after bye: \(String(decoding: line.prefix(200), as: UTF8.self))")
    }
    do {
      let json = try JSON(parsing: line, maximumDepth: .max)
      // What "end" tells may be the asker's own number.
      let isOfLog = json["op"] != "end" && json["path"] != .string(ReservedWords.presencePath)
      if isOfLog, let seq = json["seq"]?.integerValue, seq > history.disk.head.value {
        report(.durableBeforeVisible, "told of \(seq), durable is \(history.disk.head): \(json)")
        return
      }
      judge(try line.withUnsafeBytes { try ServerMessage($0) }, json, byteCount: line.count)
    } catch {
      report(.wire, "\(error): \(String(decoding: line.prefix(300), as: UTF8.self))")
    }
  }

  private func judge(_ message: ServerMessage, _ json: JSON, byteCount: Int) {
    if judgesPresence(message, json, byteCount: byteCount) { return }
    switch message {
    case .welcome(let welcome):
      guard case .hello? = take(json) else { return report(.answerOrder, "a welcome: \(json)") }
      if client == nil { client = welcome.client }
      if welcome.epoch != epoch { report(.wire, "another epoch") }
    case .snapshot(let snapshot): judge(snapshot, json, byteCount: byteCount)
    case .part(let part): judge(part, json, byteCount: byteCount)
    case .resumed(let path, let position, _): judge(resumed: path, position, json)
    case .patch(let patch): judge(patch)
    case .mark(let path, let seq): judge(mark: path, Int(seq.value))
    case .unsubscribed(let path):
      guard case .unsubscribe(let wanted)? = take(json), wanted == path else {
        return report(.answerOrder, "unsubscribed \(path)")
      }
      subscriptions[ByteText(path)] = nil
      if path == ReservedWords.presencePath { presence = nil }
    case .settled(let settlement): judge(settlement, json)
    case .answer(_, let op, _, _): judge(answer: op, json)
    case .error(let failure, _): judge(failure, json)
    case .bye: hasSaidGoodbye = true
    case .unknown(let op): report(.wire, "unknown op \(op)")
    }
  }

  /// Takes the request that an answer must belong to: the oldest.
  func take(_ json: JSON) -> Expected? {
    guard let first = expected.first else {
      report(.answerOrder, "an answer to nothing: \(json)")
      return nil
    }
    expected.removeFirst()
    checkID(json, first.id)
    return first.request
  }

  func checkID(_ json: JSON, _ id: RequestID?) {
    let wanted: JSON? =
      switch id {
      case nil: nil
      case .string(let text)?: .string(text)
      case .integer(let number)?: .integer(number)
      }
    if json["id"] != wanted {
      report(.answerOrder, "the id should be \(String(describing: wanted)): \(json)")
    }
  }
}
