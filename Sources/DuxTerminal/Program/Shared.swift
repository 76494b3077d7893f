public import DuxClient

/// What a program draws from beside its own drafts: the shared state, and how it stands with it.
public struct Shared<State: Sendable>: Sendable {
  /// The state, with what is pending.
  public var state: State
  /// How the connection is.
  public var status: ConnectionStatus
  /// How many actions of this terminal have no outcome yet.
  public var pendingCount: Int
  /// Who is connected.
  public var presence: [Presence]
  /// The time of day, in milliseconds since 1970, for "12 s ago" and for what moves by itself.
  public var nowMs: Int64
  /// This terminal's own name, as the daemon and the others know it.
  public var client: String
  /// Where things lay in what was drawn last, to tell what was clicked.
  public var layout: Layout

  /// Makes a moment, in a test for example.
  public init(
    state: State, status: ConnectionStatus = .live, pendingCount: Int = 0,
    presence: [Presence] = [], nowMs: Int64 = 0, client: String = "",
    layout: Layout = Layout()
  ) {
    self.state = state
    self.status = status
    self.pendingCount = pendingCount
    self.presence = presence
    self.nowMs = nowMs
    self.client = client
    self.layout = layout
  }
}
