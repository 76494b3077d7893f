/// Asynchronous work that reads a store's state and dispatches to it, as a value.
///
/// ```swift
/// let refresh = Thunk<Movies.State, Movies.Action>("refresh") { state, dispatch in
///   for id in state().favourites {
///     await dispatch(.loaded(try await catalogue.movie(id)))
///   }
/// }
/// store.dispatch(refresh)
/// ```
///
/// It can be dispatched by itself (``Store/dispatch(_:by:)->Activity``), or be what an action stands for
/// (``ThunkStage``). Like any effect it lives in memory, sees the store's dependencies and can be
/// cancelled; once that happened, what it dispatches reaches the state no more.
public struct Thunk<State: Sendable, Action: Sendable>: Sendable {
  /// What lists and messages call it.
  public let name: String
  private let body: @Sendable (_ state: @Sendable () -> State, Send<Action>) async throws -> Void

  /// Makes a thunk.
  ///
  /// - Parameters:
  ///   - name: what lists and messages call it.
  ///   - body: the work. `state()` is the newest state whenever it is called, until the body returns;
  ///     `dispatch` returns when the action was reduced. An error that it throws is reported as a
  ///     fault of the program: a failure that users should see is an action.
  public init(
    _ name: String = #function,
    _ body:
      @escaping @Sendable (
        _ state: @Sendable () -> State, _ dispatch: Send<Action>
      ) async throws -> Void
  ) {
    self.name = name
    self.body = body
  }

  /// The thunk as an effect of a stage or a reducer.
  ///
  /// - Parameter fallback: what it reads where no store of this state runs it.
  /// - Returns: an effect.
  public func effect(orReading fallback: State) -> Effect<Action> {
    .run(name) { [body] send in
      let reader = DependencyValues.current.storeState
      try await body({ reader?() as? State ?? fallback }, send)
    }
  }
}

/// A stage that starts asynchronous work for the actions that stand for it.
///
/// Such an action goes on to the reducer, which can note that the work began. The work begins once
/// the action was accepted, and not at all when it was refused.
public struct ThunkStage<State: Sendable, Action: Sendable>: Middleware {
  /// What lists of the pipeline call it.
  public let name: String
  private let thunk: @Sendable (Action) -> Thunk<State, Action>?

  /// Makes a stage; `thunk` gives the work that an action stands for, if it stands for any.
  public init(
    _ name: String = "thunk", _ thunk: @escaping @Sendable (Action) -> Thunk<State, Action>?
  ) {
    self.name = name
    self.thunk = thunk
  }

  /// Passes each action, with its work.
  public func process(
    _ action: Action, in state: State, _ context: DispatchContext
  ) -> Passage<Action> {
    .pass(thunk(action)?.effect(orReading: state) ?? .none)
  }
}

extension DependencyValues {
  /// Reads the newest state of the store that runs an effect; whoever runs effects sets it.
  package var storeState: (@Sendable () -> any Sendable)? {
    get { self[StoreStateKey.self] }
    set { self[StoreStateKey.self] = newValue }
  }
}

private enum StoreStateKey: DependencyKey {
  static let liveValue: (@Sendable () -> any Sendable)? = nil
  static let testValue: (@Sendable () -> any Sendable)? = nil
}
