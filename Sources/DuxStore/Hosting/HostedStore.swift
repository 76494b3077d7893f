public import DuxJSON

/// A store whose app is known by name only: JSON actions in, JSON patches out.
///
/// It is a value: a copy is a version of the state that nothing changes any more, and costs a
/// reference. But where nobody holds a copy, actions are carried out where the state lies: so the
/// daemon, which runs ahead of the disk, keeps what undoes each step in place of the state before.
public protocol HostedStore: Sendable {
  /// The app's name.
  var appName: String { get }
  /// The version of the shape of the app's state.
  var appVersion: Int { get }
  /// The state as clients see it.
  var view: JSON { get }
  /// The app's own state.
  var anyState: any Sendable { get }
  /// The names of the stages that each action goes through, in order.
  var pipeline: [String] { get }
  /// Members of the state that the app does not know: they are kept as they are, and taken up by an
  /// app that knows them.
  var unknownSlices: [String] { get }
  /// What does the work of the app's commands.
  var commands: [CommandHandler<HostedAction>] { get }
  /// The app's action for each start of the daemon.
  var startAction: HostedAction? { get }
  /// What reducers and effects get of the world.
  var dependencies: DependencyValues { get }

  /// Takes actions as one step: all of them, or none.
  ///
  /// - Throws: ``Refusal`` for the first action that can't be taken; the store is then unchanged.
  /// - Complexity: the reducer's, and O(change) beside it.
  mutating func dispatch(
    _ actions: [WireAction], _ context: DispatchContext
  ) throws(Refusal) -> HostedStep

  /// Takes one action as a step.
  ///
  /// - Throws: ``Refusal``; the store is then unchanged.
  /// - Complexity: as of several actions.
  mutating func dispatch(
    _ action: WireAction, _ context: DispatchContext
  ) throws(Refusal) -> HostedStep

  /// Goes back to before a step, from right after it.
  ///
  /// - Complexity: O(log *n*).
  mutating func undo(_ undo: HostedUndo)

  /// Takes the logged actions of a step again, with the inputs on record, and starts nothing.
  ///
  /// - Returns: what changed, which is what the log says when the replay is exact.
  /// - Throws: ``Refusal`` when the app does not take them today, or asks for other inputs.
  mutating func replay(_ actions: [WireAction], author: String) throws(Refusal) -> JSONPatch

  /// Puts a state in place of the store's, as read from a checkpoint or made by logged patches.
  ///
  /// A state of an earlier version is migrated; slices that it lacks get their initial state, those
  /// that the app does not know are kept.
  ///
  /// - Returns: how the store's view differs from `view` then.
  /// - Throws: ``RestoreFailure``; the store is unchanged.
  mutating func restore(view: JSON, version: Int) throws(RestoreFailure) -> JSONPatch
}

extension HostedStore {
  /// Takes one action as a step.
  public mutating func dispatch(
    _ action: WireAction, _ context: DispatchContext
  ) throws(Refusal) -> HostedStep {
    try dispatch([action], context)
  }
}

/// An action of a hosted app on its way from an effect to the log, or why it can't be written.
public typealias HostedAction = Result<WireAction, Refusal>

/// What came of one step.
public struct HostedStep: Sendable {
  /// What changed in the view, as `add`, `remove` and `replace`.
  public var patch: JSONPatch
  /// The actions as they belong in the log, where they are not those that were given: a stage
  /// replaced one, or a source gave something while it was reduced.
  public var loggedActions: [WireAction]?
  /// What is to be done once the step is durable.
  public var effect: Effect<HostedAction>
  /// Owners that are gone: their effects end with this step.
  public var departed: [EffectScope]
  /// What brings the store back to before the step.
  public var undo: HostedUndo
}

/// What brings a store back to before a step.
public enum HostedUndo: Sendable {
  /// The step left the state what it was.
  case nothing
  /// The operation makes the view what it was.
  case edit(JSONPatchOperation)
  /// The store as it was, which shares with the one after the step what did not change.
  ///
  /// Indirect, so that the undo of most steps, an operation, can be moved about without it.
  indirect case store(any HostedStore)
}
