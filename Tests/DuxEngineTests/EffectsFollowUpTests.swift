import DuxJSON
import DuxLog
import DuxStore
import Simulation
import Testing

@testable import DuxEngine

/// Follow-ups as steps of their own.
struct EffectsFollowUpTests {
  @Test func `follow-ups are steps of the daemon's own in the commit of their parent`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("chain", 3, n: 1, on: peer)
    let commit = try #require(harness.commits.first)
    #expect(commit.entries.map(\.seq.value) == [2, 3, 4, 5])
    #expect(commit.entries.map(\.client) == ["w", "@duxd", "@duxd", "@duxd"])
    #expect(commit.entries.map(\.n) == [1, nil, nil, nil])
    #expect(commit.outbox.isEmpty)
    harness.commit()
    #expect(
      harness.loggedActions.suffix(3).map { $0["meta"]?["dux"] } == [
        ["cause": 2, "author": "w"], ["cause": 3, "author": "w"], ["cause": 4, "author": "w"],
      ])
  }

  @Test func `a long chain lets others in between`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("chain", 5_000, on: peer)
    harness.dispatch("draw", on: peer)
    while !harness.commits.isEmpty { harness.commit() }
    let place = try #require(harness.loggedTypes.firstIndex(of: "draw"))
    #expect(place < 2_100)
    #expect(try harness.value("/count") == 5_001)
  }

  @Test func `follow-ups that wait for another turn are in the outbox and survive a crash`() throws
  {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("spread", 2_500, on: peer)
    let commit = try #require(harness.commits.first)
    #expect(commit.entries.count + commit.outbox.count == 2_501)
    #expect(!commit.outbox.isEmpty)
    harness.commit()
    harness.isPrompt = true
    try harness.crash()
    #expect(try harness.value("/count") == 2_500)
    #expect(harness.outboxKeys.isEmpty)
    let causes = harness.loggedActions.filter { $0["type"] == "tick" }.map {
      $0["meta"]?["dux"]
    }
    #expect(causes.allSatisfy { $0 == ["cause": 2, "author": "w"] })
  }

  @Test func `a crash after a crash finds what still waits`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("spread", 20_000, on: peer)
    for _ in 0..<3 {
      harness.commit()
      try harness.crash()
      harness.commit()
    }
    harness.isPrompt = true
    try harness.crash()
    #expect(try harness.value("/count") == 20_000)
    #expect(harness.outboxKeys.isEmpty)
  }

  @Test func `after a start the app hears of it before what still waits goes on`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("spread", 2_500, on: peer)
    harness.commit()
    let done = harness.loggedTypes.count
    harness.isPrompt = true
    try harness.crash()
    #expect(harness.loggedTypes[done] == "begin")
  }

  @Test func `a waiting follow-up that is cancelled leaves the outbox with the step`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("hire", "ann", on: peer)
    harness.isPrompt = false
    harness.dispatch("crew/walk", ["id": "ann", "action": 5_000], on: peer)
    harness.dispatch("dismiss", "ann", on: peer)
    harness.commit()
    #expect(!harness.outboxKeys.isEmpty)
    while !harness.commits.isEmpty { harness.commit() }
    #expect(harness.outboxKeys.isEmpty)
    let steps = harness.loggedTypes
    try harness.crash()
    harness.isPrompt = true
    harness.endTurn()
    #expect(!harness.loggedTypes.dropFirst(steps.count).contains("crew/step"))
  }

  @Test func `a follow-up from before a crash still has its owner and its id`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("hire", "ann", on: peer)
    harness.isPrompt = false
    harness.dispatch("crew/walk", ["id": "ann", "action": 9_000], on: peer)
    harness.commit()
    try harness.crash()
    let again = harness.connect(as: "w")
    harness.answer()
    harness.dispatch("dismiss", "ann", on: again)
    while !harness.commits.isEmpty { harness.commit() }
    let types = harness.loggedTypes
    let place = try #require(types.firstIndex(of: "dismiss"))
    #expect(!types[place...].contains("crew/step"))
    #expect(harness.outboxKeys.isEmpty)
    #expect(harness.reports.isEmpty)
  }

  @Test func `a chain goes 100,000 follow-ups deep`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("chain", 100_000, on: peer)
    #expect(try harness.value("/count") == 100_001)
    #expect(harness.reports.isEmpty)
    #expect(harness.outboxKeys.isEmpty)
  }

  @Test func `a loop is cut and reported with its cycle, and the daemon goes on`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("ping", on: peer)
    let report = try #require(harness.reports.first)
    #expect(report.contains("ping → pong → ping") || report.contains("pong → ping → pong"))
    #expect(harness.reports.count == 1)
    #expect(harness.outboxKeys.isEmpty)
    _ = peer.takeLines()
    harness.dispatch("tick", on: peer)
    #expect(peer.takeOps() == ["ack"])
    let head = harness.disk.head
    try harness.crash()
    #expect(harness.disk.head == head.next)
  }

  @Test func `refused follow-ups are reported, and those behind them go on`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("denyLater", on: peer)
    #expect(harness.reports.count == 1)
    #expect(harness.reports.first?.contains("denied") == true)
    harness.dispatch("spread", 3, on: peer)
    #expect(try harness.value("/count") == 3)
  }

  @Test func `a shutdown leaves a chain in the outbox for the next start`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("chain", 50_000, on: peer)
    harness.tell { $0.beginShutdown() }
    var commits = 0
    while !harness.commits.isEmpty {
      harness.commit()
      commits += 1
    }
    #expect(commits < 5)
    #expect(harness.engine.isSettled)
    #expect(harness.outboxKeys.count == 1)
    harness.isPrompt = true
    try harness.crash()
    #expect(try harness.value("/count") == 50_001)
  }

  @Test func `a replay of the log gives the same patches, with the inputs on record`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("draw", on: peer)
    harness.dispatch("chain", 3, on: peer)
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.deliver("p", "e-7-0")
    var replay: any HostedStore = try HostedApp(Errands(), limits: .small)
    for entry in harness.disk.allEntries {
      let actions = try JSON(parsing: entry.actions, maximumDepth: .max).entries
      let wires = try actions.map { try WireAction($0) }
      let author = actions.first?["meta"]?["dux"]?["author"]?.stringValue ?? entry.client
      let patch = try replay.replay(wires, author: author)
      #expect(patch.json.bytes == entry.patch)
    }
    #expect(replay.view == harness.engine.durableState)
    #expect(try harness.value("/drawn") != nil)
  }
}
