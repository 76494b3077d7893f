import DuxJSON
import DuxStore
import Synchronization

/// A hosted app with the steps and the effects that a daemon gives it, in this process and without a
/// disk.
final class HostedRun: Sendable {
  private let store: Store<HostedReducer.State, HostedReducer.Action>
  private let subscription: Subscription
  private let log: Log

  private final class Log: Sendable {
    let entries = Mutex<[ScenarioLog.Entry]>([])
  }

  init(_ hosted: any HostedStore, _ dependencies: DependencyValues) {
    let log = Log()
    self.log = log
    store = Store(
      initialState: HostedReducer.State(store: hosted), dependencies: dependencies,
      commands: hosted.commands.map { $0.map { HostedReducer.Action(wire: $0) } },
      reducer: { HostedReducer() }, middleware: { HostedOrigin() })
    subscription = store.subscribe(initial: .none) { change in
      let entries = change.state.logged.map { wire in
        ScenarioLog.Entry(
          seq: change.seq, wire: wire, author: change.author,
          cause: change.action?.context.origin.seq, isChanged: change.isChanged)
      }
      log.entries.withLock { $0 += entries }
    }
  }

  /// The steps that were taken.
  var entries: [ScenarioLog.Entry] { log.entries.withLock { $0 } }

  /// The state as clients see it.
  var view: JSON { store.state.store.view }

  /// Takes an action, and waits until its effects have ended.
  ///
  /// - Returns: why it was refused, if it was.
  func dispatch(_ wire: WireAction, by author: String) async -> Rejection? {
    let receipt = store.dispatch(HostedReducer.Action(wire: .success(wire)), by: author)
    let outcome = await receipt.value
    await receipt.finish()
    return outcome.rejection
  }
}

/// A hosted app as a reducer of what clients send.
struct HostedReducer: Reducer {
  struct State: Equatable, Sendable {
    var store: any HostedStore
    /// The last step's actions as they belong in the log.
    var logged: [WireAction] = []
    /// Who is gone since the last step.
    var departed: [EffectScope] = []

    static func == (a: State, b: State) -> Bool { a.store.view == b.store.view }
  }

  struct Action: NamedAction, Sendable {
    var wire: HostedAction
    var context = DispatchContext(author: "")

    var actionName: String { (try? wire.get().type) ?? "" }
  }

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    do throws(Refusal) {
      let wire = try action.wire.get()
      let step = try state.store.dispatch([wire], action.context)
      state.logged = step.loggedActions ?? [wire]
      state.departed = step.departed
      return step.effect.map { Action(wire: $0) }
    } catch {
      throw error.asRejection
    }
  }

  func departures(from old: State, to new: State) -> [EffectScope] { new.departed }
}

/// Writes into each action what it comes from.
private struct HostedOrigin: Middleware {
  let name = "origin"

  func process(
    _ action: HostedReducer.Action, in state: HostedReducer.State, _ context: DispatchContext
  ) -> Passage<HostedReducer.Action> {
    .replace(with: HostedReducer.Action(wire: action.wire, context: context))
  }
}
