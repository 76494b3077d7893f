import Dispatch
import DuxEngine
import DuxJSON
import DuxNetwork
import DuxStore
import Synchronization
import Testing

@testable import DuxServer

/// What effects of a hosted app may read of its state.
@Suite(.timeLimit(.minutes(1)))
struct EffectTasksTests {
  private struct Desk: App {
    struct State: Codable, Sendable {
      var count = 0
    }

    enum Action: Codable, Sendable {
      case count
      case look
    }

    let name = "desk"
    let initialState = State()
    let work: @Sendable (_ state: @Sendable () -> State) -> Void

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .count:
        state.count += 1
        return .none
      case .look:
        return Thunk<State, Action>("look") { [work] state, _ in work(state) }
          .effect(orReading: State(count: -1))
      }
    }
  }

  @Test func `a closure that runs reads the newest state, and none is kept for nobody`() throws {
    let (begun, gate, ended) = (Gate(), Gate(), Gate())
    let seen = Mutex<[Int]>([])
    var store: any HostedStore = try HostedApp(
      Desk { state in
        seen.withLock { $0.append(state().count) }
        begun.open()
        gate.wait()
        seen.withLock { $0.append(state().count) }
        ended.open()
      }, limits: StateLimits(maximumDepth: 10, maximumBytes: 1_000))
    let loop = try EventLoop()
    let tasks = EffectTasks(
      of: store, mailbox: try Mailbox(on: loop) { _ in }, report: { Issue.record("\($0)") })
    tasks.show {
      Issue.record("a state was asked for though nobody can read it")
      return store
    }

    var ledger = EffectLedger<HostedAction>(keyPrefix: "epoch")
    _ = try store.dispatch([WireAction(["type": "count"])], DispatchContext(author: "ada"))
    let step = try store.dispatch([WireAction(["type": "look"])], DispatchContext(author: "ada"))
    ledger.begin(
      step.effect, of: EffectCause(step: 2, action: "look", author: "ada"), departed: [])
    for output in ledger.takeOutputs() { tasks.carryOut(output) { store } }
    begun.wait()
    _ = try store.dispatch([WireAction(["type": "count"])], DispatchContext(author: "ada"))
    tasks.show { store }
    gate.open()
    ended.wait()
    #expect(seen.withLock { $0 } == [1, 2])
    tasks.close()
    loop.close()
  }

  /// Something that one thread waits for until another has come to it.
  private struct Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    func wait() { semaphore.wait() }
  }
}
