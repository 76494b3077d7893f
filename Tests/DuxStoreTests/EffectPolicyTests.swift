import DuxStore
import Testing

struct EffectPolicyTests {
  private let harness = EffectHarness()

  private func effect(_ name: String, _ policy: EffectPolicy) -> Effect<String> {
    run(name).cancellable("x", policy)
  }

  @Test func takeLatestReplacesTheRunningOne() {
    #expect(harness.begin(effect("a", .takeLatest)) == ["run a"])
    #expect(harness.begin(effect("b", .takeLatest)) == ["cancel a", "run b"])
    #expect(!harness.accepts(from: "a"))
    #expect(harness.accepts(from: "b"))
    #expect(harness.end("a").isEmpty)
    #expect(harness.running == ["b"])
  }

  @Test func takeFirstKeepsTheRunningOne() {
    #expect(harness.begin(effect("a", .takeFirst)) == ["run a"])
    #expect(harness.begin(effect("b", .takeFirst)).isEmpty)
    _ = harness.end("a")
    #expect(harness.begin(effect("c", .takeFirst)) == ["run c"])
  }

  @Test func queueRunsOneAfterAnother() {
    let effects = Effect.merge(["a", "b", "c"].map { effect($0, .queue) })
    #expect(harness.begin(effects) == ["run a"])
    #expect(harness.running == ["a", "b", "c"])
    #expect(harness.end("a") == ["run b"])
    #expect(harness.cancel("b") == ["cancel b", "run c"])
    #expect(harness.end("c").isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func parallelRunsAllAtOnce() {
    #expect(harness.begin(.merge(effect("a", .parallel), effect("b", .parallel))).count == 2)
    #expect(harness.begin(.cancel("x")) == ["cancel a", "cancel b"])
  }

  @Test func cancellingAnIDCoversWhatWaits() {
    _ = harness.begin(.merge(effect("a", .queue), effect("b", .queue), effect("c", .queue)))
    #expect(harness.begin(.cancel("x")) == ["cancel a"])
    #expect(harness.ledger.isEmpty)
  }

  @Test func takeLatestCancelsWhateverTheOthersCameWith() {
    _ = harness.begin(
      .merge(effect("a", .parallel), effect("b", .queue), effect("c", .parallel)))
    #expect(harness.running == ["a", "b", "c"])
    #expect(harness.begin(effect("d", .takeLatest)) == ["cancel a", "cancel c", "run d"])
    #expect(harness.running == ["d"])
  }

  @Test func takeFirstGivesWayToWhateverRunsOrWaits() {
    _ = harness.begin(effect("a", .parallel))
    #expect(harness.begin(effect("b", .takeFirst)).isEmpty)
    #expect(harness.running == ["a"])
  }

  @Test func aQueueWaitsForAllThatRunBesideIt() {
    _ = harness.begin(.merge(effect("a", .queue), effect("b", .queue), effect("c", .parallel)))
    #expect(harness.end("a").isEmpty)
    #expect(harness.end("c") == ["run b"])
  }

  @Test func anEffectInsideOneOfItsIDIsPartOfIt() {
    for policy in [EffectPolicy.takeLatest, .takeFirst, .queue] {
      let nested = effect("a", policy).cancellable("x", policy)
      #expect(harness.begin(nested) == ["run a"], "\(policy)")
      #expect(harness.end("a").isEmpty)
    }
    let delayed = effect("b", .takeLatest).debounced("x", for: .seconds(1))
    #expect(harness.begin(delayed) == ["sleep1 1"])
    #expect(harness.sleep("sleep1") == ["run b"])
  }

  @Test func anOlderSearchIsReplacedAndItsReplyDropped() {
    _ = harness.begin(run("search a").cancellable("search", .takeLatest))
    _ = harness.begin(run("search b").cancellable("search", .takeLatest))
    #expect(harness.accepts(from: "search b"))
    #expect(!harness.accepts(from: "search a"))
  }

  @Test func clearingTheQueryCancelsTheSearchInTheSameStep() {
    _ = harness.begin(
      .merge(run("search"), run("suggest").cancellable("suggest")).scoped("search"))
    #expect(harness.begin(.cancelAll.scoped("search")) == ["cancel search", "cancel suggest"])
    #expect(!harness.accepts(from: "search"))
  }

  @Test func twoQuickCallsFetchAPageOnce() {
    let fetch = run("page 2").cancellable("page", .takeFirst)
    #expect(harness.begin(.merge(fetch, fetch)) == ["run page 2"])
    #expect(harness.begin(fetch).isEmpty)
  }

  @Test func aFollowUpUnderAnIDCanBeReplacedWhileItWaits() {
    let send = { Effect<String>.send($0).cancellable("x", .takeLatest) }
    #expect(harness.begin(.merge(send("a"), send("b"))).isEmpty)
    #expect(harness.followUp()?.action == "b")
    #expect(harness.followUp()?.action == nil)
    #expect(harness.ledger.isEmpty)
  }

  @Test func aGroupWaitsAndGoesAsAWhole() {
    let group = { (names: [String]) in
      Effect.merge(names.map { run($0) }).cancellable("x", .queue)
    }
    #expect(harness.begin(.merge(group(["a", "b"]), group(["c", "d"]))) == ["run a", "run b"])
    #expect(harness.end("a").isEmpty)
    #expect(harness.end("b") == ["run c", "run d"])
    #expect(harness.begin(.cancel("x")) == ["cancel c", "cancel d"])
    #expect(harness.ledger.isEmpty)
  }
}
