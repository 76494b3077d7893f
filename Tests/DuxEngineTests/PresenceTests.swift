import DuxJSON
import DuxLog
import DuxProtocol
import Testing

@testable import DuxEngine

/// Who is connected, as followers are told.
struct PresenceTests {
  private let harness: EngineHarness
  private let follower: EngineHarness.Peer

  init() throws {
    harness = try EngineHarness()
    follower = harness.connect(as: "f")
    follow(follower)
    _ = follower.takeLines()
  }

  private func follow(_ peer: EngineHarness.Peer) {
    harness.send(#"{"op":"subscribe","path":"@presence"}"#, on: peer)
  }

  private func say(_ state: String, on peer: EngineHarness.Peer) {
    harness.send(#"{"op":"presence","state":\#(state)}"#, on: peer)
  }

  private func serial(of peer: EngineHarness.Peer) -> JSON { .integer(Int64(peer.id.value)) }

  private func entry(
    _ peer: EngineHarness.Peer, _ state: JSON? = nil, sinceMs: Int64 = 5_000
  ) -> JSON {
    var entry: JSONObject = ["serial": serial(of: peer), "sinceMs": .integer(sinceMs)]
    if let state { entry["state"] = state }
    return .object(entry)
  }

  /// The patches a follower got since the last look, as one list of operations.
  private func operations(_ peer: EngineHarness.Peer) -> [JSON] {
    peer.takeLines().flatMap { $0["patch"]?.arrayValue.map(Array.init) ?? [] }
  }

  @Test func `every welcomed connection is an entry, with a state from when it says one`() {
    let guest = harness.connect(as: "a/b")
    let late = harness.connect(as: "late")
    _ = harness.connect()
    harness.send(#"{"op":"presence","id":7,"state":{"doing":"x"}}"#, on: guest)
    #expect(guest.takeLines() == [["op": "presence", "id": 7]])
    follow(late)
    let snapshot = late.takeLines().first
    #expect(
      snapshot?["state"]
        == [
          "a/b": entry(guest, ["doing": "x"]), "f": entry(follower), "late": entry(late),
        ])
    #expect(snapshot?["path"] == "@presence")
    #expect(snapshot?["reason"] == nil)
    #expect(snapshot?["epoch"] != "e")
  }

  @Test func `joining, saying, taking back and leaving are one operation each`() {
    let guest = harness.connect(as: "a/b~")
    say("1", on: guest)
    say("1", on: guest)
    harness.send(#"{"op":"presence"}"#, on: guest)
    harness.lose(guest)
    let lines = follower.takeLines()
    let seqs = lines.compactMap { $0["seq"]?.integerValue }
    #expect(seqs == Array(2...5))
    #expect(
      lines.compactMap { $0["patch"]?.arrayValue?[0] } == [
        ["op": "add", "path": "/a~1b~0", "value": entry(guest)],
        ["op": "replace", "path": "/a~1b~0", "value": entry(guest, 1)],
        ["op": "replace", "path": "/a~1b~0", "value": entry(guest)],
        ["op": "remove", "path": "/a~1b~0"],
      ])
    #expect(lines.allSatisfy { $0["time"] == nil && $0["client"] == nil && $0["type"] == nil })
  }

  @Test func `a takeover is one operation, and the new connection begins without a state`() {
    let first = harness.connect(as: "a")
    say("1", on: first)
    _ = follower.takeLines()
    let second = harness.connect(as: "a")
    #expect(first.takeOps().last == "bye")
    #expect(
      operations(follower) == [["op": "replace", "path": "/a", "value": entry(second)]])
    harness.lose(first)
    #expect(operations(follower).isEmpty)
  }

  @Test func `nothing is told of a takeover while it waits for the disk`() throws {
    let harness = try EngineHarness(isPrompt: false)
    let follower = harness.connect(as: nil)
    harness.send(#"{"op":"subscribe","path":"@presence"}"#, on: follower)
    func greet(_ peer: EngineHarness.Peer) {
      harness.send(#"{"op":"hello","protocol":1,"client":"a"}"#, on: peer)
    }
    let first = harness.connect()
    greet(first)
    harness.answer()
    harness.set("/x", to: 1, on: first, from: 1)
    _ = follower.takeLines()
    let (second, third) = (harness.connect(), harness.connect())
    greet(second)
    greet(third)
    #expect(operations(follower).isEmpty)
    harness.lose(third)
    #expect(operations(follower) == [["op": "remove", "path": "/a"]])
    harness.commit()
    #expect(harness.engine.clients[ByteText("a")] == nil)
  }

  @Test func `what happens in one turn is told once`() {
    let guests = (0..<3).map { harness.connect(as: "g\($0)") }
    _ = follower.takeLines()
    for (index, guest) in guests.enumerated() {
      let lines = (0..<4).map { "{\"op\":\"presence\",\"state\":\($0 + index)}\n" }.joined()
      Array(lines.utf8).withUnsafeBytes { harness.engine.received($0, from: guest.id) }
    }
    let passing = ConnectionID(99)
    harness.engine.connected(passing, outlet: EngineHarness.Peer(passing))
    Array("{\"op\":\"hello\",\"protocol\":1}\n".utf8).withUnsafeBytes {
      harness.engine.received($0, from: passing)
    }
    harness.engine.disconnected(passing)
    harness.endTurn()
    let lines = follower.takeLines()
    #expect(lines.count == 1)
    #expect(lines.first?["patch"]?.arrayValue?.compactMap { $0["value"]?["state"] } == [3, 4, 5])
  }

  @Test func `a state that is too large or too deep is refused, and the one before stays`() {
    let guest = harness.connect(as: "g")
    say("1", on: guest)
    let text = String(repeating: "x", count: 4_094)
    say("\"\(text)x\"", on: guest)
    say(String(repeating: "[", count: 17) + String(repeating: "]", count: 17), on: guest)
    #expect(guest.takeLines().compactMap { $0["code"] } == ["too_large", "too_deep"])
    #expect(operations(follower).last?["value"] == entry(guest, 1))
    say("\"\(text)\"", on: guest)
    say(String(repeating: "[", count: 16) + String(repeating: "]", count: 16), on: guest)
    #expect(guest.takeOps() == ["presence", "presence"])
  }

  @Test func `presence needs a hello, and has no actions and no value to get`() {
    let guest = harness.connect()
    say("1", on: guest)
    harness.send(
      #"{"op":"hello","protocol":1}"#, #"{"op":"subscribe","path":"@presence","actions":true}"#,
      #"{"op":"subscribe","path":"@presence","since":1}"#, #"{"op":"get","path":"@presence"}"#,
      #"{"op":"subscribe","path":"@presence/f"}"#, #"{"op":"unsubscribe","path":"@presence"}"#,
      on: guest)
    #expect(
      guest.takeLines().map { $0["code"] ?? "-" } == [
        "bad_request", "-", "bad_request", "bad_request", "bad_request", "bad_request",
        "not_found",
      ])
  }

  @Test func `who said something and then is silent is gone until it says more`() {
    let (guest, mute) = (harness.connect(as: "g"), harness.connect(as: "mute"))
    say("1", on: guest)
    _ = follower.takeLines()
    harness.pass(12_000)
    #expect(operations(follower).isEmpty)
    harness.send(#"{"op":"ping"}"#, on: guest)
    harness.pass(12_000)
    #expect(operations(follower).isEmpty)
    harness.pass(500)
    #expect(operations(follower) == [["op": "remove", "path": "/g"]])
    harness.pass(60_000)
    harness.sendBytes([0x0A], on: guest)
    let operations = operations(follower)
    #expect(operations == [["op": "add", "path": "/g", "value": entry(guest, 1)]])
    #expect(!guest.isClosed && !mute.isClosed)
  }

  @Test func `silence is found out for the first follower too`() {
    let guest = harness.connect(as: "g")
    say("1", on: guest)
    harness.lose(follower)
    harness.pass(13_000)
    let late = harness.connect(as: "late")
    follow(late)
    #expect(late.takeLines().first?["state"] == ["late": entry(late, sinceMs: 19_000)])
    say("2", on: guest)
    #expect(operations(late).first?["op"] == "add")
  }

  @Test func `a connection that the daemon does not listen to is not called silent`() throws {
    let harness = try EngineHarness(isPrompt: false)
    let (follower, guest) = (harness.connect(as: nil), harness.connect(as: nil))
    harness.send(#"{"op":"subscribe","path":"@presence"}"#, on: follower)
    say("1", on: guest)
    harness.send(
      #"{"op":"dispatch","action":{"type":"doc/set","payload":{"path":"/x","value":1}}}"#,
      #"{"op":"get"}"#, on: guest)
    #expect(guest.isPaused)
    _ = follower.takeLines()
    for _ in 0..<30 { harness.pass(1_000) }
    #expect(operations(follower).isEmpty)
  }

  @Test func `a position is answered by a snapshot that says why`() {
    let guest = harness.connect(as: "g")
    follow(guest)
    let snapshot = guest.takeLines().first
    let epoch = snapshot?["epoch"]?.stringValue ?? ""
    let seq = snapshot?["seq"]?.integerValue ?? 0
    for (since, epoch, reason) in [
      (seq, epoch, "compacted"), (seq + 1, epoch, "ahead"), (seq, "e", "epoch"),
    ] {
      harness.send(
        #"{"op":"subscribe","id":1,"path":"@presence","since":\#(since),"epoch":"\#(epoch)"}"#,
        on: guest)
      let line = guest.takeLines().first
      #expect(line?["op"] == "snapshot")
      #expect(line?["id"] == 1)
      #expect(line?["reason"] == .string(reason))
    }
  }

  @Test func `marks tell the place of presence, not of the log`() {
    harness.set("/x", to: 1, 2, 3, 4, 5, 6, on: harness.connect(as: "w"))
    _ = follower.takeLines()
    harness.pass(5_000)
    #expect(follower.takeLines() == [["op": "mark", "path": "@presence", "seq": 2]])
  }

  @Test func `nothing is kept while nobody follows, and a seq never means two contents`() {
    let guest = harness.connect(as: "g")
    harness.send(#"{"op":"unsubscribe","path":"@presence"}"#, on: follower)
    #expect(follower.takeOps().last == "unsubscribed")
    #expect(harness.engine.presence.entries.isEmpty)
    #expect(harness.engine.presence.channel.ring.oldestBlock == nil)
    say("1", on: guest)
    #expect(harness.engine.presence.changed.isEmpty)
    follow(follower)
    let lines = follower.takeLines()
    #expect(lines.first?["seq"] == 3)
    #expect(lines.first?["state"]?["g"]?["state"] == 1)
  }
}
