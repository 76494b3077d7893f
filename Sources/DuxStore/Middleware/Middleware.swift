/// One stage of what looks at each action before it is reduced.
///
/// A stage lets the action pass, puts another in its place, or refuses it by throwing. It cannot
/// make one vanish: whoever dispatched always learns what became of the action. Stages run where
/// the store reduces, one action at a time, and not in a replay: the log has the action that was
/// reduced, after all stages.
public protocol Middleware<State, Action>: Sendable {
  /// What the store holds.
  associatedtype State: Sendable
  /// What may be asked of it.
  associatedtype Action: Sendable

  /// What lists of the pipeline call this stage.
  var name: String { get }

  /// Decides about an action, before the stages behind this one see it.
  ///
  /// - Parameters:
  ///   - action: the action as the stages before this one left it.
  ///   - state: the state that the action would be reduced on.
  ///   - context: who asked for it, and what it comes from.
  /// - Returns: the action to go on with, and what is to be done once it was accepted; when a later
  ///   stage or the reducer refuses it, nothing of that is done.
  /// - Throws: any error to refuse the action, best a ``Rejection``.
  func process(
    _ action: Action, in state: State, _ context: DispatchContext
  ) throws -> Passage<Action>

  /// Tells what became of an action that this stage let pass; the stages are told in the reverse
  /// of their order.
  ///
  /// - Parameters:
  ///   - action: the action as it was reduced, or as it stood when it was refused.
  ///   - before: the state before it.
  ///   - after: the state after it; that before it when it was refused.
  ///   - context: who asked for it, and what it comes from.
  ///   - result: whether it was accepted.
  func finished(
    _ action: Action, before: State, after: State, _ context: DispatchContext,
    _ result: Result<Void, Rejection>)
}

extension Middleware {
  /// Nothing.
  public func finished(
    _ action: Action, before: State, after: State, _ context: DispatchContext,
    _ result: Result<Void, Rejection>
  ) {}
}

/// How a stage lets an action go on.
public enum Passage<Action: Sendable>: Sendable {
  /// As it is, with what is to be done beside it.
  case pass(Effect<Action> = .none)
  /// Another one in its place, with what is to be done beside that.
  case replace(with: Action, Effect<Action> = .none)
}

/// What a stage is told about an action beside the action.
public struct DispatchContext: Hashable, Sendable {
  /// The step that an action comes from.
  public struct Cause: Hashable, Sendable {
    /// The step's sequence number.
    public var seq: Int64
    /// The type of the step's action, as `todos/add`.
    public var type: String

    /// Makes a cause.
    public init(seq: Int64, type: String) {
      self.seq = seq
      self.type = type
    }
  }

  /// Where an action comes from.
  public enum Origin: Hashable, Sendable {
    /// Somebody outside the store dispatched it.
    case outside
    /// The step returned it as a follow-up.
    case followUp(Cause)
    /// An effect that the step asked for sent it.
    case effect(Cause)
  }

  /// Who asked for it: a client's name.
  ///
  /// A follow-up and an effect's answer have the author of the action that they come from.
  public var author: String
  /// Where it comes from.
  public var origin: Origin

  /// Makes a context.
  public init(author: String, origin: Origin = .outside) {
    self.author = author
    self.origin = origin
  }
}
