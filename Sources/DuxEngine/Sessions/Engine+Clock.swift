import DuxLog
import DuxProtocol

/// What time alone brings about: heartbeats, deadlines, and the end.
extension Engine {
  /// Lets time pass; called about once a second, after ``advance(nowMs:wallMs:)``.
  ///
  /// - Complexity: O(connections + subscriptions), beside putting the connections in order.
  package func tick() {
    snapshots.expire(nowMs: nowMs)
    for session in sessionsInOrder {
      if let statement = session.statement { endPresenceIfSilent(statement, of: session) }
      if session.isClosing {
        closeIfStuck(session)
      } else if !session.hasSaidHello {
        endIfSilent(session)
      } else if session.queue.byteCount > 0 {
        endIfStalled(session)
      } else if session.queue.isEmpty {
        queueMarks(for: session)
      }
    }
  }

  private static let farewellMs: Int64 = 5_000

  private func closeIfStuck(_ session: Session) {
    if nowMs - session.lastProgressMs > Self.farewellMs { effects.append(.close(session.id)) }
  }

  private func endIfSilent(_ session: Session) {
    guard session.wait == nil else { return }
    let limit = configuration.helloTimeoutMs
    guard nowMs - session.connectedAtMs >= Int64(limit) else { return }
    sayGoodbye(
      to: session, RequestError(.badRequest, "no hello within \(limit) ms"), isFinal: false)
  }

  private func endIfStalled(_ session: Session) {
    guard nowMs - session.lastProgressMs >= Int64(configuration.stallTimeoutMs) else { return }
    sayGoodbye(
      to: session,
      RequestError(
        .slowConsumer, "no answer was taken for \(configuration.stallTimeoutMs) ms"),
      isFinal: false)
    effects.append(.close(session.id))
  }

  /// A mark is written when it is its turn to be sent: by then it may have to tell of a later seq,
  /// or patches have made it needless.
  private func queueMarks(for session: Session) {
    for subscription in session.subscriptions {
      guard nowMs - subscription.lastSentMs >= Int64(configuration.heartbeatMs) else { continue }
      guard subscription.hasAllOfRing else { continue }
      subscription.lastSentMs = nowMs
      session.queue.append(markOf: subscription)
      markReady(session)
    }
  }

  /// Begins the end: no step is taken any more; what was taken goes to the disk.
  package func beginShutdown() {
    isShuttingDown = true
    endTurn()
  }

  /// Whether nothing is on its way to the disk.
  package var isSettled: Bool { inFlight == nil && open.isEmpty }

  /// Tells everybody that the daemon stops.
  package func sayGoodbyeToAll() {
    for session in sessionsInOrder {
      sayGoodbye(
        to: session, RequestError(.shuttingDown, "the daemon is stopping"), isFinal: false)
    }
  }

  /// In the order of their coming, so that the same run gives the same effects.
  private var sessionsInOrder: [Session] {
    sessions.values.sorted { $0.id.value < $1.id.value }
  }

  /// How many connections there are.
  package var connectionCount: Int { sessions.count }
}
