import DuxStore
import Testing

struct EffectOwnerTests {
  private let harness = EffectHarness()

  @Test func theEffectsOfAScopeThatWentAreCancelledInItsStep() {
    _ = harness.begin(.merge(run("a").scoped("rows", "1"), run("b").scoped("rows", "2")))
    #expect(harness.begin(.none, departed: ["rows/1"]) == ["cancel a"])
    #expect(!harness.accepts(from: "a"))
    #expect(harness.running == ["b"])
  }

  @Test func aScopeTakesThoseInsideItAlong() {
    _ = harness.begin(
      .merge(run("a").scoped("s"), run("b").scoped("s", "t"), run("c").scoped("st")))
    #expect(harness.begin(.none, departed: ["s"]) == ["cancel a", "cancel b"])
    #expect(harness.running == ["c"])
  }

  @Test func replacingAllRowsCancelsTheEffectsOfEachOfThem() {
    let rows = ["A", "B", "C"]
    _ = harness.begin(.merge(rows.map { run($0).scoped("screens", $0) }))
    let outputs = harness.begin(
      run("D").scoped("screens", "D"), departed: ["screens/A", "screens/B", "screens/C"])
    #expect(outputs == ["cancel A", "cancel B", "cancel C", "run D"])
  }

  @Test func theOwnersOwnEffectsStayWhenARowGoes() {
    _ = harness.begin(.merge(run("owner").scoped("rows"), run("row").scoped("rows", "1")))
    #expect(harness.begin(.none, departed: ["rows/1"]) == ["cancel row"])
    #expect(harness.running == ["owner"])
  }

  @Test func twoInstancesOfOneKindHaveEffectsOfTheirOwn() {
    let row = run("row").cancellable("load", .takeLatest).scoped("rows", "1")
    #expect(
      harness.begin(.merge(row.scoped("left"), row.scoped("right"))) == ["run row", "run row"])
    #expect(harness.begin(.none, departed: ["left/rows/1"]) == ["cancel row"])
    #expect(harness.ledger.running.map(\.scope.description) == ["right/rows/1"])
  }

  @Test func aDetachedEffectOutlivesWhoReturnedIt() {
    _ = harness.begin(.merge(run("a").detached(), run("b")).scoped("rows", "1"))
    #expect(harness.begin(.none, departed: ["rows/1"]) == ["cancel b"])
    #expect(harness.accepts(from: "a"))
    #expect(harness.end("a").isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func aDetachedEffectOutlivesTheGroupItIsPartOf() {
    let effect = Effect.merge(run("a").detached(), run("b")).cancellable("x")
    _ = harness.begin(effect.scoped("s"))
    #expect(harness.begin(.none, departed: ["s"]) == ["cancel b"])
    #expect(harness.running == ["a"])
    _ = harness.end("a")
    #expect(harness.ledger.isEmpty)
  }

  @Test func aDetachedEffectIsStillCancelledByItsID() {
    _ = harness.begin(run("a").detached().cancellable("x").scoped("s"))
    #expect(harness.begin(.cancel("x").scoped("s")) == ["cancel a"])
  }

  @Test func anEffectWhoseOwnerWentInTheSameStepNeverStarts() {
    let effect = Effect.merge(
      run("a"), .send("b"), .command(Job()), run("c").cancellable("x", .queue),
      run("d").debounced("y", for: .seconds(1)), run("kept").detached(),
      .concatenate(.send("e"), run("f")))
    let outputs = harness.begin(
      .merge(effect.scoped("rows", "1"), run("other").scoped("rows", "2")),
      departed: ["rows/1"])
    #expect(outputs == ["run kept", "run other"])
    #expect(harness.next()?.action == nil)
  }

  @Test func aScopeThatComesBackIsANewOne() {
    #expect(harness.begin(run("a").scoped("s"), departed: ["s"]).isEmpty)
    #expect(harness.begin(run("b").scoped("s")) == ["run b"])
  }

  @Test func aFollowUpOfAScopeThatWentIsDropped() {
    _ = harness.begin(.merge(.send("other"), .send("row").scoped("rows", "1")))
    let next = harness.next()
    #expect(next?.action == "other")
    #expect(harness.depart(["rows/1"]).isEmpty)
    #expect(harness.next()?.action == nil)
  }

  @Test func aPartThatHadNotBegunWhenItsOwnerWentNeverBegins() {
    let effect = Effect.concatenate(
      run("a"), run("b").scoped("rows", "1"), .send("c").scoped("rows", "1", "x"), run("d"))
    _ = harness.begin(effect)
    _ = harness.begin(.none, departed: ["rows/1"])
    #expect(harness.begin(run("new").scoped("rows", "1")) == ["run new"])
    #expect(harness.end("a") == ["run d"])
    #expect(harness.next()?.action == nil)
    _ = harness.end("d")
    _ = harness.end("new")
    #expect(harness.ledger.isEmpty)
  }

  @Test func aPartThatWaitsForItsIDDoesNotBeginForAnOwnerThatWent() {
    let effect = Effect.merge(run("a"), .none).cancellable("x", .queue)
    let waiting = run("b").scoped("s").cancellable("x", .queue)
    _ = harness.begin(.merge(effect, waiting))
    _ = harness.begin(.none, departed: ["s"])
    #expect(harness.end("a").isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func theRootTakesEverythingAlong() {
    _ = harness.begin(.merge(run("a"), run("b").scoped("s")))
    #expect(harness.begin(run("c"), departed: ["/"]) == ["cancel a", "cancel b"])
    #expect(harness.ledger.isEmpty)
  }

  @Test func cancellingOneScopeCostsWhatItOwnsAlone() {
    _ = harness.begin(.merge((0..<20_000).map { run("\($0)").scoped("rows", "\($0)") }))
    let clock = ContinuousClock()
    let time = clock.measure {
      for row in 0..<2_000 {
        _ = harness.begin(.none, departed: ["rows/\(row)"])
      }
    }
    #expect(harness.ledger.running.count == 18_000)
    // Looking at all would take 2,000 × 19,000 steps: seconds, and minutes where nothing is optimized.
    #expect(time < .seconds(5))
  }
}
