/// Why a ``RemoteStore`` can't be made, or can't take what it was given.
///
/// Nothing of it is about the daemon: one that can't be reached is a ``ConnectionStatus``.
public enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is no address.
  case address(String)
  /// The client's name can't be used.
  case name(String)
  /// The folder of the offline queue can't be used: another process has it, it is damaged, of a later
  /// format, or may not be written.
  case queue(String)
  /// The app can't be the one that a daemon serves.
  case app(String)
  /// What was to be said to the others is more than a daemon takes.
  case presence(String)
  /// The system gave no thread, or no way to watch sockets.
  case system(String)

  /// What is wrong, naming the input.
  public var description: String {
    switch self {
    case .address(let text), .name(let text), .queue(let text), .app(let text), .presence(let text),
      .system(let text):
      text
    }
  }
}
