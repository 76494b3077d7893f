import DuxJSON
import DuxLog
import DuxStore
import Simulation
import Synchronization
import Testing

@testable import DuxEngine

/// How often something was done, from wherever.
final class Counter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  @Sendable func count() { number.withLock { $0 += 1 } }
}

/// Effects while the disk fails.
struct EffectsFaultTests {
  private static func heard(_ word: String) -> HostedAction {
    .success(WireAction(type: "heard", payload: .string(word)))
  }

  @Test func `a step that never was has no effects`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.dispatch("listen", "a", on: peer)
    harness.failCommit()
    harness.isPrompt = true
    harness.pass(2_000)
    #expect(harness.begunCommands.isEmpty && harness.begunClosures.isEmpty)
    #expect(harness.outboxKeys.isEmpty)
    #expect(harness.engine.ledger.isIdle)
  }

  @Test func `a failed commit ends effects as a crash does, and the app is told`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.dispatch("listen", "a", on: peer)
    let ear = try #require(harness.begunClosures.first)
    _ = harness.takeOutputs()
    harness.isPrompt = false
    harness.dispatch("tick", on: peer)
    harness.failCommit()
    #expect(harness.stopCount == 1)
    #expect(harness.takeOutputs().isEmpty)
    harness.isPrompt = true
    harness.pass(1_000)
    #expect(harness.takeOutputs() == ["start e-2-0"])
    #expect(try harness.value("/starts") == 2)
    let counter = Counter()
    harness.tell { $0.sent(Self.heard("late"), by: ear, taken: counter.count) }
    #expect(counter.value == 1)
    #expect(!harness.loggedTypes.contains("heard"))
    harness.deliver("p", "e-2-0")
    #expect(try harness.value("/parcels/rows/p/status") == "delivered")
  }

  @Test func `nothing begins again while the disk still fails`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    _ = harness.takeOutputs()
    harness.isPrompt = false
    harness.dispatch("tick", on: peer)
    harness.failCommit()
    for _ in 0..<5 {
      harness.pass(1_000)
      #expect(harness.commits.count == 1)
      harness.failCommit()
      #expect(harness.takeOutputs().isEmpty)
    }
    harness.pass(1_000)
    harness.commit()
    #expect(harness.takeOutputs() == ["start e-2-0"])
  }

  @Test func `answers that come while nothing can be written are taken later, in their order`()
    throws
  {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.dispatch("order", EngineHarness.order("q"), on: peer)
    harness.isPrompt = false
    harness.dispatch("tick", on: peer)
    harness.failCommit()
    let started = WireAction(type: "started", payload: "p")
    harness.tell { $0.commandSent(.success(started), by: CommandKey("e-2-0")) }
    harness.deliver("p", "e-2-0")
    harness.tell { $0.commandFailed(CommandKey("e-3-0"), attempts: 1, error: "no", retryMs: 5) }
    #expect(harness.commits.isEmpty)
    harness.isPrompt = true
    harness.engine.advance(nowMs: 100_000, wallMs: 100_000)
    harness.deliver("q", "e-3-0")
    #expect(harness.loggedTypes.suffix(4) == ["begin", "started", "delivered", "delivered"])
    #expect(harness.outboxKeys.isEmpty)
    #expect(harness.begunCommands.isEmpty)
  }

  @Test func `a failed try is no commit while the disk fails`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.isPrompt = false
    harness.dispatch("tick", on: peer)
    harness.failCommit()
    let stops = harness.stopCount
    for attempt in 1...3 {
      harness.tell {
        $0.commandFailed(CommandKey("e-2-0"), attempts: attempt, error: "no", retryMs: 5)
      }
    }
    #expect(harness.commits.isEmpty)
    #expect(harness.stopCount == stops)
  }

  @Test func `follow-ups that wait in the outbox are taken once after repeated failures`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.isPrompt = false
    harness.dispatch("spread", 3_000, on: peer)
    harness.commit()
    #expect(harness.commits.count == 1)
    harness.failCommit()
    harness.pass(1_000)
    harness.failCommit()
    harness.pass(500)
    #expect(harness.commits.isEmpty)
    harness.isPrompt = true
    harness.pass(1_000)
    #expect(try harness.value("/count") == 3_000)
    #expect(harness.outboxKeys.isEmpty)
  }

  @Test func `the start is told also when its first step could not be written`() throws {
    let harness = try EngineHarness(errands: Errands(), isPrompt: false)
    #expect(harness.commits.count == 1)
    harness.failCommit()
    harness.isPrompt = true
    harness.pass(1_000)
    #expect(harness.loggedTypes == ["begin"])
    #expect(try harness.value("/starts") == 1)
  }

  @Test func `who sends an action waits until it is on disk, or can't be`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("listen", "a", on: peer)
    let ear = try #require(harness.begunClosures.first)
    harness.isPrompt = false
    let counter = Counter()
    harness.tell { $0.sent(Self.heard("1"), by: ear, taken: counter.count) }
    #expect(counter.value == 0)
    harness.commit()
    #expect(counter.value == 1)
    harness.tell { $0.sent(Self.heard("2"), by: ear, taken: counter.count) }
    harness.failCommit()
    #expect(counter.value == 2)
    #expect(harness.loggedTypes.filter { $0 == "heard" }.count == 1)
  }

  @Test func `a refused answer lets its sender go on and is reported`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("listen", "a", on: peer)
    let ear = try #require(harness.begunClosures.first)
    let counter = Counter()
    harness.tell {
      $0.sent(.success(WireAction(type: "nonsense", payload: nil)), by: ear, taken: counter.count)
      $0.sent(.failure(.badAction("unencodable")), by: ear, taken: counter.count)
    }
    #expect(counter.value == 2)
    #expect(harness.reports.count == 2)
  }

  @Test func `a stopping daemon takes no answers, and its effects go on with the next`() throws {
    let harness = try EngineHarness(errands: Errands())
    let peer = harness.connect(as: "w")
    harness.dispatch("order", EngineHarness.order("p"), on: peer)
    harness.dispatch("listen", "a", on: peer)
    let ear = try #require(harness.begunClosures.first)
    harness.tell { $0.beginShutdown() }
    let counter = Counter()
    harness.deliver("p", "e-2-0")
    harness.tell { $0.sent(Self.heard("1"), by: ear, taken: counter.count) }
    #expect(counter.value == 1)
    #expect(harness.engine.isSettled)
    #expect(harness.outboxKeys == ["e-2-0"])
    try harness.crash()
    #expect(harness.begunCommands.map(\.key.text) == ["e-2-0"])
  }
}
