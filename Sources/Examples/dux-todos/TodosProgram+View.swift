import DuxClient
import DuxStore
import DuxTerminal
import Todos

extension TodosProgram {
  func view(of shared: Shared<State>, in size: Size) -> some View {
    let rows = rows(shared.state)
    let selected = position.index(in: rows).flatMap { rows.row(at: $0) }
    return VStack {
      HStack {
        Tabs(
          Filter.allCases.map(\.rawValue), selected: Filter.allCases.firstIndex(of: filter) ?? 0,
          name: "filter")
        Spacer()
        Text(rows.count == 1 ? "1 todo" : "\(rows.count) todos").role(.secondary).truncated()
      }
      .padding(horizontal: 1)
      Divider()
      if rows.count == 0 {
        Text(emptyText(shared)).role(.secondary).padding(horizontal: 1).fillingHeight().priority(1)
      } else {
        List(rows, position, isFocused: typing == nil) { todo, _ in TodoRow(todo: todo) }
          .priority(1)
      }
      if let selected, !selected.notes.isEmpty, size.rows >= 12 {
        Text(selected.notes).role(.secondary).truncated().padding(horizontal: 1)
      }
      if let typing { field(typing) }
      if let refusal { Banner(refusal, .failure) }
      KeyHints(hints).padding(horizontal: 1)
      StatusLine("dux-todos", shared, who: shared.presence.map(\.client))
    }
    .sheet("Keys") { if isHelpShown { KeyHelp(TodosKeys.list.help) } }
  }

  private func emptyText(_ shared: Shared<State>) -> String {
    switch shared.status {
    case .live, .stale, .offline(sinceMs: _?, reason: _, retryAtMs: _):
      filter == .all ? "Nothing is to be done. a adds a todo." : "None. Tab shows others."
    case .connecting, .offline: "The list has not come yet. What you add is told when it has."
    case .ended: "There is no list to show."
    }
  }

  private var hints: [(keys: String, help: String)] {
    guard let typing else { return TodosKeys.list.help }
    return [("Enter", typing == .title ? "Add" : "Change"), ("Esc", "Leave it")]
  }

  private func field(_ typing: Typing) -> some View {
    HStack {
      switch typing {
      case .title: Text("New:").role(.accent)
      case .rename: Text("Title:").role(.accent)
      case .notes: Text("Notes:").role(.accent)
      }
      TextField(draft, placeholder: "what is to be done").priority(1)
    }
    .padding(horizontal: 1)
  }
}

/// A todo in one line.
struct TodoRow: View {
  let todo: Todo

  var body: some View {
    HStack {
      Text(todo.isCompleted ? "[x]" : "[ ]")
      switch todo.priority {
      case .high: Text("!").role(.warning)
      case .low: Text("↓").role(.secondary)
      case .normal: Text(" ")
      }
      if todo.isCompleted {
        Text(todo.title).role(.secondary).truncated().priority(1)
      } else {
        Text(todo.title).truncated().priority(1)
      }
      if !todo.notes.isEmpty { Text("…").role(.secondary) }
    }
    .padding(horizontal: 1)
  }
}
