import DuxStore
import Testing

struct EffectDelayTests {
  private let harness = EffectHarness()

  private func debounced(_ name: String) -> Effect<String> {
    run(name).debounced("x", for: .seconds(3))
  }

  private func throttled(_ name: String, _ choice: ThrottleChoice) -> Effect<String> {
    run(name).throttled("x", for: .seconds(5), keeping: choice)
  }

  @Test func aDebouncedEffectStartsWhenNoOtherCame() {
    #expect(harness.begin(debounced("a")) == ["sleep1 3"])
    #expect(harness.begin(debounced("b")) == ["cancel sleep1", "sleep2 3"])
    #expect(harness.sleep("sleep1").isEmpty)
    #expect(harness.running == ["b"])
    #expect(harness.sleep("sleep2") == ["run b"])
    #expect(harness.end("b").isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func aDebouncedEffectReplacesTheOneThatRuns() {
    _ = harness.begin(debounced("a"))
    _ = harness.sleep("sleep1")
    #expect(harness.begin(debounced("b")) == ["cancel a", "sleep2 3"])
  }

  @Test func cancellingEndsTheWait() {
    _ = harness.begin(debounced("a"))
    #expect(harness.begin(.cancel("x")) == ["cancel sleep1"])
    #expect(harness.sleep("sleep1").isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func aDelayOfAScopeThatWentIsCancelled() {
    _ = harness.begin(.merge(debounced("a"), throttled("b", .latest)).scoped("s"))
    let outputs = harness.begin(.none, departed: ["s"])
    #expect(outputs == ["cancel sleep1", "cancel sleep2", "cancel b"])
    #expect(harness.ledger.isEmpty)
  }

  @Test func aConcatenationWaitsForADelayedPart() {
    #expect(harness.begin(.concatenate(debounced("a"), run("b"))) == ["sleep1 3"])
    #expect(harness.sleep("sleep1") == ["run a"])
    #expect(harness.end("a") == ["run b"])
  }

  @Test func aThrottledEffectStartsAtOnceAndTheLastOfTheIntervalAtItsEnd() {
    #expect(harness.begin(throttled("a", .latest)) == ["sleep1 5", "run a"])
    #expect(harness.begin(throttled("b", .latest)).isEmpty)
    #expect(harness.begin(throttled("c", .latest)).isEmpty)
    #expect(harness.running == ["a", "c"])
    #expect(harness.sleep("sleep1") == ["sleep1 5", "run c"])
    #expect(harness.sleep("sleep1").isEmpty)
    #expect(harness.begin(throttled("d", .latest)) == ["sleep2 5", "run d"])
  }

  @Test func aThrottleThatKeepsTheFirstDropsWhatComesWithinTheInterval() {
    #expect(harness.begin(throttled("a", .first)) == ["sleep1 5", "run a"])
    #expect(harness.begin(throttled("b", .first)).isEmpty)
    #expect(harness.sleep("sleep1").isEmpty)
    #expect(harness.begin(throttled("c", .first)) == ["sleep2 5", "run c"])
  }

  @Test func theRestOfAnIntervalIsNoEffect() {
    _ = harness.begin(throttled("a", .latest))
    _ = harness.end("a")
    #expect(harness.ledger.isIdle)
    #expect(!harness.ledger.isEmpty)
    #expect(harness.running.isEmpty)
    _ = harness.sleep("sleep1")
    #expect(harness.ledger.isEmpty)
  }

  @Test func cancellingAThrottledIDKeepsItsInterval() {
    _ = harness.begin(.merge(throttled("a", .latest), throttled("b", .latest)))
    #expect(harness.begin(.cancel("x")) == ["cancel a"])
    #expect(harness.begin(throttled("c", .latest)).isEmpty)
    #expect(harness.sleep("sleep1") == ["sleep1 5", "run c"])
    #expect(harness.begin(.cancelAll) == ["cancel sleep1", "cancel c"])
    #expect(harness.ledger.isEmpty)
  }

  @Test func aDelayedFollowUpIsSentAfterTheDelay() {
    _ = harness.begin(.send("a").debounced("x", for: .seconds(1)))
    #expect(harness.followUp()?.action == nil)
    _ = harness.sleep("sleep1")
    #expect(harness.followUp()?.action == "a")
    #expect(harness.ledger.isEmpty)
  }
}
