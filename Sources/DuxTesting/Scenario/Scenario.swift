public import DuxJSON
public import DuxStore
public import Testing

/// Actions in order, each with its author, that every kind of store must answer alike.
///
/// ```swift
/// let scenario = Scenario(of: TodosApp(), [.init(.add("milk"), by: "ann"), .init(.clear, by: "ben")]) {
///   $0.uuid = .counting()
/// }
/// #expect(try await scenario.logOfStore() == scenario.logOfHostedApp())
/// ```
///
/// An app's action for each start comes first, as in a daemon. Each step waits until the effects of
/// the one before have ended, so these must end by themselves; give them an `ImmediateClock`. What
/// two effects send that run side by side comes in no promised order.
public struct Scenario<Hosted: App>: Sendable {
  /// One action.
  public struct Step: Sendable {
    /// What is asked for.
    public var action: Hosted.Action
    /// Who asks.
    public var author: String

    /// Makes a step.
    public init(_ action: Hosted.Action, by author: String) {
      self.action = action
      self.author = author
    }
  }

  /// The app.
  public let app: Hosted
  /// What happens.
  public var steps: [Step]
  let change: @Sendable (inout DependencyValues) -> Void

  /// Makes a scenario.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - steps: what happens.
  ///   - change: sets what the app depends on, anew for each run; what it does not set fails when it
  ///     is used.
  public init(
    of app: Hosted, _ steps: [Step],
    dependencies change: @escaping @Sendable (inout DependencyValues) -> Void = { _ in }
  ) {
    (self.app, self.steps, self.change) = (app, steps, change)
  }

  /// The steps as a client of the daemon dispatches them.
  ///
  /// - Throws: ``/DuxStore/Refusal`` for an action that can't be written.
  public func wireSteps() throws(Refusal) -> [(action: JSON, author: String)] {
    var written: [(action: JSON, author: String)] = []
    for step in steps { written.append((try app.wireAction(of: step.action).json, step.author)) }
    return written
  }

  /// Runs it on a store in this process.
  ///
  /// - Throws: ``/DuxStore/Refusal`` when an action or the state can't be written.
  public func logOfStore() async throws -> ScenarioLog {
    let app = app
    let store = Store<Hosted.State, Hosted.Action>(
      initialState: app.initialState,
      areEqual: { (try? app.view(of: $0)) == (try? app.view(of: $1)) },
      dependencies: dependencies, commands: app.commands, recording: .on, reducer: { app },
      middleware: { app.middleware })
    var rejections: [Rejection?] = []
    for step in start + steps {
      let receipt = store.dispatch(step.action, by: step.author)
      rejections.append(await receipt.value.rejection)
      await receipt.finish()
    }
    return try ScenarioLog(
      store.log, of: app, rejections: rejections.dropFirst(start.count), state: store.state)
  }

  /// Runs it on what the daemon holds, with the daemon's own reading and writing of actions.
  ///
  /// - Throws: ``/DuxStore/Refusal`` for an action that can't be written, ``/DuxStore/AppFault`` when
  ///   the app can't be hosted.
  public func logOfHostedApp() async throws -> ScenarioLog {
    let hosted = try HostedApp(app, limits: Self.limits, dependencies: dependencies)
    let run = HostedRun(hosted, dependencies)
    var rejections: [Rejection?] = []
    for step in start + steps {
      rejections.append(
        await run.dispatch(try app.wireAction(of: step.action), by: step.author))
    }
    return ScenarioLog(
      entries: run.entries, rejections: ScenarioLog.reasons(rejections.dropFirst(start.count)),
      state: run.view)
  }

  /// The app's action for a start, which a daemon gives it before any other.
  fileprivate var start: [Step] { app.startAction.map { [Step($0, by: "@duxd")] } ?? [] }

  private static var limits: StateLimits {
    StateLimits(maximumDepth: 128, maximumBytes: 1 << 30)
  }

  private var dependencies: DependencyValues { DependencyValues(.test).setting(change) }
}

extension Scenario where Hosted.State: Equatable {
  /// Runs it on a test store.
  ///
  /// - Throws: ``/DuxStore/Refusal`` when an action or the state can't be written.
  public func logOfTestStore(
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> ScenarioLog {
    let store = TestStore(app: app, dependencies: change, sourceLocation: sourceLocation)
    var rejections: [Rejection?] = []
    for step in start + steps {
      rejections.append(await store.play(step.action, by: step.author).rejection)
    }
    await store.finish(sourceLocation: sourceLocation)
    return try ScenarioLog(
      store.log, of: app, rejections: rejections.dropFirst(start.count), state: store.state)
  }
}

extension TestStore {
  /// Sends an action and lets in whatever comes of it, until that has ended.
  fileprivate func play(_ action: Action, by author: String) async -> DispatchOutcome<Action> {
    let receipt = await executor.holding { held.dispatch(action, by: author) }
    let outcome = await receipt.value
    note(outcome, of: actionText(action), at: desk.location)
    let deadline = ContinuousClock.now + Self.defaultTimeout
    var isOver = false
    while !isOver, ContinuousClock.now < deadline {
      _ = await admitAll(until: deadline)
      isOver =
        await wait(until: deadline) {
          if receipt.activity.isFinished { return true }
          return await held.firstWaiting() == nil ? Bool?.none : false
        } ?? true
    }
    return outcome
  }
}
