import Synchronization

/// A stage that tells of each action: what became of it and what it changed, by path.
///
/// Put it first, so that it also tells of what later stages refuse. It tells of the action as it was
/// reduced, after all stages.
public final class ActionLogger<State: Sendable, Action: Sendable>: Middleware {
  /// One action, as told.
  public struct Entry: Sendable {
    /// The action as it was reduced, or as it stood when it was refused.
    public let action: Action
    /// Who asked for it, and what it comes from.
    public let context: DispatchContext
    /// Why it was refused; `nil` when it was accepted.
    public let rejection: Rejection?
    /// What it changed.
    public let changes: [Change]
    /// How long the stages behind this one and the reducer took, if there is a clock.
    public let duration: Duration?
  }

  /// One place of the state that an action changed.
  public struct Change: Hashable, Sendable {
    /// The place, as `/todos/3/title`; empty for the whole state.
    public let path: String
    /// What was there, `nil` for nothing.
    public let old: String?
    /// What is there, `nil` for nothing.
    public let new: String?
  }

  /// What lists of the pipeline call it.
  public let name: String
  private let clock: (any Clock<Duration>)?
  private let sink: @Sendable (Entry) -> Void
  /// The time since the action that is under way began; actions are never nested.
  private let elapsed = Mutex<(@Sendable () -> Duration)?>(nil)

  /// Makes a logger.
  ///
  /// - Parameters:
  ///   - name: what lists of the pipeline call it.
  ///   - clock: what durations are measured with; without one there are none.
  ///   - sink: is given each entry, where the store reduces: it should be quick.
  public init(
    _ name: String = "logger", clock: (any Clock<Duration>)? = nil,
    sink: @escaping @Sendable (Entry) -> Void
  ) {
    self.name = name
    self.clock = clock
    self.sink = sink
  }

  /// Passes each action.
  public func process(
    _ action: Action, in state: State, _ context: DispatchContext
  ) -> Passage<Action> {
    if let clock {
      let started = elapsedTime(of: clock)
      elapsed.withLock { $0 = started }
    }
    return .pass()
  }

  /// Tells of the action.
  public func finished(
    _ action: Action, before: State, after: State, _ context: DispatchContext,
    _ result: Result<Void, Rejection>
  ) {
    let duration = elapsed.withLock { $0.take() }?()
    var rejection: Rejection?
    if case .failure(let failure) = result { rejection = failure }
    let changes = rejection == nil ? stateChanges(from: before, to: after) : []
    sink(
      Entry(
        action: action, context: context, rejection: rejection,
        changes: changes.map { Change(path: $0.path, old: $0.old, new: $0.new) },
        duration: duration))
  }
}

extension ActionLogger.Entry: CustomStringConvertible {
  /// The action, its outcome and its changes, one a line.
  public var description: String {
    var lines = [String(describing: action)]
    if !context.author.isEmpty { lines[0] += " by \(context.author)" }
    if let duration { lines[0] += " in \(duration)" }
    if let rejection { lines[0] += " was refused: \(rejection)" }
    lines += changes.map { "  \($0)" }
    return lines.joined(separator: "\n")
  }
}

extension ActionLogger.Change: CustomStringConvertible {
  /// The place, what was there and what is.
  public var description: String {
    "\(path.isEmpty ? "/" : path): \(old ?? "nothing") → \(new ?? "nothing")"
  }
}
