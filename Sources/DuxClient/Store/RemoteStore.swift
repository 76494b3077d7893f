import DuxEngine
public import DuxJSON
public import DuxStore

/// A store whose state is the daemon's, seen and changed as if it were the program's own.
///
/// ```swift
/// let store = try RemoteStore(ShoppingApp(), at: .standard)
/// let listening = store.select(\.items) { items in print(items.count, "to buy") }
/// let receipt = store.dispatch(.buy("milk"))       // shows at once
/// _ = try await receipt.confirmed                  // the daemon has it
/// ```
///
/// Reads are of a local copy. A dispatch is reduced on it at once, by the app's own reducer, and sent;
/// when the daemon says otherwise, exactly that change is gone again. While the daemon can't be
/// reached all of this goes on (``status-swift.property`` tells), and afterwards everything agrees.
///
/// Any thread may use it. It lives as long as it is referred to; with it end its connection and its
/// subscriptions.
public final class RemoteStore<State: Sendable, Action: Sendable>: Sendable {
  let core: RemoteCore<State, Action>

  init(_ core: RemoteCore<State, Action>) {
    self.core = core
  }

  deinit { core.close() }

  /// Makes a store and begins to connect, without waiting for it.
  ///
  /// - Parameters:
  ///   - app: the app that the daemon serves; its reducer predicts, its effects run in the daemon
  ///     alone.
  ///   - address: where the daemon is.
  ///   - options: whatever else there is to say.
  /// - Throws: ``ClientError``; never because of the daemon.
  public convenience init<Served: App>(
    _ app: Served, at address: DaemonAddress, options: ClientOptions = ClientOptions()
  ) throws(ClientError) where Served.State == State, Served.Action == Action {
    self.init(try RemoteCore(ClientModel(app), path: .root, at: address, options))
  }

  /// The state, with what is pending.
  public var state: State { core.content.optimistic.state }

  /// The state with where it stands.
  public var snapshot: RemoteSnapshot<State> { core.content.snapshot }

  /// How the connection is.
  public var status: ConnectionStatus { core.content.status }

  /// The client's name, as the daemon and others know it.
  public var name: String { core.name }

  /// Reduces an action on the local state and sends it to the daemon.
  ///
  /// When nothing else is being carried out, listeners have been told on return. An action that the
  /// reducer refuses is still sent, without a change meanwhile: the daemon decides.
  ///
  /// - Parameters:
  ///   - action: what is asked for.
  ///   - conditions: what must be so in the daemon for it to be taken.
  /// - Returns: the way to the outcome.
  @discardableResult
  public func dispatch(_ action: Action, if conditions: [Condition] = []) -> RemoteReceipt {
    core.dispatch([action], if: conditions)
  }

  /// Reduces actions on the local state and sends them to the daemon as one step: all of them are
  /// taken, or none.
  @discardableResult
  public func dispatch(
    together actions: [Action], if conditions: [Condition] = []
  ) -> RemoteReceipt {
    core.dispatch(actions, if: conditions)
  }

  /// Waits until the connection is live and the copy whole.
  ///
  /// - Throws: ``EndReason`` when the session is over, `CancellationError` when the task is cancelled.
  public func connected() async throws {
    for await status in statuses {
      switch status {
      case .live: return
      case .ended(let reason): throw reason
      default: continue
      }
    }
    try Task.checkCancellation()
    throw EndReason(code: EndReason.closed, message: "the store was closed")
  }

  /// Waits until all that was dispatched so far is in the offline queue's folder, where the end of the
  /// program can't harm it; without an offline queue, until it is on its way.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func saved() async throws { try await core.saved() }

  /// Leaves the daemon, and makes no attempts until ``resume()``; dispatches wait meanwhile.
  public func suspend() { core.post(.suspend) }

  /// Connects again, at once.
  public func resume() { core.post(.resume) }

  /// Ends the connection and all subscriptions; the state can still be read.
  ///
  /// It does not wait. Steps without an outcome settle as ``RemoteOutcome/unknown(_:)``; those in an
  /// offline queue are kept there and go on with the next store that uses it.
  public func close() { core.close() }

  /// Waits until a closed store has let go of its connection, its threads and its offline queue.
  public func closed() async { await core.closed() }
}

extension RemoteStore where State == JSON, Action == WireAction {
  /// Makes a store of the value at a path, for whoever does not know the app's types.
  ///
  /// What it dispatches shows at once where the daemon serves a document and the path is its root,
  /// otherwise when the daemon has taken it. Nothing at the path reads as `null`.
  ///
  /// - Throws: ``ClientError``; never because of the daemon.
  public static func untyped(
    at address: DaemonAddress, path: JSONPointer = .root, options: ClientOptions = ClientOptions()
  ) throws(ClientError) -> RemoteStore {
    RemoteStore(try RemoteCore(.untyped(at: path), path: path, at: address, options))
  }
}
