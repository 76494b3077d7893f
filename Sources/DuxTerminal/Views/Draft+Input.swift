extension Draft {
  /// Edits the draft as an event asks, with the keys that shells have.
  ///
  /// Enter, Escape, Tab and the vertical arrows are left to the program.
  ///
  /// - Returns: Whether the event was one of the draft's, even if there was nothing to change.
  @discardableResult
  public mutating func take(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key): return take(key)
    case .paste(let text):
      insert(text)
      return true
    default: return false
    }
  }

  private mutating func take(_ key: Key) -> Bool {
    let isByWord = key.control || key.alt
    switch key.code {
    case .character(let character):
      if let typed = key.typed { insert(String(typed)) } else { return take(character, key) }
    case .backspace: isByWord ? deleteWordBackward() : deleteBackward()
    case .delete: isByWord ? deleteWordForward() : deleteForward()
    case .left: isByWord ? moveWordLeft() : moveLeft()
    case .right: isByWord ? moveWordRight() : moveRight()
    case .home: moveToStart()
    case .end: moveToEnd()
    default: return false
    }
    return true
  }

  private mutating func take(_ character: Character, _ key: Key) -> Bool {
    switch (character, key.control, key.alt) {
    case ("a", true, false): moveToStart()
    case ("e", true, false): moveToEnd()
    case ("b", true, false): moveLeft()
    case ("f", true, false): moveRight()
    case ("d", true, false): deleteForward()
    case ("h", true, false): deleteBackward()
    case ("k", true, false): deleteToEnd()
    case ("u", true, false): deleteToStart()
    case ("w", true, false): deleteWordBackward()
    case ("b", false, true): moveWordLeft()
    case ("f", false, true): moveWordRight()
    case ("d", false, true): deleteWordForward()
    default: return false
    }
    return true
  }
}
