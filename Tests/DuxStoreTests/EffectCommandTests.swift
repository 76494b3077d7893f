import DuxStore
import Testing

struct EffectCommandTests {
  private let harness = EffectHarness(keyPrefix: "e1")
  private let job = Effect<String>.command(Job())

  @Test func aCommandIsWrittenDownStartedAndTakenOutWhenItIsDone() {
    #expect(harness.begin(job) == ["enqueue e1-1-0 Job", "start e1-1-0"])
    #expect(harness.answer(to: "e1-1-0")?.step == 1)
    harness.ledger.ended(CommandKey("e1-1-0"))
    #expect(harness.take() == ["drop e1-1-0"])
    #expect(harness.answer(to: "e1-1-0") == nil)
    #expect(harness.ledger.lateActions == 1)
    #expect(harness.ledger.isEmpty)
  }

  @Test func theKeysOfAStepsCommandsDoNotDependOnWhenTheyBegin() {
    let effect = Effect.merge(.concatenate(run("a"), job, job), job, job.scoped("gone"), job)
    #expect(
      harness.begin(effect, departed: ["gone"]) == [
        "run a", "enqueue e1-1-2 Job", "start e1-1-2", "enqueue e1-1-4 Job", "start e1-1-4",
      ])
    #expect(harness.end("a") == ["enqueue e1-1-0 Job", "start e1-1-0"])
    harness.ledger.ended(CommandKey("e1-1-0"))
    #expect(harness.take() == ["drop e1-1-0", "enqueue e1-1-1 Job", "start e1-1-1"])
  }

  @Test func cancelledCommandsLeaveTheOutbox() {
    _ = harness.begin(.merge(job.cancellable("x"), job.scoped("s"), job))
    #expect(harness.begin(.cancel("x")) == ["drop e1-1-0"])
    #expect(harness.begin(.none, departed: ["s"]) == ["drop e1-1-1"])
    harness.ledger.cancel(CommandKey("e1-1-2"))
    #expect(harness.take() == ["drop e1-1-2"])
    #expect(harness.ledger.isEmpty)
  }

  @Test func aQueuedCommandIsWrittenDownAtOnceAndStartedInItsTurn() {
    let queued = job.cancellable("x", .queue)
    #expect(harness.begin(queued) == ["enqueue e1-1-0 Job", "start e1-1-0"])
    #expect(harness.begin(queued) == ["enqueue e1-2-0 Job"])
    #expect(harness.ledger.running.map(\.activity) == [.command, .queued])
    harness.ledger.ended(CommandKey("e1-1-0"))
    #expect(harness.take() == ["drop e1-1-0", "start e1-2-0"])
  }

  @Test func aCommandGivenUpByTakeLatestIsTakenOutInTheSameStep() {
    let latest = job.cancellable("x", .takeLatest)
    _ = harness.begin(latest)
    #expect(harness.begin(latest) == ["drop e1-1-0", "enqueue e1-2-0 Job", "start e1-2-0"])
  }

  @Test func theOutboxIsWhatWasWrittenDownAndNotTakenOut() {
    _ = harness.begin(.merge(job, job, job))
    harness.ledger.ended(CommandKey("e1-1-1"))
    #expect(harness.ledger.outbox.map(\.key.text) == ["e1-1-0", "e1-1-2"])
  }

  @Test func aFailedTryIsCountedInTheEntry() throws {
    _ = harness.begin(job)
    let attempted = harness.ledger.attempted(CommandKey("e1-1-0"), attempts: 3)
    let entry = try #require(attempted)
    #expect(entry.attempts == 3)
    #expect(harness.ledger.outbox == [entry])
    let none = harness.ledger.attempted(CommandKey("none"), attempts: 1)
    #expect(none == nil)
  }

  /// What a daemon finds after a crash.
  private func restarted(_ harness: EffectHarness) -> (EffectHarness, [String]) {
    let next = EffectHarness(keyPrefix: "e1")
    next.ledger.restore(harness.ledger.outbox)
    return (next, next.take())
  }

  @Test func aRestartStartsWhatWasNotDoneUnderTheSameKeys() {
    _ = harness.begin(.merge(job, job))
    harness.ledger.ended(CommandKey("e1-1-0"))
    let (next, outputs) = restarted(harness)
    #expect(outputs == ["start e1-1-1"])
    #expect(next.ledger.outbox == harness.ledger.outbox)
    next.ledger.ended(CommandKey("e1-1-1"))
    #expect(next.take() == ["drop e1-1-1"])
    #expect(next.ledger.isEmpty)
  }

  @Test func aRestartKeepsQueuesAndTheirOrder() {
    let queued = job.cancellable("x", .queue).scoped("s")
    _ = harness.begin(.merge(queued, queued, queued, job))
    let (next, outputs) = restarted(harness)
    #expect(outputs == ["start e1-1-0", "start e1-1-3"])
    next.ledger.ended(CommandKey("e1-1-0"))
    #expect(next.take() == ["drop e1-1-0", "start e1-1-1"])
    next.ledger.ended(CommandKey("e1-1-1"))
    #expect(next.take() == ["drop e1-1-1", "start e1-1-2"])
  }

  @Test func aRestartKeepsAllIDsAndTheOwner() {
    let inner = Effect.merge(job.cancellable("inner").scoped("row"), job)
    _ = harness.begin(inner.cancellable("outer", .takeLatest).scoped("s"))
    for (effect, departed, outputs) in [
      (Effect<String>.cancel("inner").scoped("s", "row"), [String](), ["drop e1-1-0"]),
      (.cancel("outer").scoped("s"), [], ["drop e1-1-0", "drop e1-1-1"]),
      (.none, ["s/row"], ["drop e1-1-0"]),
      (.none, ["s"], ["drop e1-1-0", "drop e1-1-1"]),
    ] {
      let (next, _) = restarted(harness)
      #expect(next.begin(effect, departed: departed) == outputs)
    }
  }

  @Test func aRestartHoldsACommandBackUntilAllItsQueuesLetItGo() {
    let twice = job.cancellable("inner", .queue).cancellable("outer", .queue)
    _ = harness.begin(.merge(job.cancellable("inner"), job.cancellable("outer")))
    var kept = harness.ledger.outbox
    _ = harness.begin(.merge(.cancel("inner"), .cancel("outer"), twice))
    kept += harness.ledger.outbox
    let next = EffectHarness(keyPrefix: "e1")
    next.ledger.restore(kept)
    #expect(next.take() == ["start e1-1-0", "start e1-1-1"])
    next.ledger.ended(CommandKey("e1-1-1"))
    #expect(next.take() == ["drop e1-1-1"])
    next.ledger.ended(CommandKey("e1-1-0"))
    #expect(next.take() == ["drop e1-1-0", "start e1-2-0"])
  }

  @Test func restoringTwiceRestoresOnce() {
    _ = harness.begin(job)
    harness.ledger.restore(harness.ledger.outbox)
    #expect(harness.take().isEmpty)
  }
}
