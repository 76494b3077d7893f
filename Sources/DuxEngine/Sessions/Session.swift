import DuxJSON
import DuxLog
import DuxProtocol

/// One connection, as the brain sees it.
final class Session {
  /// Why the session's next request is not looked at yet.
  enum Wait: Equatable {
    /// Its own steps, or room for more, come with this group.
    case group(Int)
    /// Something asked of the disk or another thread.
    case answer
    /// The connection must take what was answered so far.
    case drain
  }

  let id: ConnectionID
  let outlet: any Outlet
  let connectedAtMs: Int64
  /// Whose connection it is, from the moment it takes over on.
  var client: ClientRecord?
  /// When it was welcomed, on the wall clock.
  var welcomedAtMs: Int64?
  /// What it said of itself.
  var statement: PresenceStatement?

  /// Bytes received and not yet understood.
  @exclusivity(unchecked) var inbox: [UInt8] = []
  @exclusivity(unchecked) var scanner = LineScanner()
  var wait: Wait?
  var isReadingPaused = false
  var refusedLinesInARow = 0
  /// The last group that holds a step of its own.
  var lastGroup = 0

  var subscriptions: [Subscription] = []
  /// How many of them are served from the log.
  var catchUpCount = 0
  /// How many of them wait for a snapshot that is being encoded.
  var snapshotsInMaking = 0
  /// The last seq that an answer told it of: what it reads later is no older.
  var toldSeq = SequenceNumber.zero
  @exclusivity(unchecked) var queue = OutputQueue()
  /// What waits until no subscription is behind any more: answers to steps whose frames come late,
  /// and what stands behind them.
  @exclusivity(unchecked) var held = OutputQueue()
  /// Snapshots that answer a request behind those answers: made, but not written yet.
  @exclusivity(unchecked) var heldSnapshots: [() -> Void] = []
  /// Whether its presence has lost what follows, and needs a snapshot.
  var hasLostPresence = false
  /// What was sent in part and must be finished first.
  var begunSubscription: Subscription?
  @exclusivity(unchecked) var logStream: LogStream?
  /// The request that waits for the group in `wait`.
  @exclusivity(unchecked) var deferred: (() -> Void)?
  var isReady = false
  var hasInputEnded = false
  var isClosing = false
  /// The last line, once the connection is being closed.
  var farewell: [UInt8] = []
  var isGone = false
  /// When the connection last took a byte, on the engine's clock.
  var lastProgressMs: Int64

  init(id: ConnectionID, outlet: any Outlet, nowMs: Int64) {
    self.id = id
    self.outlet = outlet
    self.connectedAtMs = nowMs
    self.lastProgressMs = nowMs
  }

  var hasSaidHello: Bool { welcomedAtMs != nil }

  var isCatchingUp: Bool { catchUpCount > 0 }

  /// Whether a subscription is behind, so that answers come later than they are known.
  var holdsAnswers: Bool { isCatchingUp || snapshotsInMaking > 0 || !held.isEmpty }

  /// Whether the next request may not be looked at.
  var isBlocked: Bool { isBusy || deferred != nil }

  /// Whether the request whose turn it is may not be carried out.
  var isBusy: Bool {
    wait != nil || isClosing || logStream != nil || isCatchingUp || snapshotsInMaking > 0
      || !heldSnapshots.isEmpty
  }

  /// Whether nothing is to be done when it was sent something: it is read from, and lacks nothing
  /// but what is published next.
  var isAtRest: Bool {
    wait == nil && catchUpCount == 0 && snapshotsInMaking == 0 && inbox.isEmpty && !isClosing
      && !hasInputEnded && !isReadingPaused && !hasLostPresence && logStream == nil
      && deferred == nil && heldSnapshots.isEmpty
  }

  /// Bytes of answers, and of frames from the log, that are not sent.
  var waitingBytes: Int { queue.byteCount + held.byteCount }

  var activeSubscriptionCount: Int { subscriptions.count { !$0.isEnding } }

  func subscription(to pathText: String) -> Subscription? {
    subscriptions.first { !$0.isEnding && hasSameBytes($0.channel.pathText, pathText) }
  }
}

/// A `log` request that is being answered, a slice at a time.
final class LogStream {
  let id: RequestID?
  var position: SequenceNumber
  var remaining: Int
  /// The durable head when it was asked; later entries are not part of the answer.
  let end: SequenceNumber
  var isReading = false

  init(id: RequestID?, after position: SequenceNumber, limit: Int, end: SequenceNumber) {
    self.id = id
    self.position = position
    self.remaining = limit
    self.end = end
  }
}
