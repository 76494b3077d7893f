/// What an author may ask of a ``History``: a case of the app's action holds it, and on the wire it is
/// `history/undo`, if that case is called `history`.
public enum HistoryAction: Codable, Hashable, Sendable {
  /// Take back the author's latest step.
  case undo
  /// Make the step that the author took back last again.
  case redo
  /// Forget the author's latest step without taking it back, so that those before it can be, as
  /// when others have changed what it had changed.
  case discard
}

/// How an action enters the history.
public enum HistoryEntry: Hashable, Sendable {
  /// As a step of its own.
  case step
  /// Together with the author's step before it, if that has the same name and was not taken back: a
  /// word typed letter by letter is undone as a word.
  case joined(String)
  /// Not at all: no undo takes it back.
  case none
}

/// How much of the past a ``History`` holds.
public struct HistoryLimits: Hashable, Sendable {
  /// The steps of one author that can be taken back; the oldest is dropped.
  public var depth: Int
  /// The authors; of one too many, all steps of the one who has been quiet longest are dropped.
  public var authors: Int

  /// Makes limits, each of at least 1.
  public init(depth: Int = 100, authors: Int = 100) {
    self.depth = max(1, depth)
    self.authors = max(1, authors)
  }
}
