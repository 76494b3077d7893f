import DuxTerminal

/// What a key of the list can mean.
enum TodosCommand: Sendable {
  case add, rename, notes, toggle, remove, undo, redo
  case moveUp, moveDown, priority, toggleAll, clearCompleted, nextFilter, help, quit
}

/// The keys.
enum TodosKeys {
  /// Where no letters are typed.
  static let list = KeyMap<TodosCommand> {
    KeyMap.Entry(.add, "Add", "a", "n", label: "a")
    KeyMap.Entry(.toggle, "Done or not", " ", "x", label: "Space")
    KeyMap.Entry(.rename, "Rename", "r", Key(.enter), label: "r")
    KeyMap.Entry(.notes, "Notes", "e")
    KeyMap.Entry(.remove, "Remove", "d", Key(.delete), label: "d")
    KeyMap.Entry(.undo, "Take back what you did last", "u")
    KeyMap.Entry(.redo, "Do it again", "U", .control("r"), label: "U")
    KeyMap.Entry(.moveUp, "Move up", "K")
    KeyMap.Entry(.moveDown, "Move down", "J")
    KeyMap.Entry(.priority, "Next priority", "p")
    KeyMap.Entry(.toggleAll, "All done, or none", "A")
    KeyMap.Entry(.clearCompleted, "Remove what is done", "C")
    KeyMap.Entry(.nextFilter, "All, active, completed", Key(.tab))
    KeyMap.Entry(.help, "These keys", "?", Key(.function(1)), label: "?")
    KeyMap.Entry(.quit, "Quit", "q", .control("c"), label: "q")
  }
}
