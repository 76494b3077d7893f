/// Which todos somebody looks at.
///
/// It is no part of the state: what one person looks at is no business of the others, whose screens
/// would change with it. So it stays with each front end, which selects by it:
///
/// ```swift
/// let subscription = store.select({ $0.todos(.active) }) { show($0) }
/// ```
public enum Filter: String, CaseIterable, Sendable {
  case all, active, completed

  /// Whether somebody who looks by this filter sees a todo.
  public func contains(_ todo: Todo) -> Bool {
    switch self {
    case .all: true
    case .active: !todo.isCompleted
    case .completed: todo.isCompleted
    }
  }
}

extension TodosApp.State {
  /// The todos that somebody looks at, in order.
  ///
  /// - Complexity: O(*n*).
  public func todos(_ filter: Filter) -> [Todo] {
    todos.filter(filter.contains)
  }
}
