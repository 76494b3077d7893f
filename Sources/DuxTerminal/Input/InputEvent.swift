/// Something that came from the terminal.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// A text was pasted: one event, however long the text, with `\n` between its lines and no control
  /// character but that and tab.
  case paste(String)
  /// The mouse did something.
  case mouse(Mouse)
  /// The terminal has another size; what is drawn next is drawn in it.
  case resize(Size)
  /// The terminal has become the one that is typed into.
  case focusGained
  /// The terminal is no longer the one that is typed into.
  case focusLost
}
