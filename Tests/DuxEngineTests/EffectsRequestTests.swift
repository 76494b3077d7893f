import DuxJSON
import DuxLog
import DuxStore
import Simulation
import Testing

@testable import DuxEngine

/// What clients are told of effects.
struct EffectsRequestTests {
  @Test func `effects are listed by their step and key, as many as asked for`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("hire", "ann", on: peer)
    harness.dispatch("listen", "a", on: peer)
    harness.dispatch("crew/carry", ["id": "ann", "action": "p"], on: peer)
    harness.dispatch("order", EngineHarness.order("q", "x", "queue"), on: peer)
    harness.dispatch("order", EngineHarness.order("r", "x", "queue"), on: peer)
    _ = peer.takeLines()
    harness.send(#"{"op":"effects","id":1}"#, #"{"op":"effects","id":2,"limit":2}"#, on: peer)
    let lines = peer.takeLines()
    let all = try #require(lines.first?["effects"]?.arrayValue)
    #expect(all.map { $0["cause"] } == [3, 4, 5, 6])
    #expect(all.map { $0["state"] } == ["running", "running", "running", "waiting"])
    #expect(all.map { $0["scope"] } == ["", "crew/ann", "", ""])
    #expect(all.map { $0["effect"] } == ["ear", nil, "x", "x"])
    #expect(lines.first?["more"] == nil)
    #expect(lines.first?["seq"] == 6)
    #expect(lines.last?["effects"]?.arrayValue?.count == 2)
    #expect(lines.last?["more"] == true)
  }

  @Test func `a wait between tries may be as long as numbers go`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.tell {
      $0.commandFailed(CommandKey("e-2-0"), attempts: 1, error: "no", retryMs: .max)
    }
    _ = peer.takeLines()
    harness.send(#"{"op":"effects"}"#, on: peer)
    let listed = peer.takeLines().last?["effects"]?.arrayValue?[0]
    #expect(listed?["state"] == "retrying")
    #expect(listed?["retryMs"]?.integerValue ?? 0 > 1_000_000_000)
  }

