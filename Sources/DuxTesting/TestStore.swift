public import DuxStore
public import Testing

/// A store for tests: each action is sent by hand, each action of an effect is received by hand, and
/// all that happens must be said.
///
/// ```swift
/// @Test func loads() async {
///   let store = TestStore(initialState: Movies.State(), dependencies: { $0.catalogue = .canned }) {
///     Movies()
///   }
///   await store.send(.load) { $0.isLoading = true }
///   await store.receive(.loaded(["Alien"])) {
///     $0.isLoading = false
///     $0.titles = ["Alien"]
///   }
///   await store.finish()
/// }
/// ```
///
/// It takes the same steps as a ``/DuxStore/Store``, but for one thing: the actions of effects, and
/// follow-ups, wait until the test receives them, and are reduced only then. A test ends with
/// ``finish(timeout:sourceLocation:)``. One task at a time uses it.
public final class TestStore<State: Equatable & Sendable, Action: Sendable> {
  /// How long the real clock waits for something to happen before that is a failure.
  public static var defaultTimeout: Duration { .seconds(5) }

  /// How much the test must say.
  public var exhaustivity = Exhaustivity.strict

  /// What reducers and effects see; what is not given fails when it is used, with its name.
  ///
  /// It may be changed between two operations; effects that run keep what they began with.
  public var dependencies: DependencyValues {
    didSet { world.change(to: dependencies) }
  }

  let held: HeldStore<State, Action>
  let desk: IssueDesk
  let changes: ChangeSignal
  let executor: SerialTaskExecutor
  let author: String
  /// Where each step was sent or received.
  var origins: [Int64: StepOrigin] = [:]
  var isFinished = false
  private let world: TestWorld
  private let birthplace: SourceLocation

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first action.
  ///   - change: sets the dependencies that the test relies on; all others fail when they are used.
  ///   - author: who asks, where a send says nothing else.
  ///   - commands: what does the work of commands; those without a handler here wait for their
  ///     ``answer(_:with:sourceLocation:assert:)``.
  ///   - issues: who is told of failures; by default the test that runs.
  ///   - sourceLocation: where the test is.
  ///   - reducer: the reducers.
  ///   - middleware: the stages, outermost first.
  public convenience init<R: Reducer<State, Action>>(
    initialState: State, dependencies change: (inout DependencyValues) -> Void = { _ in },
    author: String = "test", commands: [CommandHandler<Action>] = [],
    issues: @escaping @Sendable (TestIssue) -> Void = { TestIssue.record($0) },
    sourceLocation: SourceLocation = #_sourceLocation,
    @ReducerBuilder<State, Action> reducer: () -> R,
    @MiddlewareBuilder<State, Action> middleware: () -> [any Middleware<State, Action>] = { [] }
  ) {
    self.init(
      initialState, DependencyValues(.test).setting(change), author, commands, issues,
      sourceLocation, reducer(), middleware())
  }

  private init(
    _ initialState: State, _ dependencies: DependencyValues, _ author: String,
    _ commands: [CommandHandler<Action>], _ issues: @escaping @Sendable (TestIssue) -> Void,
    _ sourceLocation: SourceLocation, _ reducer: any Reducer<State, Action>,
    _ middleware: [any Middleware<State, Action>]
  ) {
    let (changes, desk) = (ChangeSignal(), IssueDesk(issues, at: sourceLocation))
    let executor = SerialTaskExecutor(changes: changes)
    let world = TestWorld(dependencies, desk, executor)
    (self.changes, self.desk, self.executor, self.world) = (changes, desk, executor, world)
    (self.author, self.birthplace, self.dependencies) = (author, sourceLocation, dependencies)
    held = HeldStore(
      initialState, world: { world.dependencies }, commands: commands, executor: executor,
      changed: { changes.signal() }, reducer: reducer, middleware: middleware,
      areEqual: { $0 == $1 })
  }

  /// Makes a store of an app, in its initial state, with its middleware.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - change: sets the dependencies that the test relies on.
  ///   - author: who asks, where a send says nothing else.
  ///   - commands: what does the work of commands, by default the app's own handlers.
  ///   - issues: who is told of failures.
  ///   - sourceLocation: where the test is.
  public convenience init<A: App>(
    app: A, dependencies change: (inout DependencyValues) -> Void = { _ in },
    author: String = "test", commands: [CommandHandler<Action>]? = nil,
    issues: @escaping @Sendable (TestIssue) -> Void = { TestIssue.record($0) },
    sourceLocation: SourceLocation = #_sourceLocation
  ) where A.State == State, A.Action == Action {
    self.init(
      app.initialState, DependencyValues(.test).setting(change), author, commands ?? app.commands,
      issues, sourceLocation, app, app.middleware)
  }

  deinit {
    let standing = held.standingNow
    held.close()
    guard !isFinished else { return }
    let rest = standing.map { unfinishedText($0) } ?? []
    desk.fail(
      (["the test store was not finished; end the test with: await store.finish()"] + rest)
        .joined(separator: "\n"),
      at: birthplace)
  }

  /// The state after the last action that was sent or received.
  public var state: State { held.snapshot.state }

  /// What was reduced so far.
  public var log: [StoreLogEntry<Action>] { held.log }

  /// How many actions came from effects that had been cancelled or had ended; none of them counts.
  public var lateActions: Int {
    get async {
      await executor.settle()
      return await held.lateActions()
    }
  }

  /// Does something with another exhaustivity.
  @discardableResult
  public func withExhaustivity<R>(
    _ exhaustivity: Exhaustivity, _ body: () async throws -> R
  ) async rethrows -> R {
    let former = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = former }
    return try await body()
  }
}
