import DuxClient
import DuxJSON
import DuxStore
import DuxTerminal
import Todos

/// What a terminal shows of the app `todos`, and what its keys do.
struct TodosProgram: TerminalProgram {
  typealias State = TodosApp.State
  typealias Action = TodosApp.Action

  /// What is being typed, which nobody else sees before it is entered.
  enum Typing: Equatable {
    case title
    case rename(Todo.ID)
    case notes(Todo.ID)
  }

  var filter = Filter.all
  var position = ListPosition<Todo.ID>()
  var typing: Typing?
  var draft = Draft()
  var isHelpShown = false
  /// The last refusal, until a key is pressed.
  var refusal: String?
  private let filtered = FilteredTodos()

  func rows(_ state: State) -> TodoRows { filtered.rows(of: state.todos, filter) }

  mutating func take(
    _ event: InputEvent, _ shared: Shared<State>, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    if case .key = event { refusal = nil }
    if event == .key(.control("c")) { return .quit }
    if isHelpShown {
      guard case .key = event else { return .nothing }
      isHelpShown = false
      return .redraw
    }
    if let typing { return take(event, into: typing, dispatch) }
    if let command = TodosKeys.list[event] { return obey(command, shared.state, dispatch) }
    if case .paste = event {
      begin(.title, "")
      return draft.take(event) ? .redraw : .nothing
    }
    if let tab = shared.layout.clickedRow(of: "filter", by: event),
      Filter.allCases.indices.contains(tab)
    {
      filter = Filter.allCases[tab]
      return .redraw
    }
    return position.take(event, in: rows(shared.state), shared.layout) ? .redraw : .nothing
  }

  mutating func take(
    settled outcome: RemoteOutcome, of actions: [WireAction], _ shared: Shared<State>
  ) -> Reaction {
    guard let problem = outcome.problem else { return .nothing }
    refusal = problem.message
    return .redraw
  }

  private mutating func begin(_ typing: Typing, _ text: String) {
    self.typing = typing
    draft = Draft(text)
  }

  private mutating func take(
    _ event: InputEvent, into typing: Typing, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    switch event {
    case .key(Key(.escape)):
      self.typing = nil
      return .redraw
    case .key(Key(.enter)):
      let text = draft.text
      switch typing {
      case .title:
        // The field stays open for the next one; an empty one closes it.
        guard !text.isEmpty else { break }
        dispatch(.add(text))
        draft = Draft()
        return .redraw
      case .rename(let id): dispatch(.todo(id: id, action: .rename(text)))
      case .notes(let id):
        let notes = BindingAction<Todo>(field: "notes", value: .string(text))
        dispatch(.todo(id: id, action: .set(notes)))
      }
      self.typing = nil
      return .redraw
    default: return draft.take(event) ? .redraw : .nothing
    }
  }

  private mutating func obey(
    _ command: TodosCommand, _ state: State, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    switch command {
    case .add: begin(.title, "")
    case .undo: dispatch(.history(.undo))
    case .redo: dispatch(.history(.redo))
    case .toggleAll: dispatch(.toggleAll)
    case .clearCompleted: dispatch(.clearCompleted)
    case .nextFilter: filter = filter.next
    case .help: isHelpShown = true
    case .quit: return .quit
    case .rename, .notes, .toggle, .remove, .moveUp, .moveDown, .priority:
      let rows = rows(state)
      guard let index = position.index(in: rows), let todo = rows.row(at: index) else {
        return .nothing
      }
      change(todo, at: index, in: rows, by: command, dispatch)
    }
    return .redraw
  }

  /// Does what a key means for the selected todo.
  private mutating func change(
    _ todo: Todo, at index: Int, in rows: TodoRows, by command: TodosCommand,
    _ dispatch: Dispatch<Action>
  ) {
    switch command {
    case .rename: begin(.rename(todo.id), todo.title)
    case .notes: begin(.notes(todo.id), todo.notes)
    case .toggle: dispatch(.todo(id: todo.id, action: .toggle))
    case .remove: dispatch(.todo(id: todo.id, action: .remove))
    case .priority:
      let next = JSON.string(todo.priority.next.rawValue)
      dispatch(.todo(id: todo.id, action: .set(BindingAction(field: "priority", value: next))))
    case .moveUp:
      if let above = rows.id(at: index - 1) { dispatch(.move(id: todo.id, before: above)) }
    case .moveDown:
      if rows.id(at: index + 1) != nil {
        dispatch(.move(id: todo.id, before: rows.id(at: index + 2)))
      }
    default: break
    }
  }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
  /// The one after this, or the first after the last.
  var next: Self {
    guard let index = Self.allCases.firstIndex(of: self) else { return self }
    return Self.allCases[(index + 1) % Self.allCases.count]
  }
}
