import DuxTerminal

/// What keys do while nothing is being typed.
enum ExplorerCommand: Sendable {
  case up, down, pageUp, pageDown, top, bottom
  case enter, leave, act
  case openEverything, closeEverything
  case nextPane, previousPane
  case pane(ExplorerPane)
  case dispatch, filter, jump, past, earlier, later, present
  case showValue, copyPath, copyValue
  case pause, cancelEffect
  case help, redraw, back, quit
}

/// A part of the explorer's screen.
enum ExplorerPane: Int, CaseIterable, Sendable {
  case state, log, people, effects

  /// What it is called on the screen.
  var title: String {
    switch self {
    case .state: "State"
    case .log: "Log"
    case .people: "Who is here"
    case .effects: "Effects"
    }
  }
}

/// The keys of `dux tui`.
enum ExplorerKeys {
  static let map = KeyMap<ExplorerCommand> {
    KeyMap.Entry(.up, "Up", Key(.up), "k")
    KeyMap.Entry(.down, "Down", Key(.down), "j")
    KeyMap.Entry(.pageUp, "A page up", Key(.pageUp), .control("b"))
    KeyMap.Entry(.pageDown, "A page down", Key(.pageDown), .control("f"))
    KeyMap.Entry(.top, "To the first row", Key(.home), "g")
    KeyMap.Entry(.bottom, "To the last row", Key(.end), "G")
    KeyMap.Entry(.enter, "Open, or go into what is open", Key(.right), "l")
    KeyMap.Entry(.leave, "Close, or go to what is around", Key(.left), "h")
    KeyMap.Entry(.act, "Open or close, show a value or details", Key(.enter), " ")
    KeyMap.Entry(.openEverything, "Open everything below", "*", "+")
    KeyMap.Entry(.closeEverything, "Close everything", "-")
    KeyMap.Entry(.nextPane, "To the next part of the screen", Key(.tab))
    KeyMap.Entry(.previousPane, "To the one before", Key(.backTab))
    KeyMap.Entry(.pane(.state), "State, log, who is here, effects", "1", label: "1 2 3 4")
    KeyMap.Entry(.dispatch, "Dispatch an action", ":", "d")
    KeyMap.Entry(.filter, "Find names, /paths and values", "/", "f")
    KeyMap.Entry(.jump, "Jump to a path", "p")
    KeyMap.Entry(.showValue, "Show path and value to copy", "v")
    KeyMap.Entry(.copyPath, "Copy the path to the clipboard", "y")
    KeyMap.Entry(.copyValue, "Copy the value to the clipboard", "Y")
    KeyMap.Entry(.pause, "Hold the log still, or follow it", "s")
    KeyMap.Entry(.cancelEffect, "Cancel the selected effect", "x", Key(.delete))
    KeyMap.Entry(.past, "Look at the state after an earlier step", "t")
    KeyMap.Entry(.earlier, "One step earlier", "[")
    KeyMap.Entry(.later, "One step later", "]")
    KeyMap.Entry(.present, "Back to the state of now", "n")
    KeyMap.Entry(.help, "These keys", "?", Key(.function(1)))
    KeyMap.Entry(.redraw, "Draw the screen anew", .control("l"))
    KeyMap.Entry(.back, "Leave what is shown on top", Key(.escape))
    KeyMap.Entry(.quit, "Quit", "q", .control("c"))
  }

  /// The digits, which stand for parts of the screen.
  static func pane(of key: Key) -> ExplorerPane? {
    guard let digit = key.typed?.wholeNumberValue else { return nil }
    return ExplorerPane(rawValue: digit - 1)
  }
}
