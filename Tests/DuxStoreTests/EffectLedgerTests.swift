import DuxStore
import Testing

struct EffectLedgerTests {
  private let harness = EffectHarness()

  @Test func nothingIsAskedForWhereNothingIsToDo() {
    #expect(harness.begin(.none).isEmpty)
    #expect(harness.begin(.merge(.none, .concatenate(.none))).isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func aClosureRunsUntilItHasEnded() {
    #expect(harness.begin(run("a")) == ["run a"])
    #expect(!harness.ledger.isIdle)
    #expect(harness.accepts(from: "a"))
    #expect(harness.accepts(from: "a"))
    #expect(harness.end("a").isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func anActionSentAfterTheEndIsDroppedAndCounted() {
    _ = harness.begin(run("a"))
    _ = harness.end("a")
    #expect(!harness.accepts(from: "a"))
    #expect(harness.ledger.lateActions == 1)
  }

  @Test func anActionOfACancelledClosureIsDroppedAndCounted() {
    _ = harness.begin(run("a").cancellable("x"))
    #expect(harness.begin(.cancel("x")) == ["cancel a"])
    #expect(!harness.accepts(from: "a"))
    #expect(harness.ledger.lateActions == 1)
    #expect(harness.ledger.isEmpty)
  }

  @Test func cancellingTwiceIsCancellingOnce() {
    _ = harness.begin(run("a").cancellable("x"))
    #expect(harness.begin(.cancel("x")) == ["cancel a"])
    #expect(harness.begin(.cancel("x")).isEmpty)
    #expect(harness.cancel("a").isEmpty)
  }

  @Test func cancellingBeforeTheStartCancelsNothing() {
    #expect(harness.begin(.cancel("x")).isEmpty)
    #expect(harness.begin(.merge(.cancel("x"), run("a").cancellable("x"))) == ["run a"])
  }

