import DuxStore
import Testing

struct EffectFollowUpTests {
  private let harness = EffectHarness()

  @Test func followUpsComeFirstInFirstOut() {
    _ = harness.begin(.merge(.send("a"), .send("b")))
    var actions: [String] = []
    while let next = harness.followUp({ $0 == "a" ? .merge(.send("c"), .send("d")) : .none }) {
      actions.append(next.action)
    }
    #expect(actions == ["a", "b", "c", "d"])
    #expect(harness.ledger.isEmpty)
  }

  @Test func theWaitingFollowUpsAreThoseThatCome() {
    _ = harness.begin(.merge((0..<5).map { .send("\($0)").cancellable(EffectID("\($0 % 2)")) }))
    _ = harness.begin(.cancel("1"))
    #expect(harness.ledger.waitingFollowUps(after: nil).map(\.action) == ["0", "2", "4"])
    _ = harness.followUp()
    #expect(harness.ledger.waitingFollowUps(after: nil).map(\.action) == ["2", "4"])
  }

  @Test func aFollowUpKnowsItsAuthorAndWhereItGoesBackTo() throws {
    _ = harness.begin(.send("a"), action: "start")
    _ = harness.followUp { _ in .send("b") }
    let next = try #require(harness.next())
    #expect(next.cause.author == "me")
    #expect(next.cause.root == 1)
    #expect(next.cause.step == 2)
    #expect(next.cause.trail == ["start", "a"])
  }

  @Test func aHundredThousandFollowUpsInARowRun() {
    _ = harness.begin(.send("0"))
    var count = 0
    while let next = harness.followUp({ _ in count < 99_999 ? .send("\(count)") : .none }) {
      count += 1
      #expect(next.outputs.isEmpty)
    }
    #expect(count == 100_000)
    #expect(harness.ledger.isEmpty)
  }

  @Test func aHundredThousandFollowUpsAtOnceRun() {
    _ = harness.begin(.merge((0..<100_000).map { .send("\($0)") }))
    var count = 0
    while let next = harness.followUp() {
      #expect(next.action == "\(count)")
      count += 1
    }
    #expect(count == 100_000)
    #expect(harness.ledger.isEmpty)
  }

  /// Runs the follow-ups to their end; what was cut, and how many were reduced.
  private func runAll(
    _ harness: EffectHarness, _ reduce: (String) -> Effect<String>
  ) -> (cuts: [String], count: Int) {
    var cuts: [String] = []
    var count = 0
    while count < 50_000, let next = harness.followUp(reduce) {
      count += 1
      cuts += next.outputs
    }
    return (cuts, count)
  }

  @Test(arguments: [["a"], ["a", "b"], ["a", "b", "c"], ["a", "a", "b"]])
  func aLoopIsCutAndItsCycleNamed(names: [String]) {
    let harness = EffectHarness(limits: FollowUpLimits(depth: 1_000))
    _ = harness.begin(.send(names[0]), action: "start")
    var index = 0
    let (cuts, count) = runAll(harness) { _ in
      index += 1
      return .send(names[index % names.count])
    }
    #expect(count == 1_000)
    let last = 999 % names.count
    let cycle = (0...names.count).map { names[(last + $0) % names.count] }
    #expect(cuts == ["cut \(cycle.joined(separator: " → "))"])
    #expect(harness.ledger.isEmpty)
  }

  @Test func aLoopWithinAShortLimitIsNamedWithoutTheWayIntoIt() {
    let harness = EffectHarness(limits: FollowUpLimits(depth: 5))
    _ = harness.begin(.send("a"), action: "start")
    let (cuts, _) = runAll(harness) { .send($0 == "a" ? "b" : "a") }
    #expect(cuts == ["cut a → b → a"])
  }

  @Test func aChainWithoutARepetitionIsNamedByItsEnd() {
    let harness = EffectHarness(limits: FollowUpLimits(depth: 50))
    _ = harness.begin(.send("1"), action: "0")
    var number = 1
    let (cuts, _) = runAll(harness) { _ in
      number += 1
      return .send("\(number)")
    }
    #expect(cuts == ["cut " + (35...50).map(String.init).joined(separator: " → ")])
  }

  @Test func aLoopThatBringsMoreEachTimeIsCutAsAWhole() {
    let harness = EffectHarness(limits: FollowUpLimits(depth: 100_000, waiting: 1_000))
    _ = harness.begin(.merge(run("work"), .send("a")))
    let (cuts, count) = runAll(harness) { _ in .merge(.send("a"), .send("a")) }
    #expect(cuts == ["cut a → a"])
    #expect(count < 2_000)
    #expect(harness.running == ["work"])
  }

  @Test func aLoopOfConcatenationsThatBringsMoreEachTimeIsCutAsAWhole() {
    let harness = EffectHarness(limits: FollowUpLimits(depth: 100_000, waiting: 1_000))
    _ = harness.begin(.send("a"))
    let (cuts, count) = runAll(harness) { _ in
      .merge(.concatenate(.send("a"), .send("a"), .send("a")), .send("a"))
    }
    #expect(cuts == ["cut a → a"])
    #expect(count < 5_000)
    #expect(harness.ledger.isEmpty)
  }

  @Test func aLoopSparesTheFollowUpsOfOthers() {
    let harness = EffectHarness(limits: FollowUpLimits(depth: 10))
    _ = harness.begin(.send("loop"))
    _ = harness.begin(.concatenate(run("wait"), .send("other")))
    let (cuts, _) = runAll(harness) { $0 == "loop" ? .send("loop") : .none }
    #expect(cuts == ["cut loop → loop"])
    _ = harness.end("wait")
    #expect(harness.followUp()?.action == "other")
  }

  @Test func aTimerThatSendsItselfAgainIsNoLoop() {
    let harness = EffectHarness(limits: FollowUpLimits(depth: 10))
    let tick = Effect.concatenate(run("wait"), .send("tick"))
    _ = harness.begin(tick)
    for _ in 0..<100 {
      #expect(harness.end("wait").isEmpty)
      #expect(harness.followUp { _ in tick }?.outputs == ["run wait"])
    }
  }

  @Test func aLoopOfConcatenatedFollowUpsIsALoop() {
    let harness = EffectHarness(limits: FollowUpLimits(depth: 100))
    _ = harness.begin(.send("a"))
    let (cuts, _) = runAll(harness) {
      $0 == "a" ? .concatenate(.send("b"), .send("a")) : .none
    }
    #expect(cuts.count == 1)
    #expect(harness.ledger.isEmpty)
  }
}
