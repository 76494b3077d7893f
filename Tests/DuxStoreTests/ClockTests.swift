import DuxStore
import Synchronization
import Testing

struct ClockTests {
  /// Notes in the order in which tasks make them.
  private final class Notes: Sendable {
    private let lines = Mutex<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private let clock = TestClock()
  private let notes = Notes()

  private func sleeper(_ name: String, _ seconds: Int) -> Task<Void, Never> {
    Task { [clock, notes] in
      do {
        try await clock.sleep(for: .seconds(seconds))
        notes.note("\(name) at \(clock.now.offset.components.seconds)")
      } catch {
        notes.note("\(name) cancelled")
      }
    }
  }

  @Test func sleepsEndInTheOrderOfTheirDeadlines() async {
    let tasks = [sleeper("c", 3), sleeper("a", 1), sleeper("b", 2)]
    await clock.sleepers(3)
    await clock.advance(by: .milliseconds(999))
    #expect(clock.sleeperCount == 3)
    await clock.advance(by: .milliseconds(1))
    await tasks[1].value
    #expect(notes.all == ["a at 1"])
    await clock.advance(to: TestClock.Instant(offset: .seconds(2)))
    await tasks[2].value
    await clock.run()
    await tasks[0].value
    #expect(notes.all == ["a at 1", "b at 2", "c at 3"])
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func aSleepThatIsOverDoesNotWait() async throws {
    await clock.advance(by: .seconds(5))
    try await clock.sleep(until: TestClock.Instant(offset: .seconds(5)), tolerance: nil)
    try await clock.sleep(for: .zero)
  }

  @Test func aCancelledSleepEndsAtOnce() async {
    let task = sleeper("a", 1)
    await clock.sleepers(1)
    task.cancel()
    await task.value
    #expect(notes.all == ["a cancelled"])
    #expect(clock.sleeperCount == 0)
    let late = Task { [clock] in
      while !Task.isCancelled { await Task.yield() }
      try await clock.sleep(for: .seconds(1))
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func waitersForACountGoOnWhenItIsReached() async {
    let waiter = Task { [clock] in await clock.sleepers(2) }
    let tasks = [sleeper("a", 1), sleeper("b", 1)]
    await waiter.value
    await clock.run()
    await clock.sleepers(0)
    for task in tasks { await task.value }
    #expect(Set(notes.all) == ["a at 1", "b at 1"])
  }

  @Test func aClockThatIsCancelledFromManyThreadsForgetsNoSleep() async {
    let tasks = (0..<200).map { sleeper("\($0)", 1 + $0 % 3) }
    await withTaskGroup(of: Void.self) { group in
      for (index, task) in tasks.enumerated() where index.isMultiple(of: 2) {
        group.addTask { task.cancel() }
      }
    }
    for index in stride(from: 0, to: 200, by: 2) { await tasks[index].value }
    await clock.sleepers(100)
    await clock.run()
    for task in tasks { await task.value }
    #expect(notes.all.count == 200)
    #expect(notes.all.count { $0.hasSuffix("cancelled") } == 100)
  }

  @Test func theImmediateClockJumpsToEachDeadline() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(3_600))
    #expect(clock.now.offset == .seconds(3_600))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func theFailingClockReportsItsUse() async throws {
    let issues = Mutex<[String]>([])
    let (reports, continuation) = AsyncStream<String>.makeStream()
    var values = DependencyValues(.test)
    values.issueListener = { continuation.yield($0) }
    try await DependencyValues.$current.withValue(values) {
      try await DependencyValues.current.clock.sleep(for: .seconds(1))
    }
    continuation.finish()
    for await report in reports { issues.withLock { $0.append(report) } }
    #expect(issues.withLock { $0 }.allSatisfy { $0.contains("\"clock\"") })
    #expect(issues.withLock { !$0.isEmpty })
  }
}
