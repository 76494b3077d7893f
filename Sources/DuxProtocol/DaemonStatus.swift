package import DuxLog

/// What `status` tells of a daemon (Protocol/protocol.md, 6.4).
package struct DaemonStatus: Sendable {
  package var server: String
  package var app: String
  package var appVersion: Int
  package var epoch: String
  /// The durable head.
  package var seq: SequenceNumber
  /// The oldest place that a position, a read or a log may begin at.
  package var floor: SequenceNumber
  package var clients: Int
  package var subscriptions: Int
  package var uptimeMs: Int64
  package var durability: String
  /// Whether the disk is full, so that writes are refused.
  package var isReadOnly: Bool
  package var stateBytes: Int
  package var stateDepth: Int
  package var logEntries: Int64
  package var logBytes: Int64
  package var checkpoint: SequenceNumber
  package var processID: Int
  /// The stages an action passes on its way to the reducer, in order.
  package var pipeline: [String] = []
  /// Slices that are kept in the state and that the app does not know.
  package var unknownSlices: [String] = []
  /// Effects that have not ended.
  package var effects = 0
  /// Actions refused since the start because no reducer knew their type.
  package var unknownActions: Int64 = 0
  /// Actions dropped since the start because the effect that sent them was cancelled already.
  package var lateActions: Int64 = 0

  /// Makes a status of a daemon that has no stages, no effects and nothing unknown.
  package init(
    server: String, app: String, appVersion: Int, epoch: String, seq: SequenceNumber,
    floor: SequenceNumber, clients: Int, subscriptions: Int, uptimeMs: Int64, durability: String,
    isReadOnly: Bool, stateBytes: Int, stateDepth: Int, logEntries: Int64, logBytes: Int64,
    checkpoint: SequenceNumber, processID: Int
  ) {
    self.server = server
    self.app = app
    self.appVersion = appVersion
    self.epoch = epoch
    self.seq = seq
    self.floor = floor
    self.clients = clients
    self.subscriptions = subscriptions
    self.uptimeMs = uptimeMs
    self.durability = durability
    self.isReadOnly = isReadOnly
    self.stateBytes = stateBytes
    self.stateDepth = stateDepth
    self.logEntries = logEntries
    self.logBytes = logBytes
    self.checkpoint = checkpoint
    self.processID = processID
  }
}
