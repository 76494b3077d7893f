import DuxTerminal

/// What a key can mean, on whichever screen.
enum KeyCommand: Sendable {
  case back, root, link, follow, unfollow, help, leave, quit
  case increment, incrementLater, showDouble, showRandom, goToList
  case changeName, changeDate, changeJob
}

/// The keys of each screen.
enum NavigatorKeys {
  /// On every screen, also where letters are typed.
  static let everywhere = KeyMap<KeyCommand> {
    KeyMap.Entry(.back, "Back", Key(.escape))
    KeyMap.Entry(.link, "Open a link", .control("o"))
    KeyMap.Entry(.follow, "Follow somebody", .control("g"))
    KeyMap.Entry(.help, "These keys", Key(.function(1)))
    KeyMap.Entry(.quit, "Quit, and stay where you are", .control("c"))
  }

  /// Where no letters are typed.
  static let letters = KeyMap<KeyCommand> {
    KeyMap.Entry(.back, "Back", Key(.escape), "b", Key(.backspace), label: "Esc")
    KeyMap.Entry(.root, "To the menu", "m")
    KeyMap.Entry(.link, "Open a link", "o", .control("o"), label: "o")
    KeyMap.Entry(.follow, "Follow somebody", "f", .control("g"), label: "f")
    KeyMap.Entry(.unfollow, "Follow nobody", "u")
    KeyMap.Entry(.quit, "Quit, and stay where you are", .control("c"))
    KeyMap.Entry(.help, "These keys", "?", Key(.function(1)), label: "?")
    KeyMap.Entry(.leave, "Leave and quit", "q")
  }

  static let list = KeyMap<KeyCommand> {
    KeyMap.Entry(.showRandom, "A random number", "r")
  }

  static let number = KeyMap<KeyCommand> {
    KeyMap.Entry(.increment, "One more", "i", "+")
    KeyMap.Entry(.incrementLater, "One more in a second", "l")
    KeyMap.Entry(.showDouble, "The double, as a sheet", "d")
    KeyMap.Entry(.showRandom, "A random number", "r")
    KeyMap.Entry(.goToList, "Back to the list", "g")
  }

  static let final = KeyMap<KeyCommand> {
    KeyMap.Entry(.changeName, "Change the name", "1")
    KeyMap.Entry(.changeDate, "Change the date of birth", "2")
    KeyMap.Entry(.changeJob, "Change the job", "3")
  }
}
