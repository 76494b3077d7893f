import Synchronization

/// A store whose effects run while their actions, and follow-ups, wait to be let in one by one: what
/// a test store is made of.
///
/// In all else it is a ``Store``, with the same steps. Any thread may call it; what is seen of its
/// effects is as it stands between two steps.
package final class HeldStore<State: Sendable, Action: Sendable>: Sendable {
  private let core: StoreCore<State, Action>

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - state: the state before the first action.
  ///   - world: gives what stages, reducers and effects see, each time it is needed.
  ///   - commands: what does the work of commands; a command without a handler waits for its
  ///     ``answer(_:with:)``.
  ///   - executor: what effects run on.
  ///   - changed: called by any thread when an action has come to wait or the effects have changed.
  ///   - reducer: the reducer.
  ///   - middleware: the stages, outermost first.
  ///   - areEqual: compares states.
  package init(
    _ state: State, world: @escaping @Sendable () -> DependencyValues,
    commands: [CommandHandler<Action>], executor: any TaskExecutor,
    changed: @escaping @Sendable () -> Void, reducer: any Reducer<State, Action>,
    middleware: [any Middleware<State, Action>],
    areEqual: @escaping @Sendable (State, State) -> Bool
  ) {
    core = StoreCore(
      state,
      StoreSettings(
        reducer: reducer, pipeline: Pipeline(middleware), world: world, commands: commands,
        recording: .on, areEqual: areEqual, admission: .held(executor, changed: changed)))
  }

  deinit { core.close() }

  /// The state and the number of the step that made it.
  package var snapshot: Snapshot<State> { core.snapshot }

  /// What was reduced.
  package var log: [StoreLogEntry<Action>] { core.content.withLock { $0.log } }

  /// Whether it was closed.
  package var isClosed: Bool { core.content.withLock { $0.isClosed } }

  /// Hands an action to the store; whatever waits goes on waiting.
  package func dispatch(_ action: Action, by author: String) -> Receipt<Action> {
    let receipt = Receipt<Action>(activity: Activity())
    core.submit(
      .init(
        action: action, source: .outside(author: author, receipt.activity), receipt: receipt))
    return receipt
  }

  /// Whether a handler does the work of a command of the outbox.
  package func isHandled(_ key: CommandKey, in standing: EffectStanding<Action>) -> Bool {
    standing.outbox.first { $0.key == key }.map { core.runner.handles($0) } ?? false
  }

  /// Gives a command's answer, which ends it.
  ///
  /// - Returns: what became of the action; `nil` when there is no such command.
  package func answer(
    _ key: CommandKey, with action: Action
  ) async -> DispatchOutcome<Action>? {
    await visit { $0.step(.init(action: action, source: .command(key, .end))) }
  }

  /// The action that is let in next.
  package func firstWaiting() async -> WaitingAction<Action>? {
    await visit { $0.firstWaiting }
  }

  /// Lets the next action in.
  ///
  /// - Returns: the action and what became of it; `nil` when none waits.
  package func admit() async -> (WaitingAction<Action>, DispatchOutcome<Action>)? {
    await visit { $0.admit() }
  }

  /// What waits and what runs.
  package func standing() async -> EffectStanding<Action> {
    await visit { $0.standing }
  }

  /// What waits and what runs, unless somebody is just changing it.
  package var standingNow: EffectStanding<Action>? { core.visitNow { $0.standing } }

  /// Cancels all effects and drops what waits.
  package func cancelAll() async {
    await visit { core in
      core.changeEffects { $0.cancelAll() }
      core.dropLate()
    }
  }

  /// How many actions came from effects that had been cancelled or had ended.
  package func lateActions() async -> Int {
    await visit { core in
      core.dropLate()
      return core.changeEffects { $0.lateActions }
    }
  }

  /// Refuses what comes, and cancels all effects.
  package func close() { core.close() }

  private func visit<R: Sendable>(
    _ body: @escaping @Sendable (StoreCore<State, Action>) -> R
  ) async -> R {
    await withCheckedContinuation { continuation in
      core.signal(.visit { continuation.resume(returning: body($0)) })
    }
  }
}

/// An action that an effect sent and that waits to be let in.
package struct WaitingAction<Action: Sendable>: Sendable {
  /// The action.
  package let action: Action
  /// The step that its effect comes from.
  package let cause: EffectCause
  /// The effect that waits for it to be reduced; `nil` for a follow-up.
  package let effect: EffectToken?
}

/// What goes on beside the state of a ``HeldStore``.
package struct EffectStanding<Action: Sendable>: Sendable {
  /// The actions that wait, in the order in which they are let in.
  package let waiting: [WaitingAction<Action>]
  /// The effects that run or wait, follow-ups left out, in the order in which they began.
  package let running: [RunningEffect]
  /// The commands that are not done, in the order in which they were asked for.
  package let outbox: [CommandEntry]
}
