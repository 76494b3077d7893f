import DuxJSON
import DuxLog
import DuxProtocol
import Simulation
import Testing

@testable import DuxEngine

struct SessionRuleTests {
  @Test func `a connection that says no hello is ended, and may come back`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect()
    harness.send(#"{"op":"ping"}"#, on: peer)
    harness.pass(9_999)
    #expect(peer.takeOps() == ["pong"])
    harness.pass(1)
    let bye = peer.takeLines().first
    #expect(bye?["code"] == "bad_request")
    #expect(bye?["retryMs"] != nil)
    #expect(peer.isClosed)
  }

  @Test func `only hello, ping and status are served before a welcome`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect()
    harness.send(
      #"{"op":"status"}"#, #"{"op":"get","id":1}"#,
      #"{"op":"dispatch","action":{"type":"doc/set","payload":{"path":"/a","value":1}}}"#,
      #"{"op":"hello","protocol":9,"id":2}"#, #"{"op":"hello","protocol":1}"#,
      #"{"op":"hello","protocol":1}"#, on: peer)
    let lines = peer.takeLines()
    #expect(
      lines.map { $0["code"] } == [
        nil, "bad_request", "bad_request", "unsupported_protocol", nil, "bad_request",
      ])
    #expect(lines[3]["supported"] == [1])
    #expect(harness.disk.head == .zero)
  }

  @Test func `a new connection of the same name ends the one before, for good`() throws {
    let harness = try EngineHarness()
    let former = harness.connect(as: "c")
    harness.send(#"{"op":"subscribe"}"#, on: former)
    _ = former.takeLines()
    let next = harness.connect(as: "c")
    let bye = former.takeLines().first
    #expect(bye?["code"] == "replaced")
    #expect(bye?["retryMs"] == nil)
    #expect(former.isClosed)
    harness.set("/a", to: 1, on: next)
    #expect(next.takeOps() == ["ack"])
  }

  @Test func `twenty refused lines in a row end a connection, of whatever kind they are`() throws {
    let refused = [
      "nonsense", #"{"op":"jump"}"#, #"{"op":"unsubscribe","path":"/a"}"#,
      #"{"op":"hello","protocol":1}"#,
    ]
    let harness = try EngineHarness()
    let peer = harness.connect(as: "c")
    for index in 0..<19 { harness.send(refused[index % 4], on: peer) }
    harness.send(#"{"op":"ping"}"#, on: peer)
    for index in 0..<19 { harness.send(refused[index % 4], on: peer) }
    #expect(!peer.isClosed)
    _ = peer.takeLines()
    harness.send(refused[2], #"{"op":"ping"}"#, on: peer)
    #expect(peer.takeOps() == ["error", "bye"])
    #expect(peer.isClosed)
  }

  @Test func `blank lines are ignored, and an overlong one ends the connection`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "c")
    harness.send("", "  \t", "\r", #"{"op":"ping"}"# + "\r", on: peer)
    #expect(peer.takeOps() == ["pong"])
    harness.sendBytes([UInt8](repeating: 0x78, count: 100_001), on: peer)
    let lines = peer.takeLines()
    #expect(lines.map { $0["op"]?.stringValue } == ["error", "bye"])
    #expect(lines.map { $0["code"] } == ["line_too_long", "line_too_long"])
    #expect(lines[1]["retryMs"] == nil)
    #expect(peer.isClosed)
  }

  @Test func `one connection too many is told to come back`() throws {
    let harness = try EngineHarness(maximumClients: 2)
    _ = harness.connect(as: "a")
    _ = harness.connect(as: "b")
    let third = harness.connect()
    let bye = third.takeLines().first
    #expect(bye?["code"] == "overloaded")
    #expect(bye?["retryMs"] != nil)
  }

  @Test func `a quiet subscription is told how far it is`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "c")
    let writer = harness.connect(as: "w")
    harness.send(#"{"op":"subscribe","path":"/a"}"#, #"{"op":"subscribe","path":"/b"}"#, on: peer)
    harness.set("/c", to: 1, 2, on: writer)
    _ = peer.takeLines()
    harness.pass(4_000)
    harness.set("/b", to: 1, on: writer)
    _ = peer.takeLines()
    harness.pass(1_000)
    #expect(peer.takeLines() == [["op": "mark", "path": "/a", "seq": 3]])
    harness.pass(4_000)
    #expect(peer.takeLines() == [["op": "mark", "path": "/b", "seq": 3]])
  }

  @Test func `a mark that could not be sent is not behind a later frame`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "c")
    let writer = harness.connect(as: "w")
    harness.send(#"{"op":"subscribe","path":"/a"}"#, on: peer)
    _ = peer.takeLines()
    peer.room = 0
    harness.pass(5_000)
    harness.set("/a", to: 1, on: writer)
    harness.give(room: nil, to: peer)
    let seqs = peer.takeLines().compactMap { $0["seq"]?.integerValue }
    #expect(seqs.last == 1)
    #expect(seqs == seqs.sorted())
  }

  @Test func `answers that nobody takes end the connection, patches don't`() throws {
    let harness = try EngineHarness()
    let reader = harness.connect(as: "r")
    let asker = harness.connect(as: "q")
    let writer = harness.connect(as: "w")
    harness.send(#"{"op":"subscribe"}"#, on: reader)
    _ = reader.takeLines()
    reader.room = 0
    asker.room = 0
    harness.send(#"{"op":"ping"}"#, on: asker)
    harness.set("/a", to: 1, on: writer)
    harness.pass(19_000)
    #expect(!asker.isClosed)
    harness.pass(2_000)
    #expect(asker.isClosed)
    #expect(!reader.isClosed)
    harness.give(room: nil, to: reader)
    #expect(reader.takeOps().first == "patch")
  }

  @Test func `a stop makes durable what was taken, answers it and says goodbye`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "c")
    harness.send(#"{"op":"subscribe"}"#, on: peer)
    _ = peer.takeLines()
    harness.isPrompt = false
    harness.set("/a", to: 1, on: peer, from: 1)
    harness.engine.beginShutdown()
    harness.set("/a", to: 2, on: peer, from: 2)
    #expect(!harness.engine.isSettled)
    harness.commit()
    #expect(harness.engine.isSettled)
    harness.engine.sayGoodbyeToAll()
    harness.endTurn()
    let lines = peer.takeLines()
    #expect(lines.map { $0["op"]?.stringValue } == ["patch", "ack", "reject", "bye"])
    #expect(lines[2]["code"] == "shutting_down")
    #expect(lines[2]["final"] == false)
    #expect(peer.isClosed)
    #expect(harness.connect().takeOps() == ["bye"])
    #expect(harness.engine.lastCheckpoint(upToBytes: 1_000)?.seq == SequenceNumber(1))
  }

  @Test func `a client that is gone and has nothing on its way is forgotten`() throws {
    let harness = try EngineHarness()
    let first = harness.connect(as: "c")
    harness.isPrompt = false
    harness.set("/a", to: 1, on: first, from: 1)
    let second = harness.connect(as: "c")
    harness.lose(first)
    harness.lose(second)
    #expect(harness.engine.clients.count == 1)
    harness.commit()
    #expect(harness.engine.clients.isEmpty)
    #expect(harness.engine.connectionCount == 0)
  }

  @Test func `subscriptions have a limit, which another one's end makes room in`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "c")
    for index in 0..<1_024 { harness.send(#"{"op":"subscribe","path":"/\#(index)"}"#, on: peer) }
    _ = peer.takeLines()
    harness.send(
      #"{"op":"subscribe","path":"/x"}"#, #"{"op":"subscribe","path":"/7"}"#,
      #"{"op":"unsubscribe","path":"/3"}"#, #"{"op":"subscribe","path":"/x"}"#, on: peer)
    #expect(peer.takeLines().map { $0["code"] } == ["overloaded", nil, nil, nil])
  }
}
