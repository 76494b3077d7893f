import DuxStore
import Testing

struct EffectGroupTests {
  private let harness = EffectHarness()

  @Test func aConcatenationRunsItsPartsInOrder() {
    #expect(harness.begin(.concatenate(run("a"), run("b"), run("c"))) == ["run a"])
    #expect(harness.end("a") == ["run b"])
    #expect(harness.end("b") == ["run c"])
    #expect(harness.end("c").isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func theNextPartWaitsForAllOfAMergedOne() {
    let effect = Effect.concatenate(.merge(run("a"), run("b")), run("c"))
    #expect(harness.begin(effect) == ["run a", "run b"])
    #expect(harness.end("b").isEmpty)
    #expect(harness.end("a") == ["run c"])
  }

  @Test func groupsNest() {
    let effect = Effect.concatenate(
      .merge(.concatenate(run("a"), run("b")), run("c")), .concatenate(.none, run("d")), run("e"))
    #expect(harness.begin(effect) == ["run a", "run c"])
    #expect(harness.end("c").isEmpty)
    #expect(harness.end("a") == ["run b"])
    #expect(harness.end("b") == ["run d"])
    #expect(harness.end("d") == ["run e"])
    #expect(harness.end("e").isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func cancellingAConcatenationCoversThePartsThatHaveNotBegun() {
    _ = harness.begin(
      .concatenate(run("favourite"), run("watch list"), run("network")).cancellable("detail"))
    #expect(harness.end("favourite") == ["run watch list"])
    #expect(harness.begin(.cancel("detail")) == ["cancel watch list"])
    #expect(harness.end("watch list").isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func cancellingOnePartLetsTheNextBegin() {
    _ = harness.begin(.concatenate(run("a").cancellable("x"), run("b")))
    #expect(harness.begin(.cancel("x")) == ["cancel a", "run b"])
  }

  @Test func aPartThatIsDroppedLetsTheNextBegin() {
    _ = harness.begin(run("a").cancellable("x", .takeFirst))
    let effect = Effect.concatenate(run("b").cancellable("x", .takeFirst), run("c"))
    #expect(harness.begin(effect) == ["run c"])
  }

  @Test func aFollowUpInAConcatenationIsReducedBeforeTheNextPartBegins() {
    #expect(harness.begin(.concatenate(.send("first"), run("b"), .send("last"))).isEmpty)
    let first = harness.followUp { _ in run("of first") }
    #expect(first?.action == "first")
    #expect(first?.outputs == ["run of first", "run b"])
    #expect(harness.followUp()?.action == nil)
    #expect(harness.end("b").isEmpty)
    #expect(harness.followUp()?.action == "last")
  }

  @Test func aLongConcatenationOfInstantPartsTakesNoStack() {
    let effect = Effect<String>.concatenate((0..<100_000).map { _ in Effect.cancel("x") })
    #expect(harness.begin(effect).isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func aMergeMadeInALoopStaysShallow() {
    var effect = Effect<String>.none
    for _ in 0..<100_000 { effect = .merge(effect, .send("x")) }
    _ = harness.begin(effect)
    #expect(harness.ledger.waitingFollowUps(after: nil).count == 100_000)
    harness.ledger.cancelAll()
    #expect(harness.ledger.isEmpty)
  }

  @Test func joiningKeepsTheOrder() {
    let names = (0..<200).map { "effect \($0)" }
    var merged = Effect<String>.none
    for name in names { merged = .merge(merged, run(name)) }
    #expect(harness.begin(merged) == names.map { "run \($0)" })
  }

  @Test func mappingReachesEveryPart() throws {
    let inner = Effect<Int>.concatenate(
      .send(1), .merge(.send(2).cancellable("x", .queue), .send(3).scoped("s")).detached())
    _ = harness.begin(inner.map { "number \($0)" })
    var actions: [String] = []
    while let next = harness.followUp() { actions.append(next.action) }
    #expect(actions == ["number 1", "number 2", "number 3"])
    #expect(harness.ledger.isEmpty)
  }
}
