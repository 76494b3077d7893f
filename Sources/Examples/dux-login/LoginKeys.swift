import DuxTerminal

/// What a key can mean.
enum LoginCommand: Sendable {
  case enter, next, previous, changeWay, giveUp
  case signOut, renew, loadProfile
  case help, quit
}

/// The keys.
enum LoginKeys {
  /// In the form, where letters are typed.
  static let form = KeyMap<LoginCommand> {
    KeyMap.Entry(.enter, "Send", Key(.enter))
    KeyMap.Entry(.next, "Next field", Key(.tab), Key(.down), label: "Tab")
    KeyMap.Entry(.previous, "Field before", Key(.backTab), Key(.up), label: "Shift-Tab")
    KeyMap.Entry(.changeWay, "Sign in, or a new account", .control("n"))
    KeyMap.Entry(.giveUp, "Give up", Key(.escape))
    KeyMap.Entry(.help, "These keys", Key(.function(1)))
    KeyMap.Entry(.quit, "Quit", .control("c"))
  }

  /// On the page of who is signed in.
  static let home = KeyMap<LoginCommand> {
    KeyMap.Entry(.signOut, "Sign out", "s")
    KeyMap.Entry(.renew, "Renew the access", "r")
    KeyMap.Entry(.loadProfile, "Ask again who it is", "p")
    KeyMap.Entry(.help, "These keys", "?", Key(.function(1)), label: "?")
    KeyMap.Entry(.quit, "Quit, and stay signed in", "q", .control("c"), label: "q")
  }
}
