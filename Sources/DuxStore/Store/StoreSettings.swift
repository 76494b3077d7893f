import Synchronization

/// What a store was made with.
struct StoreSettings<State: Sendable, Action: Sendable>: Sendable {
  var reducer: any Reducer<State, Action>
  var pipeline: Pipeline<State, Action>
  /// Gives what stages, reducers and effects see, the issue listener included.
  var world: @Sendable () -> DependencyValues
  var commands: [CommandHandler<Action>]
  var recording: Recording
  var areEqual: @Sendable (State, State) -> Bool
  var admission = Admission.atOnce

  /// What is seen now.
  var dependencies: DependencyValues { world() }

  /// Runs `body` with what stages and reducers see of the store.
  func surrounding<R>(author: String, _ body: () throws -> R) rethrows -> R {
    let dependencies = dependencies.setting { $0.author = author }
    return try DependencyValues.$current.withValue(dependencies, operation: body)
  }
}

extension StoreSettings {
  /// Tells a mistake of the program.
  func report(issue: String) {
    DependencyValues.$current.withValue(dependencies) { reportIssue(issue) }
  }
}

/// Whether a store keeps what it reduced.
public enum Recording: Sendable {
  /// It keeps nothing.
  case off
  /// It keeps every action that it accepted and what sources gave to it, in memory (``Store/log``).
  case on
}

/// What marks that a reducer runs, so that it can't dispatch.
final class StepMark: Sendable {
  /// The step of the reducer that runs.
  @TaskLocal static var current: StepMark?

  private let store: ObjectIdentifier
  private let reentered = Atomic(false)

  init(of store: AnyObject) {
    self.store = ObjectIdentifier(store)
  }

  var isReentered: Bool { reentered.load(ordering: .relaxed) }

  /// Whether the reducer of `store` dispatched to it; the step is then refused.
  func marksReentry(into store: AnyObject) -> Bool {
    guard ObjectIdentifier(store) == self.store else { return false }
    reentered.store(true, ordering: .relaxed)
    return true
  }
}
