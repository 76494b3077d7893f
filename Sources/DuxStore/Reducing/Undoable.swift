import DuxJSON

/// Keeps a history of a part of the state, and takes steps of it back.
///
/// See ``Reducer/undoable(_:history:action:limits:entry:)``.
public struct Undoable<Wrapped: Reducer, Content: Codable & Sendable>: Reducer {
  let wrapped: Wrapped
  let content: any WritableKeyPath<Wrapped.State, Content> & Sendable
  let history: any WritableKeyPath<Wrapped.State, History> & Sendable
  let action: CasePath<Wrapped.Action, HistoryAction>
  let limits: HistoryLimits
  let entry: @Sendable (Wrapped.Action) -> HistoryEntry

  /// Runs the wrapped reducer and notes what it changed; for a ``HistoryAction``, does what that
  /// asks first.
  public func reduce(
    into state: inout Wrapped.State, action: Wrapped.Action
  ) throws -> Effect<Wrapped.Action> {
    if let historyAction = self.action.extract(action) {
      try perform(historyAction, in: &state)
      return try wrapped.reduce(into: &state, action: action)
    }
    let entry = entry(action)
    guard entry != .none else { return try wrapped.reduce(into: &state, action: action) }
    let before = state[keyPath: content]
    let effect = try wrapped.reduce(into: &state, action: action)
    try note(entry, before: before, in: &state)
    return effect
  }

  /// What went from the wrapped reducer.
  public func departures(from old: Wrapped.State, to new: Wrapped.State) -> [EffectScope] {
    wrapped.departures(from: old, to: new)
  }

  /// Enters the wrapped reducer's slices, and the history.
  public func describe(in outline: inout ReducerOutline) {
    outline.history(PlaceName.of(history), of: PlaceName.of(content))
    wrapped.describe(in: &outline)
  }
}

extension Undoable {
  private var author: String { DependencyValues.current.author }

  private func note(
    _ entry: HistoryEntry, before: Content, in state: inout Wrapped.State
  ) throws(Rejection) {
    let old = try encoded(before)
    let new = try encoded(state[keyPath: content])
    let changes = ContentChanges(from: old, to: new)
    guard !changes.isEmpty else { return }
    let author = author
    guard case .joined(let group) = entry else {
      return state[keyPath: history].push(changes, group: nil, by: author, limits)
    }
    guard let step = try latest(of: author, in: state[keyPath: history], named: group),
      step.changes.conflict(in: old) == nil, let base = try? step.changes.reverted(in: old)
    else {
      return state[keyPath: history].push(changes, group: group, by: author, limits)
    }
    let joined = ContentChanges(from: base, to: new)
    if joined.isEmpty {
      state[keyPath: history].remove(step.key, from: .undo, of: author)
    } else {
      state[keyPath: history].put(
        HistoryStep(key: step.key, changes: joined, group: group), on: .undo, of: author)
    }
  }

  /// The author's latest step, if an action may join it.
  private func latest(
    of author: String, in history: History, named group: String
  ) throws(Rejection) -> HistoryStep? {
    guard history.redoCount(of: author) == 0 else { return nil }
    return try history.top(.undo, of: author).flatMap { $0.group == group ? $0 : nil }
  }

  private func perform(
    _ action: HistoryAction, in state: inout Wrapped.State
  ) throws(Rejection) {
    switch action {
    case .undo: try move(from: .undo, to: .redo, in: &state)
    case .redo: try move(from: .redo, to: .undo, in: &state)
    case .discard:
      let step = try next(.undo, in: state[keyPath: history])
      state[keyPath: history].remove(step.key, from: .undo, of: author)
    }
  }

  /// Reverts the step that comes next on one side, and puts what takes that back on the other.
  private func move(
    from side: HistorySide, to other: HistorySide, in state: inout Wrapped.State
  ) throws(Rejection) {
    let author = author
    let step = try next(side, in: state[keyPath: history])
    var leaves = StateLeaves()
    let old = try encoded(state[keyPath: content], collecting: &leaves)
    if let path = step.changes.conflict(in: old) { throw conflict(at: path, side) }
    let reverted: JSON
    do throws(JSONPatchError) {
      reverted = try step.changes.reverted(in: old)
    } catch {
      throw conflict(at: (try? JSONPointer(error.path)) ?? .root, side)
    }
    state[keyPath: content] = try decoded(reverted, reusing: leaves, side)
    let changes = ContentChanges(from: old, to: try encoded(state[keyPath: content]))
    state[keyPath: history].remove(step.key, from: side, of: author)
    state[keyPath: history].put(
      HistoryStep(key: step.key, changes: changes, group: nil), on: other, of: author)
  }

