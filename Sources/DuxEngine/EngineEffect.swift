package import DuxJSON
package import DuxLog
package import DuxStore

/// Names one connection for as long as the daemon runs; never used twice.
package struct ConnectionID: Hashable, Sendable {
  package let value: UInt64

  /// Wraps a number that the caller has not used before.
  package init(_ value: UInt64) {
    self.value = value
  }
}

/// Names one question to the disk or to another thread.
package struct Token: Hashable, Sendable {
  let value: UInt64
}

/// What the brain asks of those around it.
package enum EngineEffect: Sendable {
  /// Make this durable and answer with ``Engine/committed()`` or ``Engine/commitFailed(_:)``. One
  /// at a time.
  case commit(Commit)
  /// Find this out and answer with ``Engine/answer(_:to:)``.
  case ask(Question, Token)
  /// Take no more bytes from the connection.
  case pauseReading(ConnectionID)
  /// Go on taking bytes.
  case resumeReading(ConnectionID)
  /// The connection has been sent all it will be: close it.
  case close(ConnectionID)
  /// Write this state down beside the traffic, and answer with ``Engine/checkpointEnded()``.
  case checkpoint(seq: SequenceNumber, time: Int64, state: JSON)
  /// Carry out what effects are to do; what comes of it is told by ``Engine/sent(_:by:taken:)`` and
  /// its neighbours.
  case effects([EffectOutput<HostedAction>])
  /// Let effects go on whose actions are settled; those read a state that has them.
  case resume([@Sendable () -> Void])
  /// Stop every effect and forget it.
  case stopEffects
  /// Tell those who run the daemon.
  case report(String)
}

/// What the brain can't answer itself.
package enum Question: Sendable {
  /// Entries of the log after a seq, up to the durable head, at least one if there is one.
  case entries(after: SequenceNumber, through: SequenceNumber, maximumCount: Int, maximumBytes: Int)
  /// The last entry before a time: the seq to read on from.
  case seq(before: Int64)
  /// The highest `n` a client has used.
  case lastN(client: String)
  /// What became of a request.
  case outcome(client: String, n: Int64)
  /// The whole state as it was at a seq.
  case state(at: SequenceNumber)
  /// The text of a value, apart from the thread that serves everybody.
  case text(of: JSON)
  /// A big value as the parts of a snapshot.
  case snapshotParts(of: JSON, PartHeader, maximumLineBytes: Int)
}

/// The answer to a ``Question``, case by case.
package enum Answer: Sendable {
  case entries([LogEntry])
  case seq(SequenceNumber)
  case lastN(Int64)
  case outcome(Outcome?)
  case state(JSON)
  case text(SharedBytes)
  /// The log does not reach back that far.
  case compacted(floor: SequenceNumber)
  /// It could not be found out; the text is for those who run the daemon.
  case failed(String)
}

/// Why a commit failed.
package enum StorageFault: Error, Sendable {
  /// The disk is full; it may be written again when there is space.
  case full(String)
  /// Anything else.
  case broken(String)

  /// What the disk said.
  package var text: String {
    switch self {
    case .full(let text), .broken(let text): text
    }
  }
}

/// How much the daemon keeps, as `status` tells it.
package struct StorageFigures: Hashable, Sendable {
  /// The last step that is no longer in the log.
  package var floor: SequenceNumber
  /// Bytes of the steps in the log.
  package var logBytes: Int64
  /// The newest checkpoint's step.
  package var checkpoint: SequenceNumber

  /// Makes figures.
  package init(floor: SequenceNumber, logBytes: Int64, checkpoint: SequenceNumber) {
    self.floor = floor
    self.logBytes = logBytes
    self.checkpoint = checkpoint
  }
}
