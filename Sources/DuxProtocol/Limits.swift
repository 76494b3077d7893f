/// What the daemon takes from a client, told in `welcome`.
package struct Limits: Hashable, Sendable {
  /// Bytes of one line, without its line feed.
  package var maximumLineBytes: Int
  /// Levels of nesting of a value and of the whole state.
  package var maximumDepth: Int
  /// Bytes of the state's canonical text.
  package var maximumStateBytes: Int

  /// Makes limits.
  package init(maximumLineBytes: Int, maximumDepth: Int, maximumStateBytes: Int) {
    self.maximumLineBytes = maximumLineBytes
    self.maximumDepth = maximumDepth
    self.maximumStateBytes = maximumStateBytes
  }

  /// Levels that a request wraps around a value: the line, `actions`, the action, `payload`,
  /// `ops`, the operation.
  package static let requestDepth = 8

  /// Bytes of a line before the client has said `hello`.
  package static let maximumLineBytesBeforeHello = 65_536
  /// Actions in one step.
  package static let maximumActions = 1_000
  /// Preconditions of one step.
  package static let maximumPreconditions = 1_000
  /// Subscriptions of one connection.
  package static let maximumSubscriptions = 1_024
  /// Entries of one `log` request.
  package static let maximumLogEntries = 1_000_000
  /// Effects in one list.
  package static let maximumListedEffects = 10_000
  /// Bytes of what a connection tells of itself, in canonical form.
  package static let maximumPresenceBytes = 4_096
  /// Bytes of a client's name.
  package static let maximumClientNameBytes = 128
  /// Refused lines in a row after which a connection is ended.
  package static let maximumRefusedLines = 20
}

/// The version of the protocol this code speaks.
package enum ProtocolVersion {
  /// The one version served.
  package static let current: Int64 = 1
}
