public import DuxStore
public import Foundation

/// A list of things to do, for many people at once: all see what each of them does, and each takes
/// back only what was theirs.
///
/// The todos lie in a `Table`, so that a change costs the same in a list of ten and of a
/// million, and goes out as a patch of the row it concerns. The id and the date of a new todo come
/// from dependencies, so that a replay of the log makes the same list. What a row can do by itself is
/// a reducer of its own.
public struct TodosApp: App {
  /// What all share.
  public struct State: Codable, Equatable, Sendable {
    /// In the order in which they are shown.
    public internal(set) var todos = Table<Todo.ID, Todo>()
    /// What each author can take back; it lies beside what it is the history of.
    var history = History()
  }

  /// What may be asked of the list.
  public enum Action: Codable, Equatable, Sendable {
    /// Puts a todo with this title at the end.
    case add(String)
    /// Moves a todo before another, or to the end.
    case move(id: Todo.ID, before: Todo.ID?)
    /// Completes all, or, where all are completed, none.
    case toggleAll
    case clearCompleted
    case todo(id: Todo.ID, action: Todo.Action)
    case history(HistoryAction)
  }

  /// `todos`.
  public let name = "todos"
  /// Nothing is to be done.
  public let initialState = State()

  /// Makes the app.
  public init() {}

  /// The list and its rows, and what each author can take back of both.
  public var body: some Reducer<State, Action> {
    EditingTodos()
      .undoable(\.todos, history: \.history, action: Action.history, entry: historyEntry)
  }

  /// Notes typed letter by letter are taken back as a whole; all else action by action.
  private func historyEntry(of action: Action) -> HistoryEntry {
    guard case .todo(let id, .set(let binding)) = action, binding.sets(\.notes) else {
      return .step
    }
    return .joined("notes of \(id)")
  }
}
