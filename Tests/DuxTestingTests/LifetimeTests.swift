import DuxStore
import DuxTesting
import Testing

struct LifetimeTests {
  @Test func cancellingASentActionCancelsTheEffectsOfItsFollowUps() async {
    let reducer = Reduce<Int, String> { _, action in
      switch action {
      case "outer": .send("inner")
      case "inner": .run("deep") { _ in await Never.untilCancelled() }
      default: .none
      }
    }
    let store = TestStore<Int, String>(initialState: 0) { reducer }
    let sent = await store.send("outer")
    await store.receive("inner")
    await sent.cancel()
    await sent.cancel()
    await sent.finish()
    await store.finish()
  }

  @Test func theSameIdInTwoStoresIsTwoEffects() async {
    let (first, second) = (TestStore.shop(), TestStore.shop())
    await first.send(.hang)
    await second.send(.hang)
    await first.send(.stop)
    await first.finish()
    #expect(await second.skipEffects().count == 1)
    await second.finish()
  }

  @Test func effectsEndWithTheirOwner() async {
    struct Child: Reducer {
      func reduce(into state: inout Int, action: String) -> Effect<String> {
        .run("child") { _ in await Never.untilCancelled() }
      }
    }
    struct Parent: Reducer {
      struct State: Equatable, Sendable { var child: Int? = 0 }
      enum Action: Equatable, Sendable { case child(String), close }
      var body: some Reducer<State, Action> {
        Reduce<State, Action> { state, action in
          if action == .close { state.child = nil }
          return .none
        }
        .ifLet(\.child, action: CasePath(Action.child)) { Child() }
      }
    }
    let complaints = Complaints()
    let store = TestStore(initialState: Parent.State(), issues: { complaints.take($0) }) {
      Parent()
    }
    await store.send(.child("go"))
    await store.send(.close) { $0.child = nil }
    await store.finish()
    #expect(complaints.failures.isEmpty)
    let late = TestStore(initialState: Parent.State(child: nil)) { Parent() }
    await late.send(.child("go"), rejected: "target_gone")
    await late.finish()
  }

  @Test func aStormOfFollowUpsIsReducedInOrder() async {
    let reducer = Reduce<[Int], Int> { state, action in
      state.append(action)
      if action == 0 { return .merge((1...20_000).map { .send($0) }) }
      return action == 20_000 ? .send(30_000) : .none
    }
    let store = TestStore<[Int], Int>(initialState: []) { reducer }
    await store.withExhaustivity(.partial) { _ = await store.send(0) }
    #expect(await store.skipReceivedActions(timeout: .seconds(60)).count == 20_001)
    #expect(store.state == Array(0...20_000) + [30_000])
    await store.finish()
  }

  @Test func whatAnEffectSendsAfterItsEndIsDroppedAndCounted() async {
    let gate = Gate()
    let reducer = Reduce<Int, String> { state, action in
      state += 1
      guard action == "go" else { return .none }
      return .run { send in
        Task {
          await gate.wait()
          await send("late")
          gate.finished()
        }
      }
    }
    let store = TestStore<Int, String>(initialState: 0) { reducer }
    let sent = await store.send("go") { $0 = 1 }
    await sent.finish()
    gate.open()
    while await store.lateActions == 0 { await Task.yield() }
    #expect(store.state == 1)
    await store.finish()
  }
}

/// A door that a task waits at until it is opened.
private final class Gate: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }
  func wait() async { for await _ in stream {} }
  func finished() {}
}