  @Test func `a list tells nothing that is not durable`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    let viewer = harness.connect(as: "v")
    harness.isPrompt = false
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.send(#"{"op":"effects"}"#, on: viewer)
    #expect(viewer.takeLines().isEmpty)
    harness.commit()
    let list = viewer.takeLines().last
    #expect(list?["seq"] == 2)
    #expect(list?["effects"]?.arrayValue?.map { $0["key"] } == ["e-2-0"])
    harness.dispatch("order", EngineHarness.order("q"), on: peer)
    harness.send(#"{"op":"effects"}"#, on: viewer)
    harness.failCommit()
    let again = viewer.takeLines().last
    #expect(again?["seq"] == 2)
    #expect(again?["effects"]?.arrayValue?.map { $0["key"] } == ["e-2-0"])
  }

  @Test func `a cancelled command is gone for good, and the app may say so`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    let viewer = harness.connect(as: "v")
    harness.isPrompt = false
    harness.send(#"{"op":"cancel","id":7,"key":"e-2-0"}"#, on: viewer)
    #expect(viewer.takeLines().isEmpty)
    let commit = try #require(harness.commits.first)
    #expect(commit.removedKeys == ["e-2-0"])
    #expect(commit.entries.map(\.client) == ["@duxd"])
    harness.commit()
    #expect(viewer.takeLines() == [["op": "cancelled", "id": 7, "key": "e-2-0"]])
    #expect(harness.loggedActions.last?["meta"]?["dux"]?["author"] == "w")
    #expect(try harness.value("/parcels/rows/p/status") == "cancelled")
    harness.isPrompt = true
    harness.deliver("p", "e-2-0")
    try harness.crash()
    #expect(harness.begunCommands.isEmpty)
    #expect(!harness.loggedTypes.contains("delivered"))
  }

  @Test func `a running closure can be cancelled by its key`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("listen", "a", on: peer)
    _ = peer.takeLines()
    harness.send(#"{"op":"effects"}"#, on: peer)
    let listed = peer.takeLines().last?["effects"]?.entries.first
    let key = try #require(listed?["key"]?.stringValue)
    harness.send(#"{"op":"cancel","key":"\#(key)"}"#, on: peer)
    harness.send(#"{"op":"cancel","key":"\#(key)"}"#, on: peer)
    let answers = peer.takeLines()
    #expect(answers.map { $0["op"] } == ["cancelled", "error"])
    #expect(answers.last?["code"] == "not_found")
    #expect(harness.takeOutputs() == ["run listen a", "cancel"])
  }

  @Test func `that an effect is no more is told only when it is durable`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p", "x"), on: peer)
    let viewer = harness.connect(as: "v")
    harness.isPrompt = false
    harness.dispatch("cancel", ["id": "x"], on: peer)
    harness.send(#"{"op":"cancel","key":"e-2-0"}"#, #"{"op":"ping"}"#, on: viewer)
    #expect(viewer.takeLines().isEmpty)
    harness.commit()
    #expect(viewer.takeOps() == ["error", "pong"])
  }

  @Test func `a cancel that can't be written is refused, and the effect goes on`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    _ = peer.takeLines()
    harness.isPrompt = false
    harness.send(#"{"op":"cancel","key":"e-2-0"}"#, on: peer)
    harness.failCommit()
    let answer = peer.takeLines().last
    #expect(answer?["op"] == "error" && answer?["code"] == "storage_full")
    harness.isPrompt = true
    harness.pass(1_000)
    #expect(harness.outboxKeys == ["e-2-0"])
  }

  @Test func `status counts effects, late actions and unknown ones, a retry not again`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p", "x"), on: peer)
    harness.dispatch("listen", "a", on: peer)
    harness.dispatch("nonsense", n: 1, on: peer)
    harness.dispatch("nonsense", n: 1, on: peer)
    harness.dispatch("cancel", ["id": "x"], on: peer)
    harness.deliver("p", "e-2-0")
    _ = peer.takeLines()
    harness.send(#"{"op":"status"}"#, on: peer)
    let status = peer.takeLines().last
    #expect(status?["effects"] == 1)
    #expect(status?["unknownActions"] == 1)
    #expect(status?["lateActions"] == 1)
  }

  @Test func `a stage that limits the rate is no outcome, and does not hold effects up`() throws {
    var errands = Errands()
    let clock = TestClock()
    errands.middleware = [RateLimiter(perSecond: 1, burst: 1)]
    let store = try HostedApp(
      errands, limits: .small,
      dependencies: DependencyValues(.live).setting { $0.clock = clock })
    let harness = try EngineHarness(store: store)
    let peer = harness.connect(as: "w")
    harness.dispatch("chain", 2, n: 1, on: peer)
    harness.dispatch("chain", 2, n: 2, on: peer)
    let answers = peer.takeLines()
    #expect(answers.map { $0["op"] } == ["ack", "reject"])
    #expect(answers.last?["code"] == "rate_limited")
    #expect(answers.last?["final"] == false)
    #expect(harness.disk.outcome(of: "w", 2) == nil)
    #expect(try harness.value("/count") == 3)
  }

  @Test func `an action that a stage replaced keeps what it comes from`() throws {
    var errands = Errands()
    errands.middleware = [Substitute()]
    let harness = try EngineHarness(errands: errands)
    let peer = harness.connect(as: "w")
    harness.dispatch("denyLater", on: peer)
    #expect(harness.loggedTypes.last == "tick")
    #expect(harness.loggedActions.last?["meta"]?["dux"] == ["cause": 2, "author": "w"])
  }
}

/// Puts another action in the place of one.
private struct Substitute: Middleware {
  let name = "substitute"

  func process(
    _ action: Errands.Action, in state: Errands.State, _ context: DispatchContext
  ) -> Passage<Errands.Action> {
    action == .deny ? .replace(with: .tick) : .pass()
  }
}
