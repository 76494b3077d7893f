import DuxJSON
import DuxLog
import DuxProtocol
import Simulation
import Testing

@testable import DuxEngine

struct RetryTests {
  private func step(_ n: Int64, by: Int = 1) -> String {
    #"{"op":"dispatch","n":\#(n),"action":{"type":"doc/increment","payload":{"path":"/a","by":\#(by)}}}"#
  }

  private func start() throws -> (EngineHarness, EngineHarness.Peer) {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "c")
    harness.set("/a", to: 0, on: peer)
    _ = peer.takeLines()
    return (harness, peer)
  }

  @Test func `a retry gets the first outcome and has no effect`() throws {
    let (harness, peer) = try start()
    harness.send(step(1), step(1), #"{"op":"get","path":"/a"}"#, on: peer)
    let lines = peer.takeLines()
    #expect(lines.map { $0["seq"] } == [2, 2, 2])
    #expect(lines.map { $0["duplicate"] } == [nil, true, nil])
    #expect(lines[2]["value"] == 1)
  }

  @Test func `a retry while the first is on its way to the disk waits for it`() throws {
    let (harness, peer) = try start()
    harness.isPrompt = false
    harness.send(step(1), on: peer)
    harness.send(step(1), step(1, by: 2), on: peer)
    #expect(peer.takeOps().isEmpty)
    #expect(harness.commits.map(\.entries.count) == [1])
    harness.commit()
    let lines = peer.takeLines()
    #expect(lines.map { $0["op"]?.stringValue } == ["ack", "ack", "reject"])
    #expect(lines[1]["duplicate"] == true)
    #expect(lines[2]["code"] == "n_conflict")
    #expect(harness.disk.head == SequenceNumber(2))
  }

  @Test func `a rejection is an outcome, too`() throws {
    let (harness, peer) = try start()
    let wrong = #"{"op":"dispatch","n":1,"action":{"type":"doc/remove","payload":{"path":"/b"}}}"#
    harness.send(wrong, on: peer)
    harness.set("/b", to: 1, on: peer)
    harness.send(wrong, on: peer)
    let lines = peer.takeLines()
    #expect(lines[0]["reason"] == "missing")
    #expect(lines[2]["reason"] == "missing")
    #expect(lines[2]["duplicate"] == true)
    #expect(harness.disk.lastN(of: "c") == 1)
  }

  @Test func `numbers may leave gaps, and a gap is never filled`() throws {
    let (harness, peer) = try start()
    harness.send(step(5), step(3), step(9), step(9, by: 2), on: peer)
    #expect(peer.takeLines().map { $0["code"] } == [nil, "outcome_unknown", nil, "n_conflict"])
    #expect(harness.disk.head == SequenceNumber(3))
  }

  @Test func `outcomes are known beyond memory, reconnects and takeovers`() throws {
    let (harness, peer) = try start()
    for n in 1...200 { harness.send(step(Int64(n)), on: peer) }
    harness.lose(peer)
    let next = harness.connect(as: "c")
    harness.send(step(1), step(200), step(201), on: next)
    #expect(next.takeLines().map { $0["seq"] } == [2, 201, 202])
    #expect(harness.engine.clients.count == 1)
  }

  @Test func `an outcome that an earlier build kept is known by its digest`() throws {
    let (harness, peer) = try start()
    harness.send(step(1), on: peer)
    harness.lose(peer)
    let body = #"[{"payload":{"by":1,"path":"/a"},"type":"doc/increment"}]"#
    let outcome = Outcome(
      n: 1, bodyDigest: Digest.of(Array(body.utf8)),
      result: .accepted(seq: SequenceNumber(2), changed: true))
    harness.disk.append(
      Commit(entries: [], outcomes: [.init(client: "c", outcomes: [outcome])], time: 1))
    let next = harness.connect(as: "c")
    harness.send(step(1), step(1, by: 2), on: next)
    let lines = next.takeLines()
    #expect(lines.map { $0["op"] } == ["ack", "reject"])
    #expect((lines[0]["seq"], lines[0]["duplicate"]) == (2, true))
    #expect(lines[1]["code"] == "n_conflict")
  }

  @Test func `names that Unicode calls equivalent are two clients`() throws {
    let harness = try EngineHarness()
    let first = harness.connect(as: "e\u{301}")
    harness.set("/a", to: 1, on: first, from: 1)
    let second = harness.connect()
    harness.send("{\"op\":\"hello\",\"protocol\":1,\"client\":\"\u{e9}\"}", on: second)
    #expect(second.takeLines().first?["lastN"] == 0)
    #expect(!first.isClosed)
  }

  @Test func `what the disk refused is as if it had never been asked`() throws {
    let (harness, peer) = try start()
    harness.isPrompt = false
    harness.send(step(1), on: peer)
    harness.send(step(2), step(3), on: peer)
    harness.failCommit()
    let lines = peer.takeLines()
    #expect(lines.map { $0["code"] } == ["storage_full", "storage_full", "storage_full"])
    #expect(lines.allSatisfy { $0["final"] == false })
    #expect(harness.commits.isEmpty)
    harness.send(step(1), on: peer)
    #expect(peer.takeLines().first?["final"] == false)
    harness.pass(1_000)
    harness.isPrompt = true
    harness.send(step(1), step(2), #"{"op":"get","path":"/a"}"#, on: peer)
    let retried = peer.takeLines()
    #expect(retried.map { $0["seq"] } == [2, 3, 3])
    #expect(retried[2]["value"] == 2)
  }

  @Test func `a retry of a durable step is answered, though the disk refused those around it`()
    throws
  {
    let (harness, peer) = try start()
    harness.send(step(1), on: peer)
    _ = peer.takeLines()
    harness.isPrompt = false
    harness.send(step(2), on: peer)
    harness.send(step(1), on: peer)
    harness.failCommit()
    let lines = peer.takeLines()
    #expect(lines.map { $0["op"]?.stringValue } == ["reject", "ack"])
    #expect(lines[1]["seq"] == 2)
  }

  @Test func `a number conflicts with nothing that the disk refused`() throws {
    let (harness, peer) = try start()
    harness.isPrompt = false
    harness.send(step(1), on: peer)
    harness.send(step(1, by: 2), on: peer)
    harness.failCommit()
    #expect(peer.takeLines().map { $0["code"] } == ["storage_full", "storage_full"])
  }

  @Test func `a connection that takes a name over is told of steps still on their way`() throws {
    let (harness, peer) = try start()
    harness.isPrompt = false
    harness.send(step(1), on: peer)
    let next = harness.connect()
    harness.send(#"{"op":"hello","protocol":1,"client":"c"}"#, step(1), on: next)
    #expect(peer.takeOps() == ["bye"])
    #expect(peer.isClosed)
    #expect(next.takeOps().isEmpty)
    harness.commit()
    let lines = next.takeLines()
    #expect(lines.map { $0["op"]?.stringValue } == ["welcome", "ack"])
    #expect(lines[0]["lastN"] == 1)
    #expect(lines[1]["duplicate"] == true)
  }

  @Test func `a client's past that is being read is not older than what happens meanwhile`() throws
  {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "w")
    harness.set("/a", to: 0, on: peer)
    harness.isPrompt = false
    let first = harness.connect(as: "c")
    let second = harness.connect(as: "c")
    harness.answer()
    harness.send(step(1), on: first)
    harness.commit()
    harness.lose(first)
    // What the disk read before that step.
    harness.answer(with: .lastN(0))
    harness.send(step(1), on: second)
    #expect(harness.commits.isEmpty)
    let lines = second.takeLines()
    #expect(lines.last?["duplicate"] == true)
    harness.lose(second)
    #expect(harness.engine.clients.count == 1)
  }

  @Test func `a message that quotes a long input is kept short`() throws {
    let (harness, peer) = try start()
    let type = String(repeating: "x", count: 50_000)
    harness.send(#"{"op":"dispatch","n":1,"action":{"type":"\#(type)"}}"#, on: peer)
    #expect(peer.takeLines().first?["code"] == "unknown_action")
    guard case .rejected(_, _, let message)? = harness.disk.outcome(of: "c", 1)?.result else {
      Issue.record("no outcome")
      return
    }
    #expect(message.utf8.count < 1_100)
    #expect(message.hasPrefix("unknown action type"))
  }
}
