import DuxJSON
import DuxStore
import Synchronization
import Testing

struct EffectRunnerCommandTests {
  private struct Fault: Error {}

  private let clock = TestClock()
  private let policy = RetryPolicy(
    attempts: 4, firstDelay: .seconds(1), longestDelay: .seconds(3), timeout: .seconds(10),
    deadline: .seconds(60))

  private func handler(
    _ policy: RetryPolicy? = nil,
    _ body: @escaping @Sendable (Job, CommandContext) async throws -> String
  ) -> CommandHandler<String> {
    CommandHandler(
      Job.self, retry: policy ?? self.policy,
      started: { job, context in "started \(job.number) \(context.key)" },
      failed: { error, job, context in "gave up \(job.number) after \(context.attempt): \(error)" },
      run: body)
  }

  private let job = Effect<String>.command(Job(number: 7))

  @Test func aCommandTellsItsStartAndItsSuccess() async {
    let stage = EffectStage(
      clock: clock, commands: [handler { job, context in "done \(job.number) \(context.attempt)" }])
    stage.begin(job)
    await stage.line("done 7 1")
    #expect(stage.lines == ["started 7 s-1-0", "done 7 1"])
    await stage.empty()
  }

  @Test func aFailedTryIsMadeAgainUnderTheSameKeyWithDoubledWaits() async throws {
    let keys = Mutex<[String]>([])
    let stage = EffectStage(
      clock: clock,
      commands: [
        handler { _, context in
          keys.withLock { $0.append(context.key) }
          throw Fault()
        }
      ])
    stage.begin(job)
    for (number, seconds) in [(1, 1), (2, 2), (3, 3)] {
      await stage.line("try \(number) failed: Fault(), again in \(seconds)")
      await clock.sleepers(1)
      await clock.advance(by: .seconds(seconds))
    }
    await stage.line("gave up 7 after 4: Fault()")
    await stage.empty()
    #expect(keys.withLock { $0 } == Array(repeating: "s-1-0", count: 4))
    #expect(try await stage.runner.shutdown(within: .seconds(10)) == 0)
    #expect(stage.isEmpty)
  }

  @Test func whatIsNotToBeTriedAgainIsNot() async {
    let stage = EffectStage(clock: clock, commands: [handler { _, _ in throw DoNotRetry(Fault()) }])
    stage.begin(job)
    await stage.line("gave up 7 after 1: Fault()")
    #expect(!stage.lines.contains { $0.hasPrefix("try") })
  }

  @Test func aTryThatHangsIsCutAndLetGo() async throws {
    let gate = Gate()
    let stage = EffectStage(
      clock: clock,
      commands: [
        handler { _, context in
          if context.attempt == 1 { await gate.pass() }
          return "done in try \(context.attempt)"
        }
      ])
    stage.begin(job)
    await clock.sleepers(1)
    await clock.advance(by: .seconds(10))
    await stage.line("try 1 failed: timedOut, again in 1")
    await clock.sleepers(1)
    await clock.advance(by: .seconds(1))
    await stage.line("done in try 2")
    gate.open()
    #expect(try await stage.runner.shutdown(within: .seconds(10)) == 0)
    #expect(!stage.lines.contains("done in try 1"))
  }

  @Test func aCommandIsGivenUpAtItsDeadline() async {
    var policy = policy
    policy.deadline = .seconds(15)
    policy.attempts = 100
    let gate = Gate()
    defer { gate.open() }
    let stage = EffectStage(
      clock: clock,
      commands: [
        handler(policy) { _, _ in
          await gate.pass()
          return "never"
        }
      ])
    stage.begin(job)
    await clock.sleepers(1)
    await clock.advance(by: .seconds(10))
    await stage.line("try 1 failed: timedOut, again in 1")
    await clock.sleepers(1)
    await clock.advance(by: .seconds(1))
    await clock.sleepers(1)
    await clock.advance(by: .seconds(4))
    await stage.line("gave up 7 after 2: deadlinePassed")
    #expect(clock.now.offset == .seconds(15))
  }

  @Test func anOldCommandHasTheRestOfItsTime() async throws {
    let stage = EffectStage(clock: clock, commands: [handler { _, _ in "done" }])
    let entry = CommandEntry(
      key: CommandKey("s-1-0"), name: "Job", payload: ["number": 3], scope: .root, controls: [],
      cause: EffectCause(step: 1, action: "a", author: "me"), attempts: 2)
    try stage.runner.start(entry, age: .seconds(61))
    await stage.line("failed: deadlinePassed")
  }

  @Test func aRestoredCommandGoesOnWithItsTries() async {
    let stage = EffectStage(
      clock: clock, commands: [handler { _, context in "done in try \(context.attempt)" }])
    stage.restore([
      CommandEntry(
        key: CommandKey("old-4-1"), name: "Job", payload: ["number": 3], scope: .root,
        controls: [], cause: EffectCause(step: 4, action: "a", author: "me"), attempts: 2)
    ])
    await stage.line("done in try 3")
    #expect(stage.lines == ["done in try 3"])
  }

  @Test func aCancelledCommandIsStoppedAndNotHeard() async throws {
    let gate = Gate()
    let stage = EffectStage(
      clock: clock,
      commands: [
        handler { _, _ in
          await gate.pass()
          return "never"
        }
      ])
    stage.begin(job.cancellable("x"))
    await stage.line("started 7 s-1-0")
    await clock.sleepers(1)
    stage.begin(.cancel("x"))
    await clock.sleepers(0)
    gate.open()
    #expect(try await stage.runner.shutdown(within: .seconds(10)) == 0)
    #expect(stage.lines == ["started 7 s-1-0"])
    #expect(stage.isEmpty)
  }

  @Test func aCommandThatNobodyKnowsFails() async {
    let stage = EffectStage(clock: clock)
    stage.begin(job)
    await stage.line("failed: unknownCommand")
    await stage.empty()
  }

  @Test func aPayloadThatCannotBeReadFailsAtOnce() async {
    let stage = EffectStage(clock: clock, commands: [handler { _, _ in "done" }])
    stage.restore([
      CommandEntry(
        key: CommandKey("k"), name: "Job", payload: ["number": "seven"], scope: .root,
        controls: [], cause: EffectCause(step: 4, action: "a", author: "me"))
    ])
    await stage.lines { $0.contains { $0.hasPrefix("failed: ") } }
    await stage.empty()
    #expect(stage.lines.count == 1)
  }

  @Test func noTryIsCutOnAClockThatJumps() async {
    let gate = Gate()
    let stage = EffectStage(
      clock: ImmediateClock(),
      commands: [
        handler { _, context in
          if context.attempt < 3 { throw Fault() }
          await gate.pass()
          return "done"
        }
      ])
    stage.begin(job)
    await stage.line("try 2 failed: Fault(), again in 2")
    gate.open()
    await stage.line("done")
  }

  @Test func waitsDoubleUpToTheLongestAndAreSpread() {
    let policy = RetryPolicy.standard
    #expect(policy.wait(after: 1, spread: 1) == .seconds(1))
    #expect(policy.wait(after: 4, spread: 1) == .seconds(8))
    #expect(policy.wait(after: 1_000_000, spread: 1) == .seconds(60))
    #expect(policy.wait(after: 3, spread: 0) == .seconds(2))
    #expect(RetryPolicy.once.wait(after: 1, spread: 0.5) == .zero)
  }
}
