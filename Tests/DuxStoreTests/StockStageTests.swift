@testable import DuxStore
import Testing

@Suite("The logger")
struct LoggerTests {
  @Test("tells of each action with what it changed, by path")
  func changes() {
    let entries = Trace<ActionLogger<Tally.State, Tally.Action>.Entry>()
    let store = Store(initialState: Tally.State(name: "ann")) {
      Tally()
    } middleware: {
      ActionLogger { entries.add($0) }
    }
    store.dispatch(.add(2), by: "bob")
    store.dispatch(.rename(nil))
    store.dispatch(.nothing)
    store.dispatch(.refuse)
    #expect(entries.all.map(\.action) == [.add(2), .rename(nil), .nothing, .refuse])
    #expect(entries.all[0].changes.map(\.description) == ["/count: 0 → 2"])
    #expect(entries.all[0].context.author == "bob")
    #expect(entries.all[1].changes.map(\.old) == [#""ann""#])
    #expect(entries.all[2].changes.isEmpty)
    #expect(entries.all[3].rejection?.reason == "unwanted")
    #expect(entries.all[3].changes.isEmpty)
    #expect(entries.all.allSatisfy { $0.duration == nil })
    #expect(entries.all[0].description == "add(2) by bob\n  /count: 0 → 2")
  }

  @Test("tells of an element put before others as a new one")
  func insertion() {
    let lines = Trace<String>()
    let store = Store(initialState: [1]) {
      Reduce<[Int], Int> { state, action in
        state.insert(action, at: 0)
        return .none
      }
    } middleware: {
      ActionLogger { lines.add($0.description) }
    }
    store.dispatch(2)
    #expect(lines.all == ["2\n  /0: nothing → 2"])
  }

  @Test("tells the state after each action, also when listeners dispatch")
  func nested() {
    let lines = Trace<String>()
    let store = Store(initialState: Tally.State()) {
      Tally()
    } middleware: {
      ActionLogger { lines.add($0.description) }
    }
    let subscription = store.select(\.count, initial: .none) { [weak store] count in
      if count < 3 { store?.dispatch(.add(1)) }
    }
    store.dispatch(.add(1))
    #expect(
      lines.all == (0..<3).map { "add(1)\n  /count: \($0) → \($0 + 1)" })
    subscription.cancel()
  }

  @Test("finds the changed properties of a state that has no JSON")
  func plainState() {
    struct Shape: Equatable, Sendable {
      struct Size: Equatable, Sendable { var width = 1 }
      var size = Size()
      var name = "box"
    }
    let lines = Trace<String>()
    let store = Store<Shape, Int>(
      initialState: Shape(),
      reducer: {
        Reduce { state, width in
          state.size.width = width
          return .none
        }
      },
      middleware: { ActionLogger { lines.add($0.description) } })
    store.dispatch(5)
    #expect(lines.all == ["5\n  /size/width: 1 → 5"])
  }

  @Test("measures with the clock that it is given")
  func duration() async {
    let clock = TestClock()
    let durations = Trace<Duration?>()
    let store = Store(initialState: Tally.State()) {
      Tally()
    } middleware: {
      ActionLogger(clock: clock) { durations.add($0.duration) }
    }
    store.dispatch(.add(1))
    #expect(durations.all == [.zero])
  }
}

@Suite("The validator")
struct ValidatorTests {
  @Test("refuses what its rule refuses, seeing the state")
  func rule() {
    let store = Store(initialState: Tally.State()) {
      Tally()
    } middleware: {
      Validator("limit") { action, state in
        guard case .add(let number) = action, state.count + number > 10 else { return }
        throw Rejection(reason: "limit", message: "\(state.count) + \(number) is more than 10")
      }
    }
    #expect(store.dispatch(.add(6)).result?.seq == 1)
    #expect(
      store.dispatch(.add(6)).result?.rejection
        == Rejection(reason: "limit", message: "6 + 6 is more than 10"))
    #expect(store.dispatch(.add(4)).result?.seq == 2)
  }
}

@Suite("The rate limiter")
struct RateLimiterTests {
  private let clock = TestClock()

  private func store(perSecond rate: Double, burst: Int) -> Store<Tally.State, Tally.Action> {
    let clock = clock
    return Store(
      initialState: Tally.State(),
      dependencies: DependencyValues(.test).setting { $0.clock = clock }
    ) {
      Tally()
    } middleware: {
      RateLimiter(perSecond: rate, burst: burst)
    }
  }

  @Test("passes a burst, and then as much as time allows")
  func bucket() async {
    let store = store(perSecond: 2, burst: 3)
    let accepted = { store.dispatch(.add(1), by: "ann").result?.seq != nil }
    #expect([accepted(), accepted(), accepted(), accepted()] == [true, true, true, false])
    await clock.advance(by: .milliseconds(499))
    #expect(!accepted())
    await clock.advance(by: .milliseconds(1))
    #expect(accepted())
    #expect(!accepted())
    await clock.advance(by: .seconds(60))
    #expect([accepted(), accepted(), accepted(), accepted()] == [true, true, true, false])
    #expect(store.state.count == 7)
  }

  @Test("counts each author by itself")
  func authors() {
    let store = store(perSecond: 1, burst: 1)
    #expect(store.dispatch(.add(1), by: "ann").result?.seq == 1)
    #expect(store.dispatch(.add(1), by: "ann").result?.rejection?.reason == "rate_limited")
    #expect(store.dispatch(.add(1), by: "bob").result?.seq == 2)
  }

  @Test("lets follow-ups pass")
  func followUps() {
    let store = store(perSecond: 1, burst: 1)
    store.dispatch(.countdown(5), by: "ann")
    #expect(store.state.count == 6)
  }

  @Test("says when to come again")
  func retryAfter() throws {
    let limiter = RateLimiter<Int, Int>(perSecond: 4, burst: 1)
    let context = DispatchContext(author: "ann")
    let clock = clock
    let dependencies = DependencyValues(.test).setting { $0.clock = clock }
    try DependencyValues.$current.withValue(dependencies) {
      _ = try limiter.process(1, in: 1, context)
      #expect(throws: RateLimited(author: "ann", retryAfter: .milliseconds(250))) {
        try limiter.process(1, in: 1, context)
      }
    }
    #expect(
      Rejection(RateLimited(author: "ann", retryAfter: .milliseconds(250)))
        == Rejection(
          reason: "rate_limited",
          message: "ann dispatches too fast; the next one passes in 250 ms"))
  }

  @Test(
    "takes any time that a stage says",
    arguments: [
      (Duration.seconds(Int64.max), 86_400_000), (.seconds(Int64.min), 0), (.nanoseconds(1), 1),
    ])
  func anyTime(retryAfter: Duration, expectedMilliseconds: Int) {
    let limit = RateLimited(author: "ann", retryAfter: retryAfter)
    #expect(limit.description.hasSuffix("in \(expectedMilliseconds) ms"))
    let wait: Int64? =
      if case .rateLimited(_, let wait) = Refusal(thrown: limit) { wait } else { nil }
    #expect(wait == Int64(expectedMilliseconds) + 1)
  }
}
