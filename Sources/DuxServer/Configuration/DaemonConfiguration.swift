package import DuxNetwork
package import DuxProtocol
package import DuxStorage

/// All a daemon is told when it starts.
package struct DaemonConfiguration: Sendable {
  /// The folder of the data.
  package var data: String
  /// Where to listen, TCP addresses and Unix sockets.
  package var endpoints: [Endpoint]
  /// Where to listen too, unless another daemon does.
  package var endpointIfFree: Endpoint?
  /// Name of the app to serve.
  package var app: String
  /// When a step counts as written.
  package var durability: Durability
  /// What is taken from clients.
  package var limits: Limits
  /// Connections served at a time.
  package var maximumClients: Int
  /// How often a quiet subscription hears something, in milliseconds.
  package var heartbeatMs: Int
  /// How much of the log is kept.
  package var retention: RetentionLimits
  /// How much is said on standard error.
  package var logLevel: LogLevel

  /// Makes a configuration; every limit is the caller's to state.
  package init(
    data: String, endpoints: [Endpoint], endpointIfFree: Endpoint?, app: String,
    durability: Durability, limits: Limits, maximumClients: Int, heartbeatMs: Int,
    retention: RetentionLimits, logLevel: LogLevel
  ) {
    self.data = data
    self.endpoints = endpoints
    self.endpointIfFree = endpointIfFree
    self.app = app
    self.durability = durability
    self.limits = limits
    self.maximumClients = maximumClients
    self.heartbeatMs = heartbeatMs
    self.retention = retention
    self.logLevel = logLevel
  }
}
