import DuxJSON
import DuxLog
import DuxProtocol
import Testing

struct ServerMessageTests {
  @Test func `a welcome comes back as it was written`() throws {
    let read = try message {
      $0.welcome(
        .init(
          server: "duxd/1", app: "document", appVersion: 1, epoch: "e", seq: SequenceNumber(57),
          client: "tty\"1", lastN: 11, limits: .test, heartbeatMs: 15_000, durability: "full"),
        id: .string("h"))
    }
    guard case .welcome(let welcome) = read else {
      Issue.record("\(read)")
      return
    }
    #expect(welcome.epoch == "e")
    #expect(welcome.seq == SequenceNumber(57))
    #expect(welcome.client == "tty\"1")
    #expect(welcome.lastN == 11)
    #expect(welcome.heartbeatMs == 15_000)
    #expect(welcome.json["maxLine"] == 1_048_576)
    #expect(welcome.json["maxDepth"] == 16)
    #expect(welcome.json["id"] == "h")
  }

  @Test func `snapshots, parts and resumes come back as they were written`() throws {
    let whole = try message {
      $0.beginSnapshot(path: "/a", epoch: "e", seq: SequenceNumber(5), reason: .lagged, id: nil)
      $0.member("state", [1, 2] as JSON)
      $0.end()
    }
    let missing = try message {
      $0.beginSnapshot(path: "/a", epoch: "e", seq: SequenceNumber(5), reason: nil, id: .integer(1))
      $0.member("missing", true)
      $0.end()
    }
    let resumed = try message {
      $0.resumed(
        path: "/a", epoch: "e", from: SequenceNumber(3), seq: SequenceNumber(9), id: nil)
    }
    guard case .snapshot(let first) = whole, case .snapshot(let second) = missing,
      case .resumed("/a", let position, let head) = resumed
    else {
      Issue.record("\(whole), \(missing), \(resumed)")
      return
    }
    #expect(first.state == [1, 2])
    #expect(first.reason == "lagged")
    #expect(first.position == .init(epoch: "e", seq: SequenceNumber(5)))
    #expect(!first.hasMore)
    #expect(second.state == nil)
    #expect(second.reason == nil)
    #expect(position == .init(epoch: "e", seq: SequenceNumber(3)))
    #expect(head == SequenceNumber(9))
  }

  @Test func `outcomes come back as they were written`() throws {
    let acknowledged = try message {
      $0.outcome(
        .accepted(seq: SequenceNumber(58), changed: false), n: 12, id: nil, isDuplicate: true)
    }
    let rejected = try message {
      $0.outcome(
        .rejected(code: "rejected", reason: "missing", message: "m"), n: 13, id: nil,
        isDuplicate: false)
    }
    guard case .settled(let ack) = acknowledged, case .success(let accepted) = ack.result,
      case .settled(let reject) = rejected, case .failure(let failure) = reject.result
    else {
      Issue.record("\(acknowledged), \(rejected)")
      return
    }
    #expect((ack.n, ack.isDuplicate) == (12, true))
    #expect((accepted.seq, accepted.changed) == (SequenceNumber(58), false))
    #expect((reject.n, reject.isDuplicate) == (13, false))
    #expect((failure.code, failure.reason, failure.message) == ("rejected", "missing", "m"))
    #expect(!failure.isTransient)
  }

  @Test(arguments: ErrorCode.allCases)
  func `a refusal says by its code whether the same number may be sent again`(
    code: ErrorCode
  ) throws {
    let read = try message { $0.refusal(RequestError(code, "no"), n: nil, id: .integer(2)) }
    guard case .settled(let settlement) = read, case .failure(let failure) = settlement.result
    else {
      Issue.record("\(read)")
      return
    }
    let transient: Set<ErrorCode> = [.rateLimited, .overloaded, .storageFull, .shuttingDown]
    #expect(failure.isTransient == transient.contains(code))
    #expect(failure.code == code.rawValue)
    #expect(settlement.json["id"] == 2)
    #expect(settlement.n == nil)
  }

  @Test func `answers carry their ids, and only entries are followed by more`() throws {
    let entry = LogEntry(
      seq: SequenceNumber(1), time: 2, client: "c", n: 3, actions: Array("[{}]".utf8),
      patch: Array("[]".utf8))
    let first = try message { $0.entry(entry, id: .integer(7)) }
    let last = try message { $0.logEnd(seq: SequenceNumber(1), hasMore: true, id: .integer(7)) }
    guard case .answer(.integer(7), "entry", let json, false) = first,
      case .answer(.integer(7), "end", let end, true) = last
    else {
      Issue.record("\(first), \(last)")
      return
    }
    #expect(
      json
        == [
          "op": "entry", "id": 7, "seq": 1, "time": 2, "client": "c", "n": 3, "actions": [[:]],
          "patch": [],
        ])
    #expect(end == ["op": "end", "id": 7, "seq": 1, "more": true])
  }

  @Test func `an error carries its details, and a farewell its pause`() throws {
    let error = try message {
      $0.error(RequestError(.compacted, "gone", details: ["floor": 4]), id: .string("x"))
    }
    let final = try message { $0.bye(RequestError(.replaced, "no"), retryMs: nil) }
    let retryable = try message { $0.bye(RequestError(.shuttingDown, "no"), retryMs: 500) }
    guard case .error(let failure, .string("x")) = error, case .bye(_, nil) = final,
      case .bye(let farewell, 500) = retryable
    else {
      Issue.record("\(error), \(final), \(retryable)")
      return
    }
    #expect(failure.json["floor"] == 4)
    #expect(farewell.code == "shutting_down")
  }

  @Test func `an unknown kind of line is told from a broken one`() throws {
    guard case .unknown("news") = try ServerMessage(reading: Array(#"{"op":"news"}"#.utf8)) else {
      Issue.record("it is known")
      return
    }
    for line in ["", "[]", "{}", #"{"op":"patch","seq":1}"#, #"{"op":"welcome"}"#] {
      #expect(throws: RequestError.self) { try ServerMessage(reading: Array(line.utf8)) }
    }
  }

  @Test(arguments: [
    0, 1, -1, 9, 10, 99, 100, 101, 999, 1_000, 9_999, 10_000, 12_345, 99_999, 100_000, 1_000_000,
    99_999_999, 100_000_000, -1_234_567_890_123, 999_999_999_999_999_999, .max, .min,
  ])
  func `an integer is written in full`(number: Int64) throws {
    var writer = LineWriter()
    writer.begin("x")
    writer.member("v", number)
    writer.end()
    #expect(writer.bytes == Array("{\"op\":\"x\",\"v\":\(number)}\n".utf8))
  }
}
