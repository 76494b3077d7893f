import DuxJSON
import DuxLog
import DuxProtocol
import Simulation
import Testing

@testable import DuxEngine

struct OrderTests {
  private static let step =
    #"{"op":"dispatch","action":{"type":"doc/increment","payload":{"path":"/a"}}}"#

  @Test func `nothing is told of a step before it is durable`() throws {
    let harness = try EngineHarness()
    let writer = harness.connect(as: "w")
    let reader = harness.connect(as: "r")
    harness.send(#"{"op":"subscribe","path":"/a"}"#, on: reader)
    #expect(reader.takeOps() == ["snapshot"])
    harness.isPrompt = false
    harness.set("/a", to: 1, on: writer, from: 1)
    harness.send(#"{"op":"get","path":"/a"}"#, #"{"op":"ping"}"#, on: reader)
    #expect(writer.takeOps().isEmpty)
    #expect(reader.takeLines().map { $0["seq"] } == [0, 0])
    harness.commit()
    #expect(writer.takeOps() == ["ack"])
    #expect(reader.takeOps() == ["patch"])
  }

  @Test func `steps that come while one is on its way share the next commit`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.set("/a", to: 1, 2, 3, on: peer, from: 1)
    #expect(harness.commits.map(\.entries.count) == [1])
    harness.commit()
    #expect(harness.commits.map(\.entries.count) == [2])
    #expect(harness.commits.first?.entries.map(\.seq.value) == [2, 3])
    harness.commit()
    #expect(peer.takeLines().map { $0["seq"] } == [1, 2, 3])
  }

  @Test func `the patches up to a step come before the answer to it`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "w")
    harness.send(
      #"{"op":"subscribe"}"#, #"{"op":"subscribe","path":"/a"}"#,
      #"{"op":"subscribe","path":"/a","actions":true}"#, on: peer)
    _ = peer.takeLines()
    harness.set("/a", to: 1, 2, on: peer)
    #expect(peer.takeOps() == ["patch", "patch", "ack", "patch", "patch", "ack"])
  }

  @Test func `answers come in the order of the requests, whatever they are`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "w")
    harness.set("/a", to: 1, on: peer, from: 1)
    _ = peer.takeLines()
    harness.send(
      #"{"op":"dispatch","id":1,"action":{"type":"doc/increment","payload":{"path":"/a"}}}"#,
      #"{"op":"ping","id":2}"#, "nonsense", #"{"op":"dispatch","id":3,"action":{"type":"x"}}"#,
      #"{"op":"get","id":4,"path":"/a","at":0}"#, #"{"op":"status","id":5}"#,
      #"{"op":"dispatch","id":6,"n":1,"action":{"type":"other"}}"#,
      #"{"op":"log","id":7,"after":1}"#, #"{"op":"subscribe","id":8,"path":"/a"}"#,
      #"{"op":"unsubscribe","id":9,"path":"/b"}"#, #"{"op":"unsubscribe","id":10,"path":"/a"}"#,
      #"{"op":"get","id":11,"path":"/a"}"#, on: peer)
    let lines = peer.takeLines()
    #expect(
      lines.map { $0["op"]?.stringValue } == [
        "ack", "pong", "error", "reject", "value", "status", "reject", "entry", "end", "snapshot",
        "error", "unsubscribed", "value",
      ])
    #expect(lines.compactMap { $0["id"]?.integerValue } == [1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 11])
    #expect(lines.last?["value"] == 2)
  }

  @Test func `a read behind a step sees it, though it had to wait for the disk`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.set("/a", to: 5, on: peer)
    harness.send(#"{"op":"get","path":"/a"}"#, #"{"op":"subscribe","path":"/a"}"#, on: peer)
    #expect(peer.takeOps().isEmpty)
    #expect(peer.isPaused)
    harness.commit()
    let lines = peer.takeLines()
    #expect(lines.map { $0["op"]?.stringValue } == ["ack", "value", "snapshot"])
    #expect(lines[1]["value"] == 5)
    #expect(lines[2]["state"] == 5)
    #expect(!peer.isPaused)
  }

  @Test func `conditions are checked against the state right before the step`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "w")
    func conditional(_ condition: String) -> JSON? {
      harness.send(
        #"{"op":"dispatch","action":{"type":"doc/increment","payload":{"path":"/a"}},"if":[\#(condition)]}"#,
        on: peer)
      let line = peer.takeLines().first
      return line?["code"] ?? line?["seq"]
    }
    harness.set("/a", to: 1, on: peer)
    _ = peer.takeLines()
    #expect(conditional(#"{"path":"/a","value":1.0}"#) == 2)
    #expect(conditional(#"{"path":"/a","value":1}"#) == "precondition_failed")
    #expect(conditional(#"{"path":"/a","missing":true}"#) == "precondition_failed")
    #expect(conditional(#"{"path":"/b","missing":true},{"path":"","value":{"a":2}}"#) == 3)
  }

  @Test func `a step that changes nothing takes a seq, which the root alone is told of`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "w")
    harness.set("/a", to: 1, on: peer)
    harness.send(#"{"op":"subscribe"}"#, #"{"op":"subscribe","path":"/a"}"#, on: peer)
    _ = peer.takeLines()
    harness.set("/a", to: 1, on: peer)
    let lines = peer.takeLines()
    #expect(lines.map { $0["path"] } == ["", nil])
    #expect(lines[0]["patch"] == [])
    #expect(lines[1]["changed"] == false)
  }

  @Test func `time never falls along the log, though the clock does`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "w")
    harness.set("/a", to: 1, on: peer)
    harness.engine.advance(nowMs: 2_000, wallMs: 10)
    harness.set("/a", to: 2, on: peer)
    #expect(harness.disk.allEntries.map(\.time) == [5_000, 5_000])
  }

  @Test func `a checkpoint is asked for after so many steps, one at a time`() throws {
    let harness = try EngineHarness(checkpointEntries: 3)
    let peer = harness.connect(as: "w")
    for _ in 0..<5 { harness.set("/a", to: 1, on: peer) }
    #expect(harness.checkpoints.map(\.seq.value) == [3])
    harness.engine.checkpointEnded()
    harness.set("/a", to: 1, on: peer)
    #expect(harness.checkpoints.map(\.seq.value) == [3, 6])
  }
}
