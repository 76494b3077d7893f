import DuxJSON
import DuxLog
import DuxProtocol
import Testing

struct EffectLineTests {
  private static let failing = ListedEffect(
    key: "e.57.0", kind: .command, name: "RequestToken", state: .retrying, scope: "login/a",
    effect: "token", cause: SequenceNumber(57), author: "tty\"1", action: "login/submit",
    attempts: 2, retryMs: 1_200, error: "down\n")
  private static let running = ListedEffect(
    key: "r.1", kind: .running, name: "clock", state: .running, scope: "", effect: nil,
    cause: SequenceNumber(3), author: "@duxd", action: "start", attempts: 1, retryMs: nil,
    error: nil)

  private func list(_ message: ServerMessage) throws -> EffectList? {
    guard case .answer(.integer(5), "effects", let json, true) = message else { return nil }
    return try EffectList(json)
  }

  @Test(arguments: [true, false])
  func `a list comes back as it was written`(hasMore: Bool) throws {
    let written = EffectList(
      seq: SequenceNumber(58), effects: [Self.running, Self.failing], hasMore: hasMore)
    #expect(try list(message { $0.effects(written, id: .integer(5)) }) == written)
    let none = EffectList(seq: .zero, effects: [], hasMore: hasMore)
    #expect(try list(message { $0.effects(none, id: .integer(5)) }) == none)
  }

  @Test func `what an effect has not is absent`() throws {
    let line = written {
      $0.effects(
        EffectList(seq: SequenceNumber(3), effects: [Self.running], hasMore: false), id: nil)
    }
    #expect(
      try JSON(parsing: line.dropLast(), maximumDepth: 4) == [
        "op": "effects", "seq": 3,
        "effects": [
          [
            "key": "r.1", "kind": "running", "name": "clock", "state": "running", "scope": "",
            "cause": 3, "author": "@duxd", "action": "start", "attempts": 1,
          ]
        ],
      ])
  }

  @Test func `words of a later daemon are taken, and a wait is held to a day`() throws {
    var item = Self.failing.json.objectValue ?? [:]
    item["kind"] = "remote"
    item["state"] = "paused"
    item["retryMs"] = .integer(.max)
    item["more"] = [1]
    let list = try EffectList(["op": "effects", "seq": 1, "effects": [.object(item)]])
    #expect(list.effects.first?.kind.rawValue == "remote")
    #expect(list.effects.first?.state.rawValue == "paused")
    #expect(list.effects.first?.retryMs == 86_400_000)
  }

  @Test(arguments: [
    "key", "kind", "name", "state", "scope", "cause", "author", "action", "attempts",
  ])
  func `an effect that lacks a member is none`(member: String) {
    var item = Self.running.json.objectValue ?? [:]
    item[member] = nil
    #expect(throws: RequestError.self) {
      try EffectList(["op": "effects", "seq": 1, "effects": [.object(item)]])
    }
  }

  @Test(
    arguments: [
      ["op": "effects", "seq": 1], ["op": "effects", "effects": []],
      ["op": "effects", "seq": 1, "effects": [1]], ["op": "effects", "seq": 1, "effects": [:]], 1,
    ] as [JSON])
  func `a list that lacks its parts is none`(json: JSON) {
    #expect(throws: RequestError.self) { try EffectList(json) }
  }

  @Test func `the order is that of the steps, then of the keys' bytes`() {
    func effect(_ cause: Int64, _ key: String) -> ListedEffect {
      var effect = Self.running
      effect.cause = SequenceNumber(cause)
      effect.key = key
      return effect
    }
    let ordered = [effect(2, "z"), effect(10, "B"), effect(10, "a"), effect(10, "é")]
    #expect(ordered.reversed().sorted() == ordered)
  }

  @Test func `a cancellation is told with its key, and nothing follows`() throws {
    let read = try message { $0.cancelled(key: "k\"", id: .string("c")) }
    guard case .answer(.string("c"), "cancelled", let json, true) = read else {
      Issue.record("\(read)")
      return
    }
    #expect(json["key"] == "k\"")
  }

  @Test func `the refusal to cancel names the key, cut where it is long`() {
    let error = RequestError.noEffect(key: "a\"b")
    #expect(error.code == .notFound)
    #expect(error.message.contains(#""a\"b""#))
    #expect(RequestError.noEffect(key: String(repeating: "x", count: 9_999)).message.count < 200)
  }

  @Test(arguments: [250, nil] as [Int64?])
  func `too many dispatches are refused for the moment, with the time to wait if it is known`(
    retryMs: Int64?
  ) throws {
    let read = try message { $0.refusal(.rateLimited("slow", retryMs: retryMs), n: 4, id: nil) }
    guard case .settled(let settlement) = read, case .failure(let failure) = settlement.result
    else {
      Issue.record("\(read)")
      return
    }
    #expect(failure.isTransient)
    #expect((failure.code, failure.retryMs) == ("rate_limited", retryMs))
    #expect((settlement.json["retryMs"] == nil) == (retryMs == nil))
  }

  @Test func `a status tells of stages, unknown slices and effects`() throws {
    var status = DaemonStatus(
      server: "duxd/1", app: "login", appVersion: 2, epoch: "e", seq: SequenceNumber(9),
      floor: SequenceNumber(1), clients: 2, subscriptions: 3, uptimeMs: 4, durability: "full",
      isReadOnly: true, stateBytes: 5, stateDepth: 6, logEntries: 8, logBytes: 7,
      checkpoint: SequenceNumber(1), processID: 11)
    status.pipeline = ["logger", "limit"]
    status.unknownSlices = ["old"]
    status.effects = 12
    status.unknownActions = 13
    status.lateActions = 14
    guard case .answer(nil, "status", let json, true) = try message({ $0.status(status, id: nil) })
    else {
      Issue.record("no status")
      return
    }
    #expect(
      json == [
        "op": "status", "server": "duxd/1", "protocol": [1], "app": "login", "appVersion": 2,
        "epoch": "e", "seq": 9, "floor": 1, "clients": 2, "subscriptions": 3, "uptimeMs": 4,
        "durability": "full", "readOnly": true, "stateBytes": 5, "stateDepth": 6, "logEntries": 8,
        "logBytes": 7, "checkpointSeq": 1, "pid": 11, "pipeline": ["logger", "limit"],
        "unknownSlices": ["old"], "effects": 12, "unknownActions": 13, "lateActions": 14,
      ])
  }
}
