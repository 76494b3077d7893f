/// A state with where it stands, all of one moment.
public struct RemoteSnapshot<State: Sendable>: Sendable {
  /// What the program sees: the confirmed state with the pending actions on top.
  public let state: State
  /// The state that the daemon is known to have had.
  public let confirmed: State
  /// The step that made the confirmed state; 0 before the first copy is whole.
  public let seq: Int64
  /// The life of the daemon's log that `seq` counts in; `nil` before the first copy is whole.
  public let epoch: String?
  /// How many actions of this client have no outcome yet.
  public let pendingCount: Int

  /// Makes a snapshot.
  public init(state: State, confirmed: State, seq: Int64, epoch: String?, pendingCount: Int) {
    self.state = state
    self.confirmed = confirmed
    self.seq = seq
    self.epoch = epoch
    self.pendingCount = pendingCount
  }
}
