/// What a program wants done after an event.
public enum Reaction: Hashable, Sendable {
  /// Draw again: something of the program's own has changed.
  case redraw
  /// Nothing; a change of the shared state is drawn anyway.
  case nothing
  /// Give the terminal back and end the process with this status.
  case quit(status: Int32)
  /// Give the terminal back until the shell continues the process, as Ctrl-Z does anyway.
  case suspend

  /// Give the terminal back and end the process with status 0.
  public static let quit = Reaction.quit(status: 0)
}
