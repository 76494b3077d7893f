import DuxStore
import Foundation
import Testing

/// Rows that load: each row owns the effects that work for it.
private struct Loader: Reducer {
  struct State: Codable, Equatable, Sendable {
    var rows: [String: String] = [:]
    var failures: [String] = []
    var sent: [String] = []
  }

  enum Action: Codable, Equatable, Sendable {
    case open(String)
    case close(String)
    case loaded(String, String)
    case failed(String)
    case cancel
    case cascade(Int)
    case post(String)
    case postBadly
    case posted(String, Int)
    case search(String)
  }

  struct Post: Command {
    let text: String
  }

  struct Unwritable: Command {
    var value = 0

    func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "this can't be written"))
    }
  }

  /// What loading waits for, and what it says then.
  let load: @Sendable (String) async throws -> String

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .open(let id):
      state.rows[id] = "…"
      return loading(id).cancellable("load").scoped("rows", id)
    case .close(let id): state.rows[id] = nil
    case .loaded(let id, let text):
      guard state.rows[id] != nil else { throw Rejection(reason: "gone", message: id) }
      state.rows[id] = text
    case .failed(let text): state.failures.append(text)
    case .cancel: return .cancel("search")
    case .cascade(let depth):
      guard depth > 0 else { return loading("leaf") }
      return .run { send in await send(.cascade(depth - 1)) }
    case .post(let text): return .command(Post(text: text))
    case .postBadly:
      state.sent.append("badly")
      return .command(Unwritable())
    case .posted(let text, let attempt): state.sent.append("\(text) \(attempt)")
    case .search(let text):
      state.rows["search"] = "…"
      let load = load
      return .run("search") { send in
        await send(.loaded("search", try await load(text)))
      }.cancellable("search", .takeLatest)
    }
    return .none
  }

  func departures(from old: State, to new: State) -> [EffectScope] {
    old.rows.keys.filter { new.rows[$0] == nil }.sorted().map { EffectScope(path: ["rows", $0]) }
  }

  private func loading(_ id: String) -> Effect<Action> {
    let load = load
    return .run("load \(id)") { send in
      await send(.loaded(id, try await load(id)))
    } catch: { error in
      .failed("\(id): \(error)")
    }
  }
}

@Suite("A store's effects")
struct StoreEffectTests {
  private typealias LoaderStore = Store<Loader.State, Loader.Action>

  private struct Down: Error {}

  private func store(
    commands: [CommandHandler<Loader.Action>] = [], issues: Trace<String> = Trace(),
    load: @escaping @Sendable (String) async throws -> String = { "text of \($0)" }
  ) -> LoaderStore {
    Store(
      initialState: Loader.State(), commands: commands, recording: .on,
      issues: { issues.add($0) }
    ) {
      Loader(load: load)
    }
  }

