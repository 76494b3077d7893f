import DuxStore
import Foundation

/// Adds, moves and removes todos, and changes many at once.
struct EditingTodos: Reducer {
  typealias State = TodosApp.State
  typealias Action = TodosApp.Action

  @Dependency(\.uuid) private var uuid
  @Dependency(\.date) private var date

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      try edit(&state.todos, as: action)
      return .none
    }
    .forEach(\.todos, action: Action.todo(id:action:)) { EditingTodo() }
  }

  private func edit(_ todos: inout Table<Todo.ID, Todo>, as action: Action) throws {
    switch action {
    case .add(let title):
      let title = try Todo.title(title)
      try todos.append(Todo(id: uuid(), title: title, created: date()))
    case .move(let id, before: let other?): try todos.move(id, before: other)
    case .move(let id, before: nil): try todos.move(id, to: todos.count - 1)
    case .toggleAll:
      let isAnyActive = todos.contains { !$0.isCompleted }
      for todo in todos { todos[id: todo.id]?.isCompleted = isAnyActive }
    case .clearCompleted: todos.removeAll { $0.isCompleted }
    case .todo(let id, .remove): todos.remove(id: id)
    case .todo, .history: break
    }
  }
}

/// What a row does by itself; removing it is for the list, which sees the action after the row.
struct EditingTodo: Reducer {
  typealias State = Todo
  typealias Action = Todo.Action

  var body: some Reducer<State, Action> {
    BindingReducer(action: Action.set)
    Reduce { todo, action in
      switch action {
      case .rename(let title): todo.title = try Todo.title(title)
      case .toggle: todo.isCompleted.toggle()
      case .remove, .set: break
      }
      return .none
    }
  }
}
