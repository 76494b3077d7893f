package import DuxProtocol

/// What the daemon's brain is told once, at its start.
package struct EngineConfiguration: Sendable {
  /// The server's name and version, as `welcome` gives it.
  package var server: String
  /// The limits told to clients.
  package var limits: Limits
  /// `full` or `normal`, as `welcome` gives it.
  package var durability: String
  /// How often a quiet subscription is told the head's seq, in milliseconds.
  package var heartbeatMs: Int
  /// How long a connection may take to say `hello`, in milliseconds.
  package var helloTimeoutMs: Int
  /// How long answers may wait on a connection that takes no byte, in milliseconds.
  package var stallTimeoutMs: Int
  /// Connections served at a time.
  package var maximumClients: Int
  /// Memory for the recent frames of all channels, in bytes.
  package var ringBytes: Int
  /// How long writes are refused after the disk failed, before one is tried again, in milliseconds.
  package var storageRetryMs: Int
  /// When a checkpoint is due.
  package var checkpoint: CheckpointPolicy
  /// Follow-ups taken in a row before others get a turn.
  package var followUpsPerTurn: Int
  /// The daemon's process, told in `status`.
  package var processID: Int32

  /// Makes a configuration; every limit is the caller's to state.
  package init(
    server: String, limits: Limits, durability: String, heartbeatMs: Int, helloTimeoutMs: Int,
    stallTimeoutMs: Int, maximumClients: Int, ringBytes: Int, storageRetryMs: Int,
    checkpoint: CheckpointPolicy, followUpsPerTurn: Int = 1_000, processID: Int32
  ) {
    self.server = server
    self.limits = limits
    self.durability = durability
    self.heartbeatMs = heartbeatMs
    self.helloTimeoutMs = helloTimeoutMs
    self.stallTimeoutMs = stallTimeoutMs
    self.maximumClients = maximumClients
    self.ringBytes = ringBytes
    self.storageRetryMs = storageRetryMs
    self.checkpoint = checkpoint
    self.followUpsPerTurn = followUpsPerTurn
    self.processID = processID
  }
}

/// When the state is worth writing down again.
///
/// A checkpoint costs the whole state. It is taken when the log since the last one has grown by as
/// much, so that the price per action stays constant however large the state is.
package struct CheckpointPolicy: Sendable {
  /// Log bytes below which none is taken.
  package var minimumLogBytes: Int
  /// Steps after which one is taken in any case.
  package var maximumEntries: Int

  /// Makes a policy.
  package init(minimumLogBytes: Int, maximumEntries: Int) {
    self.minimumLogBytes = minimumLogBytes
    self.maximumEntries = maximumEntries
  }

  /// Whether one is due; the state's size is asked for only when the rest does not tell.
  func isDue(logBytes: Int, entries: Int, stateBytes: @autoclosure () -> Int) -> Bool {
    guard entries > 0 else { return false }
    return entries >= maximumEntries || (logBytes >= minimumLogBytes && logBytes >= stateBytes())
  }
}
