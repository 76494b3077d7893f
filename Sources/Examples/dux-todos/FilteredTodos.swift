import DuxStore
import DuxTerminal
import Todos

/// The todos that somebody looks at, as rows of a list.
///
/// All of them are the table itself. Of the others the ids are picked, which takes a look at each.
enum TodoRows: RowSource {
  case all(Table<Todo.ID, Todo>)
  case picked(PickedRows<Table<Todo.ID, Todo>>)

  init(_ todos: Table<Todo.ID, Todo>, _ filter: Filter) {
    self =
      filter == .all
      ? .all(todos) : .picked(PickedRows(todos.filter(filter.contains).map(\.id), of: todos))
  }

  var count: Int {
    switch self {
    case .all(let rows): rows.count
    case .picked(let rows): rows.count
    }
  }

  func row(at index: Int) -> Todo? {
    switch self {
    case .all(let rows): rows.row(at: index)
    case .picked(let rows): rows.row(at: index)
    }
  }

  func id(at index: Int) -> Todo.ID? {
    switch self {
    case .all(let rows): rows.id(at: index)
    case .picked(let rows): rows.id(at: index)
    }
  }

  func index(of id: Todo.ID) -> Int? {
    switch self {
    case .all(let rows): rows.index(of: id)
    case .picked(let rows): rows.index(of: id)
    }
  }
}

/// Keeps what was picked for as long as the table and the filter are the same.
final class FilteredTodos {
  private var last: (todos: Table<Todo.ID, Todo>, filter: Filter, rows: TodoRows)?

  func rows(of todos: Table<Todo.ID, Todo>, _ filter: Filter) -> TodoRows {
    if let last, last.filter == filter, last.todos == todos { return last.rows }
    let rows = TodoRows(todos, filter)
    last = (todos, filter, rows)
    return rows
  }
}
