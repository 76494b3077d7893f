import DuxStore
import Testing

struct EffectRunnerTests {
  private let clock = TestClock()

  /// Sends `name` after some seconds of the clock in force.
  private func delayed(_ name: String, _ seconds: Int) -> Effect<String> {
    .run(name) { send in
      try await DependencyValues.current.clock.sleep(for: .seconds(seconds))
      await send(name)
    }
  }

  @Test func aClosureSendsAnyNumberOfActionsInOrder() async throws {
    let stage = EffectStage(clock: clock)
    stage.begin(
      .run { send in
        for number in 1...3 { await send("\(number)") }
        await send("last")
      })
    await stage.empty()
    #expect(stage.lines == ["1", "2", "3", "last"])
    #expect(try await stage.runner.shutdown(within: .seconds(10)) == 0)
    #expect(stage.isEmpty)
  }

  @Test func closuresSeeTheDependenciesOfTheStore() async {
    let stage = EffectStage(clock: clock)
    stage.begin(delayed("a", 5))
    await clock.sleepers(1)
    #expect(stage.lines.isEmpty)
    await clock.advance(by: .seconds(5))
    await stage.line("a")
  }

  @Test func anErrorBecomesTheActionOfItsCatch() async {
    struct Fault: Error {}
    let stage = EffectStage(clock: clock)
    stage.begin(
      .run { _ in
        throw Fault()
      } catch: {
        "caught \($0)"
      })
    await stage.line("caught Fault()")
  }

  @Test func anErrorWithoutACatchIsReported() async {
    struct Fault: Error {}
    let stage = EffectStage(clock: clock)
    stage.begin(.run("load") { _ in throw Fault() })
    await stage.lines { !$0.isEmpty }
    #expect(
      stage.lines == [
        "issue: the effect \"load\" of the action begin failed and has no catch: Fault()"
      ])
  }

  @Test func beingCancelledIsNoFailure() async throws {
    let stage = EffectStage(clock: clock)
    stage.begin(delayed("a", 5).cancellable("x"))
    await clock.sleepers(1)
    stage.begin(.cancel("x"))
    await clock.sleepers(0)
    stage.begin(.run { _ in throw CancellationError() })
    await stage.empty()
    #expect(try await stage.runner.shutdown(within: .seconds(10)) == 0)
    #expect(stage.lines.isEmpty)
    #expect(stage.isEmpty)
  }

  @Test func aClosureThatIgnoresItsCancellationIsLetGoAndNotHeard() async throws {
    let gate = Gate()
    let stage = EffectStage(clock: clock)
    let hanging = Effect<String>.run("hanging") { send in
      await send("begun")
      await gate.pass()
      await send("late")
    }
    stage.begin(hanging.cancellable("x"))
    await stage.line("begun")
    stage.begin(.cancel("x"))
    #expect(stage.isEmpty)
    #expect(try stage.runner.taskCount == 1)
    #expect(try await stage.runner.shutdown(within: .milliseconds(1)) == 1)
    gate.open()
    #expect(try await stage.runner.shutdown(within: .seconds(10)) == 0)
    #expect(stage.lines == ["begun"])
    #expect(stage.lateActions == 1)
  }

  @Test func anActionSentAfterTheEndIsDropped() async throws {
    let gate = Gate()
    let stage = EffectStage(clock: clock)
    stage.begin(
      .run { send in
        Task {
          await gate.pass()
          await send("late")
          stage.note("sent")
        }
        await send("last")
      })
    await stage.line("last")
    await stage.empty()
    gate.open()
    await stage.line("sent")
    #expect(!stage.lines.contains("late"))
    #expect(stage.lateActions == 1)
  }

  @Test func aDebouncedEffectStartsAfterTheDelay() async {
    let stage = EffectStage(clock: clock)
    stage.begin(delayed("a", 0).debounced("search", for: .seconds(1)))
    await clock.sleepers(1)
    await clock.advance(by: .milliseconds(900))
    stage.begin(
      .run("b") { await $0("b") }.debounced("search", for: .seconds(1)))
    await clock.advance(by: .milliseconds(900))
    #expect(stage.lines.isEmpty)
    await clock.sleepers(1)
    await clock.advance(by: .milliseconds(100))
    await stage.line("b")
    #expect(stage.lines == ["b"])
  }

  @Test func aThrottledEffectRunsOnceInAnInterval() async {
    let stage = EffectStage(clock: clock)
    let poll = { (name: String) in
      Effect<String>.run(name) { await $0(name) }.throttled("poll", for: .seconds(10))
    }
    stage.begin(poll("a"))
    await stage.line("a")
    await clock.sleepers(1)
    stage.begin(poll("b"))
    stage.begin(poll("c"))
    await clock.advance(by: .seconds(9))
    #expect(stage.lines == ["a"])
    await clock.advance(by: .seconds(1))
    await stage.line("c")
    #expect(stage.lines == ["a", "c"])
    await clock.sleepers(1)
    await clock.advance(by: .seconds(10))
    await stage.empty()
  }

  @Test func anOwnerThatGoesTakesItsClosuresAlong() async {
    let stage = EffectStage(clock: clock)
    stage.begin(.merge(delayed("a", 1).scoped("row"), delayed("b", 1)))
    await clock.sleepers(2)
    stage.begin(.none, departed: ["row"])
    await clock.sleepers(1)
    await clock.run()
    await stage.line("b")
    #expect(stage.lines == ["b"])
    #expect(stage.lateActions == 0)
  }

  @Test func anAnswerMayBeginMoreAndCancelItsOwnEffect() async throws {
    let gate = Gate()
    let stage = EffectStage(clock: clock) { action in
      action == "stop" ? .merge(.cancel("x"), .run("next") { await $0("next") }) : .none
    }
    stage.begin(
      Effect<String>.run("self") { send in
        await send("stop")
        await gate.pass()
        await send("more")
      }.cancellable("x"))
    await stage.line("next")
    await stage.empty()
    gate.open()
    #expect(try await stage.runner.shutdown(within: .seconds(10)) == 0)
    #expect(Set(stage.lines) == ["stop", "next"])
    #expect(stage.isEmpty)
  }

  @Test func cancelsFromManyThreadsLeaveNothing() async throws {
    let stage = EffectStage(clock: clock)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for round in 0..<100 {
            let id = EffectID("\((thread + round) % 5)")
            stage.begin(
              Effect<String>.run("work") { send in
                await send("tick")
                try await DependencyValues.current.clock.sleep(for: .seconds(1))
                await send("never")
              }.cancellable(id, round.isMultiple(of: 2) ? .takeLatest : .parallel))
            stage.begin(.cancel(EffectID("\(round % 5)")))
          }
        }
      }
    }
    stage.begin(.cancelAll)
    #expect(stage.isEmpty)
    #expect(try await stage.runner.shutdown(within: .seconds(10)) == 0)
    #expect(!stage.lines.contains("never"))
    #expect(clock.sleeperCount == 0)
  }

  @Test func nothingBeginsAfterTheEnd() async throws {
    let stage = EffectStage(clock: clock)
    try stage.runner.close()
    stage.begin(.run { await $0("a") })
    #expect(try stage.runner.taskCount == 0)
    #expect(stage.lines.isEmpty)
  }
}
