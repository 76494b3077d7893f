/// What one transaction makes durable: the steps of a group, the outcomes of its requests, and the
/// effects its steps asked for or ended.
public struct Commit: Sendable {
  /// The steps in order, without a hole, the first right after the log's last.
  public var entries: [LogEntry]
  /// The outcomes of numbered requests by client, rejections too, `n` rising within a client.
  public var outcomes: [ClientOutcomes]
  /// What happens to the outbox, in this order.
  public var outbox: [OutboxChange]
  /// The version of the app that the state has from this commit on; `nil` where it stays.
  public var appVersion: Int64?
  /// Wall clock in milliseconds since 1970, for the retention of outcomes.
  public var time: Int64

  /// The outcomes of one client in one commit.
  public struct ClientOutcomes: Sendable {
    /// The client's name.
    public var client: String
    /// At least one, `n` rising.
    public var outcomes: [Outcome]

    /// Makes the group of one client.
    public init(client: String, outcomes: [Outcome]) {
      self.client = client
      self.outcomes = outcomes
    }
  }

  /// Whether there is nothing to make durable.
  public var isEmpty: Bool {
    entries.isEmpty && outcomes.isEmpty && outbox.isEmpty && appVersion == nil
  }

  /// Makes a commit of its parts.
  public init(
    entries: [LogEntry], outcomes: [ClientOutcomes], outbox: [OutboxChange] = [],
    appVersion: Int64? = nil, time: Int64
  ) {
    self.entries = entries
    self.outcomes = outcomes
    self.outbox = outbox
    self.appVersion = appVersion
    self.time = time
  }
}

/// The whole state at one place of the log, as kept on disk.
public struct Checkpoint: Sendable {
  /// The last step the state holds.
  public var seq: SequenceNumber
  /// Wall clock in milliseconds since 1970 of that step.
  public var time: Int64
  /// The state as JSON text in canonical form.
  public var state: [UInt8]

  /// Makes a checkpoint of its parts.
  public init(seq: SequenceNumber, time: Int64, state: [UInt8]) {
    self.seq = seq
    self.time = time
    self.state = state
  }
}
