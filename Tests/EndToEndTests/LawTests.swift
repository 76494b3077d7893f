import DuxJSON
import Testing

/// The checkers find what they are there to find.
struct LawTests {
  private func step(_ seq: Int64, n: Int64? = nil, time: Int64 = 1, path: String = "/a") throws
    -> LoggedStep
  {
    var entry: JSON = [
      "seq": .integer(seq), "time": .integer(time), "client": "c", "actions": [],
      "patch": [["op": "add", "path": .string(path), "value": .integer(seq)]],
    ]
    if let n { entry = entry.with("n", .integer(n)) }
    return try LoggedStep(entry)
  }

  private func told(_ n: Int64, seq: Int64) -> Told {
    Told(client: "c", n: n, answer: ["op": "ack", "n": .integer(n), "seq": .integer(seq)])
  }

  private func replica(_ path: String, _ messages: [JSON]) throws -> Replica {
    var replica = Replica(path: path)
    for message in messages { try replica.take(message.with("path", .string(path))) }
    return replica
  }

  private func patch(_ seq: Int64) -> JSON {
    ["op": "patch", "seq": .integer(seq), "time": 1, "patch": []]
  }

  private let snapshot: JSON = ["op": "snapshot", "epoch": "e", "seq": 0, "state": [:]]

  @Test func aHoleARepeatAndAClockThatFallsBreakTheOrder() throws {
    #expect(try Laws.totalOrder([step(1), step(2)]).isEmpty)
    #expect(try Laws.totalOrder([step(1), step(3)]).count == 1)
    #expect(try Laws.totalOrder([step(1), step(1)]).count == 1)
    #expect(try Laws.totalOrder([step(1, time: 2), step(2, time: 1)]).count == 1)
  }

  @Test func whatWasToldAndIsGoneWasNotDurable() {
    #expect(Laws.durableBeforeVisible(told: 3, head: 3).isEmpty)
    #expect(Laws.durableBeforeVisible(told: 4, head: 3).count == 1)
  }

  @Test func aSecondEffectAnotherOutcomeAndALostOneAreFound() throws {
    let log = try [step(1, n: 1), step(2, n: 2)]
    #expect(Laws.exactlyOnce(log, told: [told(1, seq: 1), told(2, seq: 2)]).isEmpty)
    #expect(Laws.exactlyOnce(log, told: [told(1, seq: 1), told(1, seq: 2)]).count == 1)
    #expect(Laws.exactlyOnce(log, told: [told(3, seq: 3)]).count == 1)
    #expect(try Laws.exactlyOnce(log + [step(3, n: 1)], told: []).count == 1)
    let rejection = Told(client: "c", n: 1, answer: ["op": "reject", "n": 1, "code": "rejected"])
    #expect(Laws.exactlyOnce(log, told: [rejection]).count == 1)
  }

  @Test func aGapARepeatAndASilentSnapshotAreFound() throws {
    let log = try [step(1), step(2), step(3, path: "/b")]
    func broken(_ path: String, _ messages: [JSON]) throws -> Int {
      try Laws.noGapNoRepeat(replica(path, messages), log: log).count
    }
    #expect(try broken("", [snapshot, patch(1), patch(2), patch(3)]) == 0)
    #expect(try broken("", [snapshot, patch(1), patch(3)]) == 1)
    #expect(try broken("", [snapshot, patch(1), patch(1)]) == 1)
    #expect(try broken("/a", [snapshot, patch(1), patch(2), ["op": "mark", "seq": 3]]) == 0)
    #expect(try broken("/a", [snapshot, patch(1), ["op": "mark", "seq": 3]]) == 1)
    #expect(try broken("/b", [snapshot, patch(2), patch(3)]) == 1)
    #expect(try broken("", [snapshot, snapshot.with("seq", 2)]) == 1)
    #expect(try broken("", [snapshot, snapshot.with("seq", 2).with("reason", "lagged")]) == 0)
  }

  @Test func aStateThatIsNotTheFoldIsFound() throws {
    let log = try [step(1), step(2, path: "/b")]
    #expect(try Laws.exactRecovery(log, state: ["b": 2, "a": 1]).isEmpty)
    #expect(try Laws.exactRecovery(log, state: ["b": 2, "a": 1.0]).count == 1)
    #expect(try Laws.exactRecovery(log, state: nil).count == 1)
  }
}
