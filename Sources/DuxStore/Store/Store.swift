import Synchronization

/// A state, and the one way to change it: dispatching actions, which are reduced one at a time.
///
/// ```swift
/// let store = Store(initialState: Counter.State()) { Counter() }
/// let subscription = store.select(\.count) { print($0) }   // prints 0
/// store.dispatch(.increment)                               // prints 1
/// ```
///
/// Any thread may dispatch, subscribe and read. An action that is dispatched while another one is
/// carried out, by a listener, a stage or another thread, waits until that one has been told to all
/// listeners; whoever carries out the first then goes on with it. So actions are never nested, each
/// listener is told of each step once and in order, and a chain of dispatches of any length needs no
/// more stack than one.
///
/// The store lives as long as it is referred to. With it end its effects and subscriptions.
public final class Store<State: Sendable, Action: Sendable>: Sendable {
  let core: StoreCore<State, Action>

  init(_ state: State, settings: StoreSettings<State, Action>) {
    core = StoreCore(state, settings)
  }

  deinit { core.close() }

  /// The state after the last step.
  ///
  /// Any thread may read it at any time, a listener too; it is one whole value that nothing changes
  /// any more. While an action is reduced it is the state before that action.
  public var state: State { core.snapshot.state }

  /// The state together with the number of the step that made it.
  public var snapshot: Snapshot<State> { core.snapshot }

  /// What an action goes through: the middleware's stages by name, outermost first, then the reducer.
  public var pipeline: [String] { core.settings.pipeline.names + ["reduce"] }

  /// What was reduced so far, if the store records (``Recording``).
  public var log: [StoreLogEntry<Action>] { core.content.withLock { $0.log } }

  /// How many subscriptions there are.
  package var listenerCount: Int { core.content.withLock { $0.listeners.count } }

  /// How much effects and what they belong to are remembered; nothing once all have ended.
  package var remembersNothing: Bool {
    core.content.withLock { content in
      content.effects?.isEmpty == true && content.activities.isEmpty
    }
  }

  /// Whether the store was closed.
  public var isClosed: Bool { core.content.withLock { $0.isClosed } }

  /// Hands an action to the store.
  ///
  /// When nothing else is being carried out, the action was reduced and all listeners were told on
  /// return; else it waits its turn (``Receipt/value`` waits for it). A reducer can't dispatch: its
  /// action and what it dispatches are both refused.
  ///
  /// - Parameters:
  ///   - action: what is asked for.
  ///   - author: who asks.
  /// - Returns: the way to the outcome and to the effects.
  @discardableResult
  public func dispatch(_ action: Action, by author: String = "") -> Receipt<Action> {
    let activity = Activity()
    let receipt = Receipt<Action>(activity: activity)
    core.submit(
      StoreCore.Work(
        action: action, source: .outside(author: author, activity), receipt: receipt))
    return receipt
  }

  /// Starts asynchronous work that reads this store and dispatches to it.
  ///
  /// - Returns: what it set going; it ends with the work and all that came of it.
  @discardableResult
  public func dispatch(_ thunk: Thunk<State, Action>, by author: String = "") -> Activity {
    let activity = Activity()
    core.start(thunk, by: author, activity)
    return activity
  }

  /// Ends the store: its effects are cancelled and its subscriptions end.
  ///
  /// Whatever waits or comes later is refused with the reason ``Rejection/closedReason``. The state
  /// can still be read.
  public func close() {
    core.close()
  }
}
