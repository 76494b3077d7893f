import DuxStore
import Testing

@Suite("A thunk")
struct ThunkTests {
  private typealias TallyThunk = Thunk<Tally.State, Tally.Action>

  /// Sends what it read, then adds, then sends what it reads now.
  private let doubling = TallyThunk("doubling") { state, dispatch in
    await dispatch(.note("before \(state().count)"))
    await dispatch(.add(state().count))
    await dispatch(.note("after \(state().count)"))
  }

  @Test("reads the newest state whenever it asks, and dispatches as whoever started it")
  func dispatched() async {
    let store = Store.tally(Tally.State(count: 21))
    let authors = Trace<String>()
    let subscription = store.subscribe(initial: .none) { authors.add($0.author) }
    let activity = store.dispatch(doubling, by: "ann")
    await activity.finish()
    #expect(store.state == Tally.State(count: 42, notes: ["before 21", "after 42"]))
    #expect(authors.all == ["ann", "ann", "ann"])
    #expect(store.remembersNothing)
    subscription.cancel()
  }

  @Test("can be what an action stands for, which is reduced first")
  func stage() async {
    let doubling = doubling
    let store = Store(initialState: Tally.State(count: 1)) {
      Tally()
    } middleware: {
      ThunkStage { action in action == .rename("go") ? doubling : nil }
    }
    let receipt = store.dispatch(.rename("go"))
    #expect(receipt.result?.seq == 1)
    #expect(store.state.name == "go")
    await receipt.finish()
    #expect(
      store.state == Tally.State(count: 2, notes: ["before 1", "after 2"], name: "go"))
    #expect(store.dispatch(.nothing).activity.isFinished)
  }

  @Test("does not start when its action is refused")
  func refused() async {
    let started = Latch()
    let store = Store(initialState: Tally.State()) {
      Tally()
    } middleware: {
      ThunkStage { _ in TallyThunk { _, dispatch in started.open() } }
    }
    let receipt = store.dispatch(.refuse)
    await receipt.finish()
    #expect(receipt.activity.isFinished)
    #expect(store.remembersNothing)
  }

  @Test("that is cancelled dispatches no more, however long it goes on")
  func cancelled() async {
    let store = Store.tally()
    let (started, ended) = (Latch(), Latch())
    let activity = store.dispatch(
      TallyThunk("stubborn") { _, dispatch in
        await dispatch(.add(1))
        started.open()
        while !Task.isCancelled { await Task.yield() }
        await dispatch(.add(100))
        ended.open()
      })
    await started.wait()
    activity.cancel()
    await activity.finish()
    await ended.wait()
    #expect(store.state.count == 1)
  }

  @Test("whose error nobody expects is reported")
  func failure() async {
    let issues = Trace<String>()
    let store = Store(initialState: Tally.State(), issues: { issues.add($0) }) { Tally() }
    await store.dispatch(TallyThunk("broken") { _, _ in throw Tally.Broken() }).finish()
    #expect(issues.count == 1)
    #expect(issues.all.first?.contains("broken") == true)
  }

  @Test("does not start after the store was closed")
  func closed() async {
    let store = Store.tally()
    store.close()
    let activity = store.dispatch(doubling)
    await activity.finish()
    #expect(store.state == Tally.State())
  }
}
