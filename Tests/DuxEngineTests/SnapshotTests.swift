import DuxJSON
import DuxLog
import DuxProtocol
import Simulation
import Testing

@testable import DuxEngine

/// Snapshots and values too big to be written at once.
struct SnapshotTests {
  private let harness: EngineHarness
  private let writer: EngineHarness.Peer
  private let long = JSON.array(JSONArray((0..<400).map { .string("value \($0)") }))

  init() throws {
    harness = try EngineHarness(
      limits: Limits(
        maximumLineBytes: 4_096, maximumDepth: 16, maximumStateBytes: 1_000_000))
    writer = harness.connect(as: "w")
    harness.set("/big", to: [], on: writer)
    for value in long.arrayValue ?? [] { append(value) }
    _ = writer.takeLines()
  }

  private func append(_ value: JSON) {
    harness.send(
      #"{"op":"dispatch","action":{"type":"doc/append","payload":{"path":"/big","value":\#(value)}}}"#,
      on: writer)
  }

  /// The state that a snapshot and its parts make.
  private func rebuilt(_ lines: [JSON]) throws -> JSON? {
    guard var state = lines.first?["state"] else { return nil }
    for part in lines.dropFirst() where part["op"] == "part" {
      try JSONPatch(part["patch"] ?? .null).apply(to: &state)
    }
    return state
  }

  @Test func `a small state that is longer than a line comes in parts`() throws {
    let reader = harness.connect(as: "r")
    harness.send(#"{"op":"subscribe","path":"/big"}"#, on: reader)
    let lines = reader.takeLines()
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.encodedByteCount <= 4_096 })
    #expect(lines.map { $0["more"] } == Array(repeating: true, count: lines.count - 1) + [false])
    #expect(try rebuilt(lines) == long)
  }

  @Test func `an earlier encoding that is shared keeps its own skeleton`() throws {
    let first = harness.connect(as: "1")
    harness.send(#"{"op":"subscribe","path":"/big"}"#, on: first)
    harness.isPrompt = false
    let members = long.arrayValue?.enumerated().map { "\"m\($0.offset)\":\($0.element)" } ?? []
    for part in [members[..<200], members[200...]] {
      let text = "{\(part.joined(separator: ","))}"
      harness.send(
        #"{"op":"dispatch","action":{"type":"doc/merge","payload":{"path":"/big","value":\#(text)}}}"#,
        on: writer)
    }
    harness.commit()
    harness.commit()
    let second = harness.connect(as: nil)
    harness.send(#"{"op":"subscribe","path":"/big"}"#, on: second)
    while !harness.questions.isEmpty { harness.answer() }
    let lines = second.takeLines()
    #expect(lines.first?["op"] == "welcome")
    #expect(lines.last?["op"] == "patch")
    #expect(lines.dropFirst().first?["state"] == [])
    #expect(try rebuilt(Array(lines.dropFirst())) == long)
  }

  @Test func `texts that Unicode calls equivalent are two paths, also in what is shared`() throws {
    for (key, value) in [("e\u{301}", "a"), ("\u{e9}", "b")] {
      for _ in 0..<2 {
        harness.set("/\(key)", to: .string(String(repeating: value, count: 3_900)), on: writer)
      }
    }
    for (key, value) in [("e\u{301}", "a"), ("\u{e9}", "b")] {
      let reader = harness.connect(as: nil)
      harness.send("{\"op\":\"subscribe\",\"path\":\"/\(key)\"}", on: reader)
      let state = reader.takeLines().first?["state"]?.stringValue
      #expect(state?.hasPrefix(value) != false)
    }
  }

  @Test func `a value that is asked for when the connection ends does not follow the goodbye`() {
    for index in 0..<9 {
      harness.set("/v\(index)", to: .string(String(repeating: "x", count: 3_900)), on: writer)
    }
    for _ in 0..<4 {
      harness.send(
        #"{"op":"dispatch","action":{"type":"doc/patch","payload":{"ops":[{"op":"copy","from":"","path":"/copy"}]}}}"#,
        on: writer)
    }
    harness.isPrompt = false
    let reader = harness.connect(as: "r")
    harness.answer()
    _ = reader.takeLines()
    reader.room = 0
    harness.send(#"{"op":"get"}"#, on: reader)
    #expect(harness.questions.count == 1)
    _ = harness.connect(as: "r")
    harness.answer()
    harness.give(room: nil, to: reader)
    #expect(reader.takeOps() == ["bye"])
  }
}