  @Test func whatIsCancelledInItsOwnStepNeverShows() {
    let command = Effect<String>.command(Job()).cancellable("x")
    #expect(
      harness.begin(.merge(run("a").cancellable("x"), command, .cancel("x"))).isEmpty)
    #expect(harness.ledger.isEmpty)
  }

  @Test func cancellingAfterTheEndCancelsNothing() {
    _ = harness.begin(run("a").cancellable("x"))
    _ = harness.end("a")
    #expect(harness.begin(.cancel("x")).isEmpty)
  }

  @Test func anIDCancelsAllThatSharesIt() {
    _ = harness.begin(.merge(run("a").cancellable("x"), run("b").cancellable("x"), run("c")))
    #expect(harness.begin(.cancel("x")) == ["cancel a", "cancel b"])
    #expect(harness.running == ["c"])
  }

  @Test func anOuterIDCancelsWhatHasAnInnerOne() {
    let inner = Effect<String>.merge(run("a").cancellable("inner"), run("b"))
    _ = harness.begin(inner.cancellable("outer"))
    #expect(harness.begin(.cancel("inner")) == ["cancel a"])
    #expect(harness.begin(.cancel("outer")) == ["cancel b"])
    #expect(harness.ledger.isEmpty)
  }

  @Test func twoStoresWithOneIDDoNotInterfere() {
    let first = EffectHarness()
    let second = EffectHarness()
    _ = first.begin(run("a").cancellable("x"))
    _ = second.begin(run("b").cancellable("x"))
    #expect(first.begin(.cancel("x")) == ["cancel a"])
    #expect(second.accepts(from: "b"))
  }

  @Test func oneIDInTwoScopesIsTwoIDs() {
    let effect = Effect<String>.merge(
      run("a").cancellable("x").scoped("rows", "1"), run("b").cancellable("x").scoped("rows", "2"),
      run("c").cancellable("x"))
    _ = harness.begin(effect)
    #expect(harness.begin(.cancel("x").scoped("rows", "1")) == ["cancel a"])
    #expect(harness.begin(.cancel("x")) == ["cancel c"])
    #expect(harness.running == ["b"])
  }

  @Test func cancelAllCoversTheOwnScopeAndThoseInsideIt() {
    _ = harness.begin(
      .merge(run("a"), run("b").scoped("s"), run("c").scoped("s", "t"), run("d").scoped("u")))
    #expect(harness.begin(.cancelAll.scoped("s")) == ["cancel b", "cancel c"])
    #expect(harness.begin(.cancelAll) == ["cancel a", "cancel d"])
    #expect(harness.ledger.isEmpty)
  }

  @Test func cancelAllComesInTheOrderInWhichItIsWritten() {
    _ = harness.begin(run("old"))
    #expect(
      harness.begin(.concatenate(.cancelAll, run("new"))) == ["cancel old", "run new"])
    #expect(harness.begin(.merge(run("newer"), .cancelAll)) == ["cancel new"])
    #expect(harness.ledger.isEmpty)
  }

  @Test func aGroupThatCancelsItsOwnIDCancelsTheOthersOnly() {
    _ = harness.begin(run("old").cancellable("x"))
    let effect = Effect<String>.concatenate(.cancel("x"), run("new")).cancellable("x")
    #expect(harness.begin(effect) == ["cancel old", "run new"])
  }

  @Test func cancellingAStepCascadesToItsFollowUpsAndAnswers() throws {
    _ = harness.begin(run("other"))
    _ = harness.begin(.merge(run("a"), .send("next")))
    let root = harness.step
    _ = harness.followUp { _ in run("b") }
    let token = try #require(harness.tokens["b"])
    let cause = try #require(harness.sent(token)).answer(step: 9, action: "answer")
    harness.ledger.begin(.merge(run("c"), .send("last")), of: cause)
    _ = harness.take()
    #expect(harness.ledger.running(causedBy: root).map(\.name) == ["a", "b", "c", "send"])
    #expect(harness.ledger.hasEffects(causedBy: root))
    harness.ledger.cancel(causedBy: root)
    #expect(harness.take() == ["cancel a", "cancel b", "cancel c"])
    #expect(harness.next()?.action == nil)
    #expect(!harness.ledger.hasEffects(causedBy: root))
    #expect(harness.running == ["other"])
  }

  @Test func whatRunsIsListedWithItsOwnerItsIDAndItsCause() throws {
    _ = harness.begin(
      .merge(run("a").cancellable("x"), run("b").cancellable("x", .queue)).scoped("s"),
      action: "s/load")
    let list = harness.ledger.running
    #expect(list.map(\.name) == ["a", "b"])
    #expect(list.map(\.activity) == [.running, .queued])
    #expect(
      list.allSatisfy { $0.scope.description == "s" && $0.id == "x" && $0.cause.action == "s/load" }
    )
  }

  @Test func cancellingEverythingLeavesNothing() {
    _ = harness.begin(
      .merge(
        run("a"), .send("b"), .command(Job()), run("c").debounced("d", for: .seconds(1)),
        run("e").throttled("f", for: .seconds(2)), .concatenate(run("g"), run("h")).scoped("s")))
    harness.ledger.cancelAll()
    let outputs = harness.take()
    #expect(
      Set(outputs) == [
        "cancel a", "drop p-1-0", "cancel sleep1", "cancel e", "cancel sleep2", "cancel g",
      ])
    #expect(outputs.count == 6)
    #expect(harness.ledger.isEmpty)
  }

  @Test func aCrashForgetsEverythingButNoTokenIsGivenTwice() {
    _ = harness.begin(.merge(run("a"), .send("x")))
    harness.ledger.reset()
    #expect(harness.ledger.isEmpty)
    _ = harness.begin(run("b"))
    #expect(harness.tokens["a"] != harness.tokens["b"])
    #expect(!harness.accepts(from: "a"))
    #expect(harness.take().isEmpty)
  }

  @Test func aCopyIsAVersionOfItsOwn() {
    _ = harness.begin(run("a").cancellable("x"))
    var copy = harness.ledger
    copy.cancelAll()
    #expect(copy.isEmpty)
    #expect(harness.accepts(from: "a"))
  }
}
