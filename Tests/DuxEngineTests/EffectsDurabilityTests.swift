import DuxJSON
import DuxLog
import DuxStore
import Simulation
import Testing

@testable import DuxEngine

/// When effects begin and end, and what stands in the outbox meanwhile.
struct EffectsDurabilityTests {
  @Test func `an effect begins only when the step that asked for it is on disk`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.dispatch("listen", "a", on: peer)
    harness.commit()
    #expect(harness.takeOutputs() == ["start e-2-0"])
    harness.commit()
    #expect(harness.takeOutputs() == ["run listen a"])
  }

  @Test func `a command is in the commit of its step, and leaves with the step of its answer`()
    throws
  {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    let asked = try #require(harness.commits.first)
    #expect(asked.entries.map(\.seq.value) == [2])
    #expect(asked.outbox.map(\.key) == ["e-2-0"])
    harness.commit()
    harness.deliver("p", "e-2-0")
    let answered = try #require(harness.commits.first)
    #expect(answered.entries.map(\.seq.value) == [3])
    #expect(answered.removedKeys == ["e-2-0"])
    harness.commit()
    #expect(harness.outboxKeys.isEmpty)
    #expect(try harness.value("/parcels/rows/p/status") == "delivered")
  }

  @Test func `an answer says what it comes from`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.deliver("p", "e-2-0")
    let entry = try #require(harness.disk.allEntries.last)
    #expect(entry.client == "@duxd")
    #expect(entry.n == nil)
    #expect(
      harness.loggedActions.last?["meta"]?["dux"]
        == ["cause": 2, "author": "w", "effect": "e-2-0"])
    #expect(try harness.value("/author") == "w")
  }

  @Test func `a command goes on under its key after a crash`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p", "x"), on: peer)
    harness.tell { $0.commandFailed(CommandKey("e-2-0"), attempts: 1, error: "no", retryMs: 100) }
    try harness.crash()
    let again = try #require(harness.begunCommands.first)
    #expect(again.key.text == "e-2-0")
    #expect(again.attempts == 1)
    harness.deliver("p", "e-2-0")
    #expect(harness.outboxKeys.isEmpty)
    #expect(try harness.value("/starts") == 2)
  }

  @Test func `how a try failed is known after a crash too`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.tell {
      $0.commandFailed(CommandKey("e-2-0"), attempts: 3, error: "no road", retryMs: 100)
    }
    try harness.crash()
    let other = harness.connect(as: "o")
    harness.send(#"{"op":"effects"}"#, on: other)
    let listed = other.takeLines().last?["effects"]?.entries.first
    #expect(listed?["error"] == "no road")
    #expect(listed?["attempts"] == 3)
    #expect(listed?["state"] == "running")
  }

  @Test func `a late answer of a cancelled effect is dropped, also before that is durable`() throws
  {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p", "x"), on: peer)
    harness.dispatch("listen", "a", on: peer)
    let ear = try #require(harness.begunClosures.first)
    harness.isPrompt = false
    harness.dispatch("cancel", ["id": "x"], on: peer)
    harness.dispatch("listen", "b", on: peer)
    harness.deliver("p", "e-2-0")
    var taken = 0
    let counter = Counter()
    harness.tell {
      $0.sent(.success(WireAction(type: "heard", payload: "late")), by: ear, taken: counter.count)
    }
    taken = counter.value
    #expect(taken == 1)
    while !harness.commits.isEmpty { harness.commit() }
    #expect(!harness.loggedTypes.contains("delivered"))
    #expect(!harness.loggedTypes.contains("heard"))
    #expect(harness.outboxKeys.isEmpty)
    #expect(harness.engine.ledger.lateActions == 2)
  }

  @Test func `what is cancelled before it was durable never begins`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("tick", on: peer)
    harness.dispatch("order", EngineHarness.order("p", "x"), on: peer)
    harness.dispatch("listen", "a", on: peer)
    harness.dispatch("cancel", ["id": "x"], on: peer)
    harness.dispatch("cancel", ["id": "ear"], on: peer)
    while !harness.commits.isEmpty { harness.commit() }
    #expect(harness.takeOutputs() == ["drop e-3-0", "cancel"])
    #expect(harness.outboxKeys.isEmpty)
  }

  @Test func `a command whose cancel is on its way to the disk does not begin`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("order", EngineHarness.order("p", "x"), on: peer)
    harness.dispatch("cancel", ["id": "x"], on: peer)
    harness.commit()
    #expect(harness.begunCommands.isEmpty)
    harness.failCommit()
    #expect(harness.begunCommands.isEmpty)
    harness.isPrompt = true
    harness.pass(1_000)
    #expect(harness.begunCommands.map(\.key.text) == ["e-2-0"])
  }

  @Test func `the removal of an owner cancels in the same commit`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("hire", "ann", on: peer)
    harness.dispatch("hire", "bob", on: peer)
    for name in ["ann", "bob"] {
      harness.dispatch("crew/carry", ["id": .string(name), "action": "p"], on: peer)
      harness.dispatch("crew/whistle", ["id": .string(name)], on: peer)
    }
    #expect(harness.outboxKeys == ["e-4-0", "e-6-0"])
    let whistle = try #require(harness.begunClosures.first)
    _ = harness.takeOutputs()
    harness.isPrompt = false
    harness.dispatch("dismiss", "ann", on: peer)
    let commit = try #require(harness.commits.first)
    #expect(commit.entries.count == 1)
    #expect(commit.removedKeys == ["e-4-0"])
    harness.commit()
    #expect(harness.takeOutputs() == ["drop e-4-0", "cancel"])
    let before = harness.disk.head
    harness.tell {
      $0.sent(.success(WireAction(type: "crew/whistled", payload: ["id": "ann"])), by: whistle) {}
    }
    #expect(harness.disk.head == before && harness.commits.isEmpty)
  }

  @Test func `a retry of a step with effects runs them once`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), n: 1, on: peer)
    harness.dispatch("order", EngineHarness.order("p"), n: 1, on: peer)
    try harness.crash()
    let again = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), n: 1, on: again)
    #expect(again.takeLines().last?["duplicate"] == true)
    #expect(harness.loggedTypes.filter { $0 == "order" }.count == 1)
    #expect(harness.outboxKeys == ["e-2-0"])
  }

  @Test func `the effects of a batch begin together, a refused batch has none`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    let orders = ["p", "q"].map { EngineHarness.action("order", EngineHarness.order($0)) }
    harness.send(EngineHarness.line(orders + [EngineHarness.action("deny")]), on: peer)
    #expect(harness.takeOutputs().isEmpty)
    harness.send(EngineHarness.line(orders), on: peer)
    #expect(harness.takeOutputs() == ["start e-2-0", "start e-2-1"])
    #expect(peer.takeOps() == ["reject", "ack"])
  }

  @Test func `a second command of one id is replaced, queued or given up as its policy says`()
    throws
  {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("a", "x", "queue"), on: peer)
    harness.dispatch("order", EngineHarness.order("b", "x", "queue"), on: peer)
    harness.dispatch("order", EngineHarness.order("c", "x", "takeFirst"), on: peer)
    #expect(harness.takeOutputs() == ["start e-2-0"])
    #expect(harness.outboxKeys == ["e-2-0", "e-3-0"])
    try harness.crash()
    #expect(harness.takeOutputs() == ["start e-2-0"])
    harness.deliver("a", "e-2-0")
    #expect(harness.takeOutputs() == ["drop e-2-0", "start e-3-0"])
    let other = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("d", "x", "takeLatest"), on: other)
    #expect(harness.outboxKeys.count == 1)
  }

  @Test func `a command that follows another is written down with its answer`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("orderBoth", ["first": "a", "second": "b"], on: peer)
    #expect(harness.outboxKeys == ["e-2-0"])
    #expect(harness.takeOutputs() == ["start e-2-0"])
    harness.isPrompt = false
    harness.deliver("a", "e-2-0")
    let commit = try #require(harness.commits.first)
    #expect(commit.entries.count == 1)
    #expect(Set(commit.outbox.map(\.key)) == ["e-2-0", "e-2-1"])
    harness.commit()
    #expect(harness.takeOutputs() == ["drop e-2-0", "start e-2-1"])
  }

  @Test func `a delayed command is as old as its delay's end`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("orderLater", ["parcel": "a", "ms": 60_000], on: peer)
    guard case .sleep(let token, _) = try #require(harness.effectOutputs.last) else {
      Issue.record("no sleep")
      return
    }
    harness.pass(60_000)
    harness.tell { $0.slept(token) }
    let key = try #require(harness.begunCommands.first?.key)
    harness.pass(10)
    #expect(harness.engine.ageMs(of: key) == 10)
  }

  @Test func `a command that the app has no handler of is kept and listed`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    var other = Errands()
    other.delivers = false
    let disk = VirtualDisk(
      epoch: "e", store: try HostedApp(other, limits: .small))
    harness.disk.allEntries.isEmpty
      ? ()
      : disk.append(
        Commit(
          entries: harness.disk.allEntries, outcomes: [],
          outbox: harness.disk.outbox.map { .put($0) }, time: 1))
    let later = try EngineHarness(errands: other, disk: disk)
    #expect(later.begunCommands.isEmpty)
    #expect(later.outboxKeys == ["e-2-0"])
    #expect(later.reports.contains { $0.contains("Deliver") && $0.contains("e-2-0") })
    let viewer = later.connect(as: "v")
    later.send(#"{"op":"effects"}"#, on: viewer)
    let listed = viewer.takeLines().last?["effects"]?.entries.first
    #expect(listed?["state"] == "waiting")
    later.send(#"{"op":"cancel","key":"e-2-0"}"#, on: viewer)
    #expect(viewer.takeOps() == ["cancelled"])
    #expect(later.outboxKeys.isEmpty)
  }
}
