import DuxJSON
import DuxLog
import DuxProtocol

/// Who is connected, told to those who want to know.
extension Engine {
  /// Begins to tell a session who is connected.
  func subscribeToPresence(since position: Request.Position?, id: RequestID?, _ session: Session) {
    let path = ReservedWords.presencePath
    guard makeRoom(forSubscriptionTo: path, id: id, session) else { return }
    if presence.isFollowed {
      publishPresence()
    } else {
      beginPresence()
    }
    startSnapshot(
      join(presence.channel, session), reason: reason(againstPresenceAt: position), id: id)
  }

  /// No history of presence is kept, so a position of any kind is answered by a snapshot.
  private func reason(againstPresenceAt position: Request.Position?) -> SnapshotReason? {
    guard let position else { return nil }
    if position.epoch != runName { return .epoch }
    return position.seq > presence.seq ? .ahead : .compacted
  }

  /// Takes what a connection tells of itself.
  func setPresence(_ state: JSON?, id: RequestID?, of session: Session) {
    let statement = session.statement ?? PresenceStatement(nowMs: nowMs)
    statement.state = state
    session.statement = statement
    if let client = session.client { presenceChanged(client) }
    write(to: session) { $0.presence(id: id) }
  }

  /// Notes that there may be something new to tell of a client.
  func presenceChanged(_ client: ClientRecord) {
    if presence.isFollowed { presence.note(ByteText(client.name)) }
  }

  /// Tells the followers what is new, once for all of them.
  ///
  /// - Complexity: O(*k* log *n* + *f* × *m*), *k* = clients that may have changed, *n* = clients,
  ///   *f* = frames of at least 64 KiB but for one, *m* = followers.
  func publishPresence() {
    guard !presence.changed.isEmpty else { return }
    guard presence.publish(with: &writer, { change(of: $0) }) else { return }
    noteNews(in: presence.channel)
    while presence.frameBytes > PresenceFeed.ringBytes {
      leaveBehind(presence.channel)
    }
  }

  private func beginPresence() {
    var entries: JSONObject = [:]
    for session in sessions.values {
      guard let client = session.client, client.session === session else { continue }
      session.statement?.isSilent = isSilent(session)
      if case .present(let entry) = change(of: ByteText(client.name)) {
        entries[client.name] = entry
      }
    }
    presence.begin(with: entries)
  }

  private func change(of client: ByteText) -> PresenceChange {
    guard let session = clients[client]?.session, !session.isClosing, !session.isGone else {
      return .absent
    }
    guard let since = session.welcomedAtMs else { return .none }
    if session.statement?.isSilent == true { return .absent }
    var entry: JSONObject = [
      "serial": .integer(Int64(clamping: session.id.value)), "sinceMs": .integer(since),
    ]
    if let state = session.statement?.state { entry["state"] = state }
    return .present(.object(entry))
  }

  // Signs of life.

  /// A connection gave a sign of life.
  func noteLife(_ statement: PresenceStatement, of session: Session) {
    statement.lastHeardMs = nowMs
    guard statement.isSilent else { return }
    statement.isSilent = false
    if let client = session.client { presenceChanged(client) }
  }

  /// Takes a connection for gone that said something of itself and then nothing for too long.
  func endPresenceIfSilent(_ statement: PresenceStatement, of session: Session) {
    // Nothing is heard from a connection that is not listened to; only one that takes no answers
    // has itself to blame for that.
    if session.isReadingPaused, session.wait != .drain { statement.lastHeardMs = nowMs }
    guard presence.isFollowed, !statement.isSilent, isSilent(session) else { return }
    statement.isSilent = true
    if let client = session.client { presenceChanged(client) }
  }

  private func isSilent(_ session: Session) -> Bool {
    guard let statement = session.statement else { return false }
    return nowMs - statement.lastHeardMs >= Int64(configuration.heartbeatMs) * 5 / 2
  }

  // Slow followers.

  /// The ring has lost what a subscription needs next: it gets a snapshot when it has taken what
  /// was queued before.
  func losePresence(_ subscription: Subscription) {
    subscription.source = .lost
    subscription.session.hasLostPresence = true
    markReady(subscription.session)
  }

  /// Begins anew for a session that lost presence, once it takes bytes again.
  func continuePresence(of session: Session) {
    guard session.hasLostPresence, session.queue.byteCount == 0, session.begunSubscription == nil
    else { return }
    session.hasLostPresence = false
    for subscription in session.subscriptions where !subscription.isEnding {
      if case .lost = subscription.source { startSnapshot(subscription, reason: .lagged, id: nil) }
    }
  }

  /// Whether an encoding of a moment ago will do: what came since is at hand, and less than that.
  func isUsableForPresence(_ encoding: SnapshotCache.Encoding) -> Bool {
    let ring = presence.channel.ring
    guard let offset = ring.offset(after: encoding.seq) else { return false }
    guard let bytes = encoding.bytes else { return true }
    return ring.endOffset - offset <= Int64(bytes.bytes.count)
  }
}
