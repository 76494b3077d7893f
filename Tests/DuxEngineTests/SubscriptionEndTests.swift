import DuxJSON
import Testing

@testable import DuxEngine

/// What a subscription is still sent once its end was asked for.
struct SubscriptionEndTests {
  private static let end = #"{"op":"unsubscribe","path":"/a"}"#
  private static let again = #"{"op":"subscribe","path":"/a","actions":true}"#

  /// What a peer that is slow is told: each line's op, with its seq where it has one.
  private func told(to peer: EngineHarness.Peer, by harness: EngineHarness) -> [String] {
    peer.isBlocked = false
    harness.give(room: nil, to: peer)
    return peer.takeLines().map { line in
      let op = line["op"]?.stringValue ?? "?"
      return line["seq"]?.integerValue.map { "\(op) \($0)" } ?? op
    }
  }

  /// A peer that watches `/a` and takes nothing.
  private func slowPeer(of harness: EngineHarness) -> EngineHarness.Peer {
    let peer = harness.connect(as: "slow")
    harness.send(#"{"op":"subscribe","path":"/a"}"#, on: peer)
    _ = peer.takeLines()
    peer.isBlocked = true
    return peer
  }

  @Test func `it is sent what was published before, and nothing after`() throws {
    let harness = try EngineHarness()
    let (peer, writer) = (slowPeer(of: harness), harness.connect(as: "w"))
    harness.set("/a", to: 1, 2, on: writer)
    harness.send(Self.end, on: peer)
    harness.set("/a", to: 3, on: writer)
    #expect(told(to: peer, by: harness) == ["patch 1", "patch 2", "unsubscribed"])
    harness.set("/a", to: 4, on: writer)
    #expect(peer.takeOps().isEmpty)
  }

  @Test func `it ends in the middle of what is sent together`() throws {
    let harness = try EngineHarness()
    let peer = harness.connect(as: "w")
    harness.send(
      #"{"op":"subscribe","path":"/a"}"#,
      #"{"op":"dispatch","action":{"type":"doc/set","payload":{"path":"/a","value":1}}}"#,
      Self.end,
      #"{"op":"dispatch","action":{"type":"doc/set","payload":{"path":"/a","value":2}}}"#, on: peer)
    #expect(peer.takeOps() == ["snapshot", "patch", "ack", "unsubscribed", "ack"])
  }

  @Test func `one in another's place begins where that ends`() throws {
    let harness = try EngineHarness()
    let (peer, writer) = (slowPeer(of: harness), harness.connect(as: "w"))
    harness.set("/a", to: 1, on: writer)
    harness.send(Self.again, on: peer)
    harness.set("/a", to: 2, on: writer)
    #expect(told(to: peer, by: harness) == ["patch 1", "snapshot 1", "patch 2"])
  }

  @Test(arguments: [end, again])
  func `it is so, too, when the frames before have to come from the log`(request: String) throws {
    let harness = try EngineHarness(ringBytes: 8_192)
    let (peer, writer) = (slowPeer(of: harness), harness.connect(as: "w"))
    let long = JSON.string(String(repeating: "x", count: 1_000))
    for _ in 0..<3 { harness.set("/a", to: 1, long, on: writer) }
    harness.send(request, on: peer)
    for _ in 0..<20 { harness.set("/a", to: 1, long, on: writer) }
    let lines = told(to: peer, by: harness)
    let before = (1...6).map { "patch \($0)" }
    let after =
      request == Self.end ? ["unsubscribed"] : ["snapshot 6"] + (7...46).map { "patch \($0)" }
    #expect(lines == before + after)
  }
}
