import DuxJSON
import Testing

/// A reader that is far behind gets everything, or is told that it does not.
@Suite(.serialized)
struct SlowReaderTests {
  /// What the writer does at each step.
  enum Load: CaseIterable {
    /// The state stays small, so that a snapshot is cheaper.
    case replaces
    /// The state grows with each step.
    case grows
  }

  @Test(arguments: Load.allCases)
  func aReaderLappedByTheRingMissesNothingSilently(load: Load) throws {
    let daemon = try DaemonProcess(["--retain-count", "20"])
    let writer = try Client(daemon, named: "writer")
    try writer.accepted(.set("", ["list": [], "value": ""]))
    let slow = try Client(daemon, named: "slow")
    var behind = Replica(path: "")
    try slow.send(behind.request)
    try behind.take(slow.next())
    let healthy = try Client(daemon, named: "healthy")
    var ahead = Replica(path: "")
    try healthy.send(ahead.request)
    try ahead.take(healthy.next())

    for step in 0..<60 {
      let text = JSON.string(String(repeating: "z", count: 900_000) + "\(step)")
      try writer.accepted(load == .grows ? .append("/list", text) : .set("/value", text))
      try ahead.take(healthy.next())
    }
    let goal = ahead.position?.seq ?? -1
    #expect(goal == 61)
    while behind.position?.seq ?? -1 < goal { try behind.take(slow.next()) }
    try writer.accepted(.set("/value", "end"))
    try behind.take(slow.next())
    try ahead.take(healthy.next())

    let state = try writer.get().value
    #expect(Laws.convergence(behind.state, state, "the slow copy").isEmpty)
    #expect(Laws.convergence(ahead.state, state, "the healthy copy").isEmpty)
    #expect(jumps(behind).isEmpty)
    #expect(ahead.frames.count == 62, "a snapshot and 61 patches: \(jumps(ahead))")
    #expect(jumps(ahead).isEmpty)
    try #expect(daemon.peakMemory < 600 << 20)
  }

  /// Where the frames of the root leave out a seq without a snapshot that says so.
  private func jumps(_ replica: Replica) -> [String] {
    var position: Int64 = -1
    return replica.frames.compactMap { frame in
      switch frame {
      case .snapshot(let start, let reason):
        defer { position = start.seq }
        return position >= 0 && reason != "lagged" ? "a snapshot for \(reason ?? "nothing")" : nil
      case .patch(let seq, _):
        defer { position = seq }
        return seq == position + 1 ? nil : "\(seq) after \(position)"
      case .resumed: return "resumed"
      case .mark: return nil
      }
    }
  }

  @Test func aBigStateReachesASlowReaderWhileOthersGoOn() throws {
    let daemon = try DaemonProcess()
    let writer = try Client(daemon, named: "writer")
    try writer.accepted(.set("", ["list": [], "count": 0]))
    for step in 0..<40 {
      let block = (0..<50).map { JSON.string(String(repeating: "\($0 % 10)", count: 10_000)) }
      try writer.accepted(.set("/block\(step)", .array(JSONArray(block))))
    }
    let slow = try Client(daemon, named: "slow")
    var replica = Replica(path: "")
    try slow.send(replica.request)
    var steps: Int64 = 0
    var lineCount = 0
    var longest = 0
    while replica.position == nil {
      guard let line = try slow.nextLine() else { throw Unexpected("the slow reader was cut off") }
      longest = max(longest, line.count)
      lineCount += 1
      try replica.take(JSON(parsing: line))
      try writer.accepted(.increment("/count"))
      steps += 1
    }
    #expect(lineCount >= 19, "20 MB in parts of at most 1 MiB")
    #expect(longest <= 1 << 20)
    let goal = try writer.ask(["op": "ping"])["seq"]?.integerValue ?? -1
    while replica.position?.seq ?? -1 < goal { try replica.take(slow.next()) }
    #expect(replica.state?["count"] == .integer(steps))
    let bytes = try writer.get().value?.bytes
    #expect(replica.state?.bytes == bytes)
  }
}