  private func next(
    _ side: HistorySide, in history: History
  ) throws(Rejection) -> HistoryStep {
    if let step = try history.top(side, of: author) { return step }
    throw Rejection(
      reason: "nothing_to_\(side)", message: "\(quoted(author)) has nothing to \(side)")
  }

  private func encoded(_ content: Content) throws(Rejection) -> JSON {
    var leaves = StateLeaves()
    return try encoded(content, collecting: &leaves)
  }

  private func encoded(
    _ content: Content, collecting leaves: inout StateLeaves
  ) throws(Rejection) -> JSON {
    do throws(CodingFailure) {
      return try StateCoder.encode(content, collecting: &leaves)
    } catch {
      throw Rejection(reason: "unencodable", message: "the content has no JSON: \(error.message)")
    }
  }

  private func decoded(
    _ json: JSON, reusing leaves: StateLeaves, _ side: HistorySide
  ) throws(Rejection) -> Content {
    do throws(CodingFailure) {
      return try StateCoder.decode(Content.self, from: json, reusing: leaves)
    } catch {
      throw Rejection(
        reason: "failed",
        message: "the \(side) would leave content that can't be: \(error.message)")
    }
  }

  private func conflict(at path: JSONPointer, _ side: HistorySide) -> Rejection {
    let place = JSONPointer(tokens: PlaceName.of(content).split(separator: ".").map(String.init))
    return Rejection(
      reason: "conflict",
      message: "no \(side): \(quoted(place.description + path.description)) was changed since")
  }
}

extension Reducer {
  /// The same reducer, with a history of a part of the state that each author can take back step by
  /// step.
  ///
  /// ```swift
  /// struct Notes: Reducer {
  ///   struct State: Codable, Equatable, Sendable {
  ///     var content = Content()          // what undo takes back
  ///     var selection: Note.ID?          // what it leaves alone
  ///     var history = History()
  ///   }
  ///   enum Action: Codable, Equatable, Sendable {
  ///     case edit(Edit), select(Note.ID?)
  ///     case history(HistoryAction)      // on the wire history/undo, history/redo
  ///   }
  ///   var body: some Reducer<State, Action> {
  ///     Reduce { state, action in … }
  ///       .undoable(\.content, history: \.history, action: Action.history)
  ///   }
  /// }
  /// ```
  ///
  /// A step is what one action of an author (``DependencyValues/author``) changed in the content,
  /// in however many parts of it. To undo it puts back what its paths held before, and nothing else:
  /// what others did since, and actions without an entry, stay as they are. Where they changed the
  /// same paths, the undo is rejected as `conflict`, and names one. An author with nothing to take
  /// back is told `nothing_to_undo`, or `nothing_to_redo`; what was taken back can be made again
  /// until the author takes another step. An undo is an action like any other: it is logged, numbered
  /// and seen by all.
  ///
  /// The wrapped reducer gets history actions too, once they are done, and may return effects.
  ///
  /// - Complexity: what it takes to encode the content and to find what changed: O(change) beside the
  ///   fields that lie outside of tables. Members of objects are told apart, so a row of a table
  ///   is undone by itself; a plain array is kept whole for each step that changes it.
  /// - Parameters:
  ///   - content: what undo takes back; the history must lie outside of it.
  ///   - history: where the history is kept.
  ///   - action: the history's actions among the reducer's, by the case's constructor.
  ///   - limits: how much of the past is kept.
  ///   - entry: how an action enters the history: as a step of its own unless said.
  /// - Returns: the reducer with the history.
  public func undoable<Content: Codable & Sendable>(
    _ content: any WritableKeyPath<State, Content> & Sendable,
    history: any WritableKeyPath<State, History> & Sendable,
    action: @escaping @Sendable (HistoryAction) -> Action,
    limits: HistoryLimits = HistoryLimits(),
    entry: @escaping @Sendable (Action) -> HistoryEntry = { _ in .step }
  ) -> Undoable<Self, Content> {
    Undoable(
      wrapped: self, content: content, history: history, action: CasePath(action), limits: limits,
      entry: entry)
  }
}
