import DuxJSON
import DuxLog
import DuxProtocol
import Simulation
import Testing

@testable import DuxEngine

/// Presence with many who come and many who follow, some of them slowly.
struct PresenceLoadTests {
  private let harness: EngineHarness

  init() throws {
    harness = try EngineHarness(maximumClients: 3_000)
  }

  /// A connection that follows presence, and its copy.
  private final class Follower {
    let peer: EngineHarness.Peer
    var copy = Replica(path: ReservedWords.presencePath)
    var snapshots = 0
    var reasons: [String] = []

    init(_ peer: EngineHarness.Peer) { self.peer = peer }

    /// Takes what has come.
    func read() throws {
      for line in peer.takeLines() {
        let position = copy.position?.seq
        switch try line.bytes.withUnsafeBytes({ try ServerMessage($0) }) {
        case .snapshot(let snapshot):
          snapshots += 1
          if let reason = snapshot.reason { reasons.append(reason) }
          _ = copy.take(snapshot)
        case .part(let part): _ = try copy.take(part)
        case .patch(let patch):
          #expect(patch.seq == position?.next)
          try copy.take(patch)
        default: break
        }
      }
    }
  }

  private func follower(_ name: String) -> Follower {
    let follower = Follower(harness.connect(as: name))
    harness.send(#"{"op":"subscribe","path":"@presence"}"#, on: follower.peer)
    return follower
  }

  /// Lets many say hello in one turn.
  private func storm(_ count: Int, from first: UInt64, _ name: String) -> [ConnectionID] {
    (0..<UInt64(count)).map { index in
      let id = ConnectionID(first + index)
      harness.engine.connected(id, outlet: EngineHarness.Peer(id))
      let hello = "{\"op\":\"hello\",\"protocol\":1,\"client\":\"\(name)\(index)\"}\n"
      Array(hello.utf8).withUnsafeBytes { harness.engine.received($0, from: id) }
      return id
    }
  }

  private var ring: FrameRing { harness.engine.presence.channel.ring }

  @Test func `a storm of joins is encoded once, however many follow`() throws {
    var bytes: [Int64] = []
    for (round, count) in [1, 200].enumerated() {
      while harness.engine.presence.channel.subscriptions.count < count {
        _ = follower("f\(harness.engine.connectionCount)-\(round)")
      }
      let before = ring.endOffset
      let seq = harness.engine.presence.seq
      _ = storm(500, from: 10_000 * UInt64(round + 1), "g\(round)-")
      harness.endTurn()
      bytes.append(ring.endOffset - before)
      #expect(harness.engine.presence.seq == seq.next)
    }
    // But for the digits of a serial and a name.
    #expect(abs(bytes[0] - bytes[1]) < 2_000)
  }

  @Test func `followers get the same bytes`() {
    let followers = [follower("a"), follower("b")]
    for follower in followers { follower.peer.bytes = [] }
    _ = storm(50, from: 1_000, "g")
    harness.endTurn()
    #expect(!followers[0].peer.bytes.isEmpty)
    #expect(followers[0].peer.bytes == followers[1].peer.bytes)
  }

  @Test func `one who stands still costs no queue, and gets a snapshot when it reads on`() throws {
    let (slow, quick) = (follower("slow"), follower("quick"))
    try slow.read()
    slow.peer.room = 100
    let speaker = harness.connect(as: "speaker")
    let text = String(repeating: "x", count: 4_000)
    for index in 0..<1_000 {
      harness.send(#"{"op":"presence","state":"\#(text)\#(index)"}"#, on: speaker)
      try quick.read()
      #expect(harness.engine.footprint.presenceBytes <= PresenceFeed.ringBytes)
      #expect(harness.engine.footprint.largestQueueBytes < 20_000)
      _ = speaker.takeLines()
    }
    harness.give(room: nil, to: slow.peer)
    try slow.read()
    #expect(slow.reasons == ["lagged"])
    #expect(quick.reasons == [])
    #expect(slow.copy.value == quick.copy.value)
    #expect(slow.copy.value?["speaker"]?["state"] == .string(text + "999"))
  }

  @Test func `a subscription that was lapped can be given up`() throws {
    let slow = follower("slow")
    slow.peer.room = 0
    let speaker = harness.connect(as: "speaker")
    let text = String(repeating: "x", count: 4_000)
    for index in 0..<400 {
      harness.send(#"{"op":"presence","state":"\#(text)\#(index)"}"#, on: speaker)
    }
    harness.send(#"{"op":"unsubscribe","path":"@presence"}"#, on: slow.peer)
    harness.give(room: nil, to: slow.peer)
    let ops = slow.peer.takeOps()
    #expect(ops.first == "snapshot")
    #expect(ops.last == "unsubscribed")
    #expect(!harness.engine.presence.isFollowed)
  }

  @Test func `a snapshot that is longer than a line comes in parts, and is shared`() throws {
    let text = String(repeating: "x", count: 4_000)
    for index in 0..<60 {
      let guest = harness.connect(as: "g\(index)")
      harness.send(#"{"op":"presence","state":"\#(text)\#(index)"}"#, on: guest)
    }
    let first = follower("first")
    try first.read()
    let second = follower("second")
    try second.read()
    try first.read()
    #expect(first.copy.value == second.copy.value)
    #expect(first.copy.value?.objectValue?.count == 62)
    #expect(first.copy.value?["g59"]?["state"] == .string(text + "59"))
    let key = SnapshotCache.Key(path: ByteText(ReservedWords.presencePath), form: .parts)
    #expect(harness.engine.snapshots[key]?.seq == SequenceNumber(1))
  }

  @Test(arguments: 1...20) func `copies agree, whoever reads how fast`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var followers = (0..<4).map { follower("f\($0)") }
    var guests: [String: EngineHarness.Peer] = [:]
    for round in 0..<300 {
      let name = "g\(random.below(6))"
      switch random.below(8) {
      case 0: guests[name] = harness.connect(as: name)
      case 1: guests.removeValue(forKey: name).map { harness.lose($0) }
      case 2: harness.give(room: random.below(3_000), to: random.pick(followers).peer)
      case 3:
        let index = random.below(followers.count)
        harness.lose(followers[index].peer)
        followers[index] = follower("f\(index)-\(round)")
      case 4: harness.pass(Int64(random.below(3_000)))
      default:
        let text = String(repeating: "y", count: random.below(4_000))
        guard let guest = guests[name], !guest.isClosed else { continue }
        harness.send(#"{"op":"presence","state":"\#(text)"}"#, on: guest)
      }
      for follower in followers { try follower.read() }
    }
    for follower in followers {
      harness.give(room: nil, to: follower.peer)
      try follower.read()
      #expect(follower.copy.value == .object(harness.engine.presence.entries))
    }
    for (name, guest) in guests where !guest.isClosed {
      let isSilent = harness.session(of: guest)?.statement?.isSilent == true
      #expect((harness.engine.presence.entries[name] == nil) == isSilent)
    }
  }
}