  @Test("answer with actions that say which step they come from")
  func answers() async {
    let store = store()
    let receipt = store.dispatch(.open("a"), by: "ann")
    await receipt.finish()
    #expect(store.state.rows == ["a": "text of a"])
    #expect(
      store.log.map(\.context) == [
        DispatchContext(author: "ann"),
        DispatchContext(author: "ann", origin: .effect(.init(seq: 1, type: "open"))),
      ])
    #expect(store.remembersNothing)
  }

  @Test("that fail answer with the action made of the error, or are reported")
  func failures() async {
    let issues = Trace<String>()
    let store = store(issues: issues) { _ in throw Down() }
    await store.dispatch(.open("a")).finish()
    #expect(store.state.failures == ["a: Down()"])
    #expect(issues.all.isEmpty)
    await store.dispatch(.search("x")).finish()
    #expect(issues.count == 1)
    #expect(issues.all.first?.contains("search") == true)
  }

  @Test("are finished for a receipt when all that came of them is")
  func cascade() async {
    let latch = Latch()
    let store = store { id in
      await latch.wait()
      return id
    }
    let receipt = store.dispatch(.cascade(3))
    #expect(!receipt.activity.isFinished)
    latch.open()
    await receipt.finish()
    #expect(receipt.activity.isFinished)
    #expect(store.snapshot.seq == 4)
    #expect(store.remembersNothing)
  }

  @Test("are cancelled by the receipt, those of follow-ups too, and say nothing more")
  func cancelReceipt() async {
    let (started, goOn, ended) = (Latch(), Latch(), Latch())
    let store = store { id in
      if id == "leaf" { started.open() }
      while !Task.isCancelled { await Task.yield() }
      guard id == "leaf" else { return id }
      await Task { await goOn.wait() }.value
      ended.open()
      return id
    }
    let other = store.dispatch(.search("other"))
    let receipt = store.dispatch(.cascade(2))
    await started.wait()
    receipt.cancel()
    await receipt.finish()
    #expect(receipt.activity.isCancelled)
    #expect(!other.activity.isFinished)
    goOn.open()
    await ended.wait()
    other.cancel()
    await other.finish()
    #expect(store.snapshot.seq == 4)
    #expect(store.state.failures.isEmpty)
    #expect(store.remembersNothing)
  }

  @Test("do not start when the receipt was cancelled while the action waited")
  func cancelWaiting() async {
    let loads = Trace<String>()
    let store = store { id in
      loads.add(id)
      return id
    }
    let waiting = SharedValue<Receipt<Loader.Action>?>(nil)
    let subscription = store.select(\.failures, initial: .none) { [weak store] _ in
      waiting.value = store?.dispatch(.open("a"))
      waiting.value?.cancel()
    }
    store.dispatch(.failed("x"))
    await waiting.value?.finish()
    #expect(waiting.value?.result?.seq == 2)
    #expect(store.state.rows == ["a": "…"])
    #expect(loads.all.isEmpty)
    subscription.cancel()
  }

  @Test("end in the step that removes their owner")
  func departures() async {
    let latch = Latch()
    let store = store { id in
      await latch.wait()
      return id
    }
    let opened = ["a", "b"].map { store.dispatch(.open($0)) }
    store.dispatch(.close("a"))
    await opened[0].finish()
    #expect(!opened[1].activity.isFinished)
    latch.open()
    await opened[1].finish()
    #expect(store.log.map(\.action).suffix(2) == [.close("a"), .loaded("b", "b")])
    #expect(store.remembersNothing)
  }

  @Test("give way to a later one of their id; the late answer never reaches the state")
  func takeLatest() async {
    let (first, second) = (Latch(), Latch())
    let store = store { text in
      await Task { await (text == "old" ? first : second).wait() }.value
      return text
    }
    let old = store.dispatch(.search("old"))
    let new = store.dispatch(.search("new"))
    second.open()
    await new.finish()
    first.open()
    await old.finish()
    #expect(store.state.rows == ["search": "new"])
    store.dispatch(.search("newer"))
    store.dispatch(.cancel)
    #expect(store.remembersNothing)
  }

  @Test("of two stores do not touch each other, whatever their ids")
  func twoStores() async {
    let latch = Latch()
    let one = store { text in
      await latch.wait()
      return text
    }
    let other = store()
    let receipt = one.dispatch(.search("one"))
    other.dispatch(.cancel)
    await other.dispatch(.search("other")).finish()
    latch.open()
    await receipt.finish()
    #expect(one.state.rows == ["search": "one"])
  }

  @Test("end with the store, closed or let go of")
  func storeEnds() async {
    let cancelled = Trace<String>()
    let ends = Latch()
    let load: @Sendable (String) async throws -> String = { id in
      while !Task.isCancelled { await Task.yield() }
      cancelled.add(id)
      if cancelled.count == 2 { ends.open() }
      return id
    }
    let closed = store(load: load)
    let receipt = closed.dispatch(.open("a"))
    closed.close()
    await receipt.finish()
    #expect(closed.remembersNothing)
    do {
      let dropped = store(load: load)
      dropped.dispatch(.open("b"))
    }
    await ends.wait()
    #expect(cancelled.all.sorted() == ["a", "b"])
    #expect(closed.snapshot.seq == 1)
  }

  @Test("see the store's dependencies")
  func dependencies() async {
    let clock = TestClock()
    let store = Store<[String], String>(
      initialState: [], dependencies: DependencyValues(.test).setting { $0.clock = clock }
    ) {
      Reduce { state, action in
        state.append(action)
        guard action == "start" else { return .none }
        return .run { send in
          try await DependencyValues.current.clock.sleep(for: .seconds(5))
          await send("later")
        }
      }
    }
    let receipt = store.dispatch("start")
    await clock.sleepers(1)
    await clock.advance(by: .seconds(5))
    await receipt.finish()
    #expect(store.state == ["start", "later"])
  }
}

@Suite("A store's commands")
struct StoreCommandTests {
  private func store(
    _ handlers: CommandHandler<Loader.Action>..., issues: Trace<String> = Trace()
  ) -> Store<Loader.State, Loader.Action> {
    Store(
      initialState: Loader.State(),
      dependencies: DependencyValues(.test).setting { $0.clock = ImmediateClock() },
      commands: handlers, recording: .on, issues: { issues.add($0) }
    ) {
      Loader(load: { $0 })
    }
  }

  @Test("are done by their handler, tried again under one key, and answer once")
  func retries() async {
    let keys = Trace<String>()
    let store = store(
      CommandHandler(
        Loader.Post.self, failed: { error, post, _ in .failed("\(post.text): \(error)") },
        run: { post, context in
          keys.add(context.key)
          guard context.attempt == 3 else { throw Loader.Action.Broken() }
          return .posted(post.text, context.attempt)
        }))
    await store.dispatch(.post("x"), by: "ann").finish()
    #expect(store.state.sent == ["x 3"])
    #expect(Set(keys.all).count == 1 && keys.count == 3)
    #expect(store.log.last?.context.author == "ann")
    #expect(store.log.last?.context.origin == .effect(.init(seq: 1, type: "post")))
    #expect(store.remembersNothing)
  }

  @Test("that are given up answer with their failure")
  func failure() async {
    let store = store(
      CommandHandler(
        Loader.Post.self, retry: .once,
        started: { post, _ in .failed("starting \(post.text)") },
        failed: { _, post, _ in .failed("gave up \(post.text)") },
        run: { _, _ in throw Loader.Action.Broken() }))
    await store.dispatch(.post("x")).finish()
    #expect(store.state.failures == ["starting x", "gave up x"])
  }

  @Test("that can't be written refuse the step that asks for them")
  func unwritable() {
    let store = store()
    #expect(store.dispatch(.postBadly).result?.rejection?.reason == "failed")
    #expect(store.state == Loader.State())
  }

  @Test("that nobody does are reported, and over")
  func noHandler() async {
    let issues = Trace<String>()
    let store = store(issues: issues)
    await store.dispatch(.post("x")).finish()
    #expect(issues.count == 1)
    #expect(store.remembersNothing)
  }
}

extension Loader.Action {
  fileprivate struct Broken: Error {}
}
