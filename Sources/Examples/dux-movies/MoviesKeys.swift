import DuxTerminal

/// What a key can mean.
enum MoviesCommand: Sendable {
  case open, back, favourite, again, nextTab, previousTab, search, help, quit
}

/// The keys.
enum MoviesKeys {
  /// Where letters are typed.
  static let typing = KeyMap<MoviesCommand> {
    KeyMap.Entry(.open, "Open", Key(.enter))
    KeyMap.Entry(.back, "Clear", Key(.escape))
    KeyMap.Entry(.nextTab, "Next tab", Key(.tab))
    KeyMap.Entry(.previousTab, "Tab before", Key(.backTab))
    KeyMap.Entry(.favourite, "Like it or not", .control("t"))
    KeyMap.Entry(.again, "Try again", .control("r"))
    KeyMap.Entry(.help, "These keys", Key(.function(1)))
    KeyMap.Entry(.quit, "Quit", .control("c"))
  }

  /// On the other lists.
  static let list = KeyMap<MoviesCommand> {
    KeyMap.Entry(.open, "Open", Key(.enter))
    KeyMap.Entry(.favourite, "Like it or not", "f", .control("t"), label: "f")
    KeyMap.Entry(.nextTab, "Next tab", Key(.tab))
    KeyMap.Entry(.previousTab, "Tab before", Key(.backTab))
    KeyMap.Entry(.search, "Search", "/")
    KeyMap.Entry(.again, "Load again", "r", .control("r"), label: "r")
    KeyMap.Entry(.help, "These keys", "?", Key(.function(1)), label: "?")
    KeyMap.Entry(.quit, "Quit", "q", .control("c"), label: "q")
  }

  /// On the page of a movie.
  static let page = KeyMap<MoviesCommand> {
    KeyMap.Entry(.back, "Back", Key(.escape), "b", Key(.backspace), label: "Esc")
    KeyMap.Entry(.open, "Go on to it", Key(.enter))
    KeyMap.Entry(.favourite, "Like it or not", "f", .control("t"), label: "f")
    KeyMap.Entry(.again, "Load again", "r", .control("r"), label: "r")
    KeyMap.Entry(.help, "These keys", "?", Key(.function(1)), label: "?")
    KeyMap.Entry(.quit, "Quit", "q", .control("c"), label: "q")
  }
}
