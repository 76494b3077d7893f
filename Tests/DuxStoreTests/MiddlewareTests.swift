import DuxStore
import Testing

/// A stage that writes down what it sees, and does what it is told.
private struct Tracer: Middleware {
  typealias State = Tally.State
  typealias Action = Tally.Action

  let name: String
  let seen: Trace<String>
  var decide: @Sendable (Action) throws -> Passage<Action> = { _ in .pass() }

  func process(
    _ action: Action, in state: State, _ context: DispatchContext
  ) throws -> Passage<Action> {
    seen.add("\(name) sees \(action)")
    return try decide(action)
  }

  func finished(
    _ action: Action, before: State, after: State, _ context: DispatchContext,
    _ result: Result<Void, Rejection>
  ) {
    let outcome =
      switch result {
      case .success: "\(before.count) to \(after.count)"
      case .failure(let rejection): rejection.reason
      }
    seen.add("\(name) ends \(action): \(outcome)")
  }
}

@Suite("Middleware")
struct MiddlewareTests {
  private let seen = Trace<String>()

  private func store(
    recording: Recording = .off, _ stages: Tracer...
  ) -> Store<Tally.State, Tally.Action> {
    Store(initialState: Tally.State(), recording: recording) {
      Tally()
    } middleware: {
      stages
    }
  }

  @Test("sees an action from the first stage in to the last, and its end from the last out")
  func order() {
    let store = store(Tracer(name: "outer", seen: seen), Tracer(name: "inner", seen: seen))
    store.dispatch(.add(1))
    #expect(
      seen.all == [
        "outer sees add(1)", "inner sees add(1)", "inner ends add(1): 0 to 1",
        "outer ends add(1): 0 to 1",
      ])
  }

  @Test("puts another action in place of one; that is reduced, logged and told")
  func replaces() {
    let told = Trace<Tally.Action?>()
    let store = store(
      recording: .on, Tracer(name: "outer", seen: seen),
      Tracer(name: "doubler", seen: seen) { action in
        if case .add(let number) = action { .replace(with: .add(2 * number)) } else { .pass() }
      }, Tracer(name: "inner", seen: seen))
    let subscription = store.subscribe(initial: .none) { told.add($0.action) }
    let receipt = store.dispatch(.add(1))
    #expect(receipt.result == .accepted(seq: 1, changed: true, action: .add(2)))
    #expect(store.log.map(\.action) == [.add(2)])
    #expect(told.all == [.add(2)])
    #expect(
      seen.all == [
        "outer sees add(1)", "doubler sees add(1)", "inner sees add(2)",
        "inner ends add(2): 0 to 2", "doubler ends add(2): 0 to 2", "outer ends add(2): 0 to 2",
      ])
    subscription.cancel()
  }

  @Test("refuses by throwing; only the stages before that one hear of the end")
  func refuses() {
    let store = store(
      Tracer(name: "outer", seen: seen),
      Tracer(name: "guard", seen: seen) { action in
        guard action == .nothing else { return .pass() }
        throw Rejection(reason: "idle", message: "nothing to do")
      }, Tracer(name: "inner", seen: seen))
    #expect(store.dispatch(.nothing).result?.rejection?.reason == "idle")
    #expect(
      seen.all == ["outer sees nothing", "guard sees nothing", "outer ends nothing: idle"])
    #expect(store.snapshot.seq == 0)
    #expect(store.dispatch(.add(1)).result?.seq == 1)
  }

  @Test("hears of it when the reducer refuses")
  func reducerRefuses() {
    let store = store(Tracer(name: "outer", seen: seen))
    store.dispatch(.refuse)
    #expect(seen.all == ["outer sees refuse", "outer ends refuse: unwanted"])
  }

  @Test("has its effects done when the action is accepted, and not when it is refused")
  func stageEffects() {
    let store = store(
      Tracer(name: "outer", seen: seen) { action in
        if case .note = action { .pass() } else { .pass(.send(.note("outer"))) }
      },
      Tracer(name: "inner", seen: seen) { action in
        if case .add = action { .replace(with: .add(7), .send(.note("inner"))) } else { .pass() }
      })
    store.dispatch(.refuse)
    #expect(store.state == Tally.State())
    store.dispatch(.add(1))
    #expect(store.state == Tally.State(count: 7, notes: ["outer", "inner"]))
  }

  @Test("lists its stages, numbering a name that comes again")
  func names() {
    let stages = ["log", "check", "check", "check 2", "check"].map { Tracer(name: $0, seen: seen) }
    let store = Store(initialState: Tally.State()) {
      Tally()
    } middleware: {
      stages
      Validator("check") { _, _ in }
    }
    #expect(
      store.pipeline == ["log", "check", "check 2", "check 2 2", "check 3", "check 4", "reduce"])
    #expect(Store.tally().pipeline == ["reduce"])
  }

  @Test("that dispatches has that carried out after the action, through all stages")
  func dispatchFromStage() {
    let holder = SharedValue<Store<Tally.State, Tally.Action>?>(nil)
    let store = store(
      Tracer(name: "outer", seen: seen),
      Tracer(name: "echo", seen: seen) { action in
        if action == .add(1) { holder.value?.dispatch(.note("echo")) }
        return .pass()
      })
    holder.value = store
    store.dispatch(.add(1))
    #expect(
      seen.all == [
        "outer sees add(1)", "echo sees add(1)", "echo ends add(1): 0 to 1",
        "outer ends add(1): 0 to 1", #"outer sees note("echo")"#, #"echo sees note("echo")"#,
        #"echo ends note("echo"): 1 to 1"#, #"outer ends note("echo"): 1 to 1"#,
      ])
    holder.value = nil
  }

  @Test("is told who asked, and which step an action comes from")
  func contexts() {
    struct Witness: Middleware {
      let contexts: Trace<DispatchContext>
      let name = "witness"

      func process(
        _ action: Tally.Action, in state: Tally.State, _ context: DispatchContext
      ) -> Passage<Tally.Action> {
        contexts.add(context)
        return .pass()
      }
    }
    let contexts = Trace<DispatchContext>()
    let store = Store(initialState: Tally.State()) {
      Tally()
    } middleware: {
      Witness(contexts: contexts)
    }
    store.dispatch(.nothing)
    store.dispatch(.countdown(2), by: "ann")
    #expect(
      contexts.all == [
        DispatchContext(author: ""), DispatchContext(author: "ann"),
        DispatchContext(author: "ann", origin: .followUp(.init(seq: 2, type: "countdown"))),
        DispatchContext(author: "ann", origin: .followUp(.init(seq: 3, type: "countdown"))),
      ])
  }
}
