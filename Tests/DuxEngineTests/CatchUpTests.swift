import DuxJSON
import DuxLog
import DuxProtocol
import Simulation
import Testing

@testable import DuxEngine

/// A reader that falls behind a small ring, and comes back.
struct CatchUpTests {
  private let harness: EngineHarness
  private let writer: EngineHarness.Peer

  init() throws {
    harness = try EngineHarness(ringBytes: 4_096)
    writer = harness.connect(as: "w")
  }

  private func reader(of paths: String..., since seq: Int? = nil) -> EngineHarness.Peer {
    let reader = harness.connect(as: nil)
    for path in paths {
      let position = seq.map { ",\"since\":\($0),\"epoch\":\"e\"" } ?? ""
      harness.send(#"{"op":"subscribe","path":"\#(path)"\#(position)}"#, on: reader)
    }
    return reader
  }

  /// Steps that drive everything older out of the ring.
  private func fillRing(_ path: String = "/text", count: Int = 60) {
    for index in 0..<count {
      let text = String(repeating: "x", count: 200) + "\(index)"
      harness.set(path, to: .string(text), on: writer)
    }
    _ = writer.takeLines()
  }

  private func seqs(of lines: [JSON], _ path: String) -> [Int64] {
    lines.filter { $0["op"] == "patch" && $0["path"] == .string(path) }
      .compactMap { $0["seq"]?.integerValue }
  }

  @Test func `one who comes back gets every step once, from the log and from the ring`() {
    fillRing()
    for since in [0, 1, 30, 59, 60] {
      let reader = reader(of: "", since: since)
      harness.set("/a", to: 1, on: writer)
      let lines = reader.takeLines()
      #expect(lines.first?["op"] == "resumed")
      #expect(seqs(of: lines, "") == Array(Int64(since + 1)...harness.disk.head.value))
      harness.lose(reader)
    }
  }

  @Test func `a position that can't be gone on from is told with its reason`() {
    fillRing(count: 5)
    harness.compact()
    harness.set("/a", to: 1, on: writer)
    for (position, reason) in [
      (#""since":4,"epoch":"e""#, "compacted"), (#""since":7,"epoch":"e""#, "ahead"),
      (#""since":6,"epoch":"other""#, "epoch"), (#""since":9,"epoch":"other""#, "epoch"),
    ] {
      let reader = harness.connect(as: nil)
      harness.send(#"{"op":"subscribe",\#(position)}"#, on: reader)
      let line = reader.takeLines().first
      #expect(line?["op"] == "snapshot")
      #expect(line?["reason"] == .string(reason))
    }
    #expect(reader(of: "", since: 5).takeOps() == ["resumed", "patch"])
  }

  @Test func `one who stands still is lapped, and misses nothing but what another path changed`() {
    let reader = reader(of: "/a", "/list/0")
    _ = reader.takeLines()
    reader.room = 0
    harness.set("/list", to: [1, 2, 3], on: writer)
    for value in 0..<30 {
      harness.set("/a", to: .integer(Int64(value)), on: writer)
      fillRing(count: 3)
      harness.send(
        #"{"op":"dispatch","action":{"type":"doc/insert","payload":{"path":"/list","index":0,"value":\#(value)}}}"#,
        on: writer)
    }
    harness.give(room: nil, to: reader)
    let lines = reader.takeLines()
    #expect(seqs(of: lines, "/a").count == 30)
    #expect(seqs(of: lines, "/list/0").count == 31)
    #expect(seqs(of: lines, "/a") == seqs(of: lines, "/a").sorted())
    harness.set("/a", to: 99, on: writer)
    #expect(reader.takeOps() == ["patch"])
  }

  @Test func `a frame sent in part is finished before all else when its ring is lost`() {
    let reader = reader(of: "", "/a", "/b")
    _ = reader.takeLines()
    harness.set("/b", to: 0, on: writer)
    _ = reader.takeLines()
    reader.room = 40
    harness.set("/a", to: 1, on: writer)
    fillRing()
    harness.set("/b", to: 2, on: writer)
    harness.give(room: nil, to: reader)
    let lines = reader.takeLines()
    #expect(!lines.contains("no JSON"))
    #expect(seqs(of: lines, "") == Array(2...harness.disk.head.value))
    #expect(seqs(of: lines, "/a") == [2])
    #expect(seqs(of: lines, "/b") == [harness.disk.head.value])
  }

  @Test func `an answer does not overtake the frames of its step by joining one that is begun`() {
    let reader = reader(of: "")
    _ = reader.takeLines()
    reader.room = 0
    harness.set("/a", to: 1, on: reader)
    // The frame of the step and the beginning of its answer.
    while harness.session(of: reader)?.queue.isBegun == false { harness.give(room: 1, to: reader) }
    harness.set("/a", to: 2, on: reader)
    harness.give(room: nil, to: reader)
    #expect(reader.takeOps() == ["patch", "ack", "patch", "ack"])
  }

  @Test func `answers wait for frames that come late, and keep their order`() {
    let reader = reader(of: "/a")
    _ = reader.takeLines()
    reader.room = 0
    harness.set("/a", to: 1, on: reader)
    harness.send(#"{"op":"ping","id":1}"#, #"{"op":"get","id":2,"path":"/a","at":0}"#, on: reader)
    fillRing("/a")
    harness.set("/a", to: 2, on: reader)
    harness.send(#"{"op":"get","id":3,"path":"/a"}"#, "nonsense", on: reader)
    harness.give(room: nil, to: reader)
    let lines = reader.takeLines()
    #expect(
      lines.filter { $0["op"] != "patch" }.map { $0["op"]?.stringValue } == [
        "ack", "pong", "value", "ack", "value", "error",
      ])
    #expect(seqs(of: lines, "/a").count == 62)
    for line in lines where line["op"] == "ack" || line["op"] == "pong" {
      let place = lines.firstIndex(of: line) ?? 0
      let told = seqs(of: Array(lines[..<place]), "/a")
      #expect(told.last ?? 0 >= line["seq"]?.integerValue ?? 0)
    }
  }

  @Test func `a pong does not tell of steps whose frames come late`() {
    let reader = reader(of: "/a")
    _ = reader.takeLines()
    reader.room = 0
    harness.set("/a", to: 1, on: writer)
    harness.send(#"{"op":"ping"}"#, on: reader)
    fillRing()
    harness.give(room: nil, to: reader)
    #expect(reader.takeOps() == ["patch", "pong"])
  }

  @Test func `a snapshot not sent yet comes before what followed it, though the ring lost that`() {
    let reader = reader(of: "/b")
    _ = reader.takeLines()
    reader.room = 0
    harness.set("/b", to: 0, on: reader)
    harness.send(#"{"op":"subscribe","path":"/a"}"#, on: reader)
    harness.set("/a", to: 1, on: writer)
    fillRing()
    harness.give(room: nil, to: reader)
    let lines = reader.takeLines()
    #expect(lines.map { $0["op"]?.stringValue } == ["patch", "ack", "snapshot", "patch"])
    #expect(lines[2]["seq"] == 1)
    #expect(lines[3]["seq"] == 2)
  }

  @Test func `no frame follows the word that a subscription has ended`() {
    for ending in [#"{"op":"unsubscribe","path":"/a"}"#, #"{"op":"subscribe","path":"/a"}"#] {
      let reader = reader(of: "/a")
      _ = reader.takeLines()
      reader.room = 0
      harness.set("/a", to: 1, on: writer)
      harness.send(ending, on: reader)
      fillRing()
      harness.set("/a", to: 2, on: reader)
      harness.give(room: nil, to: reader)
      let lines = reader.takeLines()
      let ops = lines.map { $0["op"]?.stringValue }
      if ending.contains("unsubscribe") {
        #expect(ops == ["patch", "unsubscribed", "ack"])
      } else {
        #expect(ops == ["patch", "snapshot", "patch", "ack"])
      }
      harness.set("/a", to: 3, on: reader)
      #expect(reader.takeOps().last == "ack")
      harness.lose(reader)
    }
  }

  @Test func `a goodbye comes behind frames and answers, or without both`() {
    for isLapped in [false, true] {
      let reader = harness.connect(as: "c")
      harness.send(#"{"op":"subscribe","path":"/a"}"#, on: reader)
      _ = reader.takeLines()
      reader.room = 0
      harness.set("/a", to: .bool(isLapped), on: reader)
      let next = harness.connect(as: "c")
      if isLapped { fillRing() }
      harness.give(room: nil, to: reader)
      #expect(reader.takeOps() == (isLapped ? ["bye"] : ["patch", "ack", "bye"]))
      #expect(reader.isClosed)
      harness.lose(next)
    }
  }

  @Test func `one whom the log no longer reaches gets a snapshot that says so`() {
    let reader = reader(of: "/a")
    _ = reader.takeLines()
    reader.room = 0
    for value: JSON in [1, 2] {
      harness.set("/a", to: value, on: writer)
      fillRing()
    }
    harness.compact()
    harness.give(room: nil, to: reader)
    let lines = reader.takeLines()
    #expect(lines.map { $0["op"]?.stringValue } == ["patch", "snapshot"])
    #expect(lines.last?["reason"] == "lagged")
    #expect(lines.last?["state"] == 2)
  }

  @Test func `the rings of all channels together keep to their memory`() {
    _ = reader(of: "/a", "/text", "/b", "")
    fillRing(count: 200)
    #expect(harness.engine.footprint.ringBytes <= 8_192)
  }
}
