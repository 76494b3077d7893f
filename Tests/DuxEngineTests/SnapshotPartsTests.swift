import DuxJSON
import DuxLog
import DuxProtocol
import Simulation
import Testing

@testable import DuxEngine

struct SnapshotPartsTests {
  /// The lines of a state's parts.
  private func lines(of state: JSON, at path: String, limit: Int) -> [[UInt8]] {
    let header = PartHeader(path: path, seq: SequenceNumber(7))
    let text = SnapshotParts.text(header, state: state, maximumLineBytes: limit)
    #expect(text.last == 0x0A)
    return text.dropLast().split(separator: 0x0A).map { Array($0) }
  }

  private func rebuilt(_ lines: [[UInt8]], from skeleton: JSON) throws -> JSON {
    var state = skeleton
    for (index, line) in lines.enumerated() {
      let json = try JSON(parsing: line, maximumDepth: .max)
      #expect(json["more"] == .bool(index < lines.count - 1))
      #expect(json["seq"] == 7)
      try JSONPatch(json["patch"] ?? .null).apply(to: &state)
    }
    return state
  }

  private static let keys = ["a", "/", "~", "~1", "\u{1}\u{2}\u{3}", "\"\\", "é", "", "0"]

  private func state(_ random: inout SeededGenerator, depth: Int) -> JSON {
    guard depth > 0 else {
      return random.pick([
        nil, true, 1, 0.5, .string(String(repeating: random.pick(["x", "\u{1}"]), count: 40)),
      ])
    }
    if random.chance(50) {
      return .array(JSONArray((0..<random.below(9)).map { _ in state(&random, depth: depth - 1) }))
    }
    var object = JSONObject()
    for _ in 0..<random.below(9) {
      object[random.pick(Self.keys)] = state(&random, depth: depth - 1)
    }
    return .object(object)
  }

  @Test(arguments: [700, 1_000, 4_000])
  func `parts fill the skeleton, and none is longer than a line may be`(limit: Int) throws {
    var random = SeededGenerator(seed: UInt64(limit))
    for _ in 0..<60 {
      let state = state(&random, depth: 4)
      guard state.depth > 0 else { continue }
      let path = random.pick(["", "/a", "/\u{1}\u{1}\u{1}"])
      let lines = lines(of: state, at: path, limit: limit)
      #expect(lines.allSatisfy { $0.count <= limit }, "\(lines.map(\.count).max() ?? 0)")
      #expect(try rebuilt(lines, from: state.emptied) == state)
    }
  }

  @Test func `only a single value that does not fit makes a longer line`() throws {
    let long = JSON.string(String(repeating: "x", count: 5_000))
    let state: JSON = ["a": 1, "b": ["c": long, "d": 2], "e": 3]
    let lines = lines(of: state, at: "", limit: 600)
    #expect(try rebuilt(lines, from: [:]) == state)
    for line in lines where line.count > 600 {
      let patch = try JSON(parsing: line)["patch"]?.arrayValue
      #expect(patch?.count == 1)
      #expect(patch?[0]["value"] == long)
    }
    #expect(lines.count { $0.count > 600 } == 1)
  }

  @Test func `lines are filled, not one for each value`() {
    let state = JSON.array(JSONArray((0..<1_000).map { .integer($0) }))
    let lines = lines(of: state, at: "", limit: 10_000)
    #expect(lines.count < 8)
  }
}
