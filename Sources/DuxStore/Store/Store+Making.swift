extension Store {
  /// Makes a store whose state can be compared.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first action.
  ///   - dependencies: what reducers and effects see of the world; by default what is in force.
  ///   - commands: what does the work of commands. Here they live in memory: a command that runs
  ///     when the process ends is lost, as only a daemon writes it down.
  ///   - recording: whether the store keeps its log.
  ///   - issues: who is told of mistakes of the program; by default whoever watches
  ///     (``reportIssue(_:)``).
  ///   - reducer: the reducers; each sees what those before it left.
  ///   - middleware: the stages that see each action before it is reduced, outermost first.
  public convenience init<R: Reducer<State, Action>>(
    initialState: State, dependencies: DependencyValues = .current,
    commands: [CommandHandler<Action>] = [], recording: Recording = .off,
    issues: (@Sendable (String) -> Void)? = nil,
    @ReducerBuilder<State, Action> reducer: () -> R,
    @MiddlewareBuilder<State, Action> middleware: () -> [any Middleware<State, Action>] = { [] }
  ) where State: Equatable {
    self.init(
      initialState: initialState, areEqual: { $0 == $1 }, dependencies: dependencies,
      commands: commands, recording: recording, issues: issues, reducer: reducer,
      middleware: middleware)
  }

  /// Makes a store whose states are compared by `areEqual`; one that always says `false` makes each
  /// action count as a change.
  public convenience init<R: Reducer<State, Action>>(
    initialState: State, areEqual: @escaping @Sendable (State, State) -> Bool,
    dependencies: DependencyValues = .current, commands: [CommandHandler<Action>] = [],
    recording: Recording = .off, issues: (@Sendable (String) -> Void)? = nil,
    @ReducerBuilder<State, Action> reducer: () -> R,
    @MiddlewareBuilder<State, Action> middleware: () -> [any Middleware<State, Action>] = { [] }
  ) {
    let world = dependencies.setting { values in
      values.issueListener = issues ?? values.issueListener
      values.record = nil
    }
    self.init(
      initialState,
      settings: StoreSettings(
        reducer: reducer(), pipeline: Pipeline(middleware()), world: { world },
        commands: commands, recording: recording, areEqual: areEqual))
  }

  /// Makes a store of an app, as a daemon would hold it, in this process and without a log on disk.
  ///
  /// - Parameters:
  ///   - app: the app, whose initial state, reducer, stages and command handlers it has.
  ///   - dependencies: what reducers and effects see of the world; by default what the app says.
  ///   - recording: whether the store keeps its log.
  ///   - issues: who is told of mistakes of the program; by default whoever watches
  ///     (``reportIssue(_:)``).
  public convenience init<A: App>(
    app: A, dependencies: DependencyValues? = nil, recording: Recording = .off,
    issues: (@Sendable (String) -> Void)? = nil
  ) where A.State == State, A.Action == Action, State: Equatable {
    self.init(
      initialState: app.initialState, dependencies: dependencies ?? app.dependencies,
      commands: app.commands, recording: recording, issues: issues
    ) {
      app
    } middleware: {
      app.middleware
    }
  }
}
