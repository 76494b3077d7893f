import DuxProtocol

/// Connections: bytes in, lines out of them, one request at a time.
extension Engine {
  /// Somebody connected.
  package func connected(_ id: ConnectionID, outlet: any Outlet) {
    let session = Session(id: id, outlet: outlet, nowMs: nowMs)
    sessions[id] = session
    if isShuttingDown {
      sayGoodbye(to: session, RequestError(.shuttingDown, "the daemon is stopping"), isFinal: false)
    } else if sessions.count > configuration.maximumClients {
      sayGoodbye(
        to: session,
        RequestError(
          .overloaded, "\(configuration.maximumClients) clients are connected, no more are taken"),
        isFinal: false)
    }
  }

  /// Bytes came in, cut anywhere.
  package func received(_ bytes: UnsafeRawBufferPointer, from id: ConnectionID) {
    guard let session = sessions[id], !session.isClosing else { return }
    if let statement = session.statement { noteLife(statement, of: session) }
    if session.inbox.isEmpty, !session.isBlocked {
      let consumed = handleLines(in: bytes, of: session)
      if !session.isClosing, consumed < bytes.count {
        session.inbox.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[consumed...]))
      }
      updateReading(session)
    } else {
      session.inbox.append(contentsOf: bytes)
      pump(session)
    }
  }

  /// The peer sends nothing more, but may still read: it gets the answers to what it has asked.
  package func inputEnded(_ id: ConnectionID) {
    guard let session = sessions[id] else { return }
    session.hasInputEnded = true
    closeIfServed(session)
  }

  /// Closes the connection of a peer that sends nothing more, once all is answered.
  private func closeIfServed(_ session: Session) {
    guard session.hasInputEnded, !session.isClosing, !session.isGone else { return }
    guard !session.isBlocked, isSettled(session), session.queue.isEmpty, session.held.isEmpty,
      session.begunSubscription == nil
    else { return }
    effects.append(.close(session.id))
  }

  /// The peer is gone, or the connection was closed.
  package func disconnected(_ id: ConnectionID) {
    guard let session = sessions.removeValue(forKey: id) else { return }
    session.isGone = true
    session.isClosing = true
    endSubscriptions(of: session)
    detach(session)
  }

  /// Handles the requests that wait in the inbox, as far as they may be looked at.
  func pump(_ session: Session) {
    if !session.isBusy, let deferred = session.deferred {
      session.deferred = nil
      deferred()
    }
    if !session.isBlocked, !session.inbox.isEmpty {
      let inbox = session.inbox
      session.inbox = []
      let rest = inbox.withUnsafeBytes { bytes in
        let consumed = handleLines(in: bytes, of: session)
        return Array(bytes[consumed...])
      }
      if !session.isClosing { session.inbox = rest }
    }
    updateReading(session)
    closeIfServed(session)
  }

  /// - Returns: how many bytes were understood and are done with.
  private func handleLines(in bytes: UnsafeRawBufferPointer, of session: Session) -> Int {
    var start = 0
    while mayHandleNext(of: session) {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let limit = lineLimit(of: session)
      switch session.scanner.next(in: rest, maximumLineBytes: limit) {
      case .incomplete:
        return start
      case .tooLong:
        let error = RequestError(.lineTooLong, "a line may have \(limit) bytes, this one is longer")
        write(to: session) { $0.error(error, id: nil) }
        sayGoodbye(to: session, error, isFinal: true)
        return bytes.count
      case .line(let count, let next):
        let line = UnsafeRawBufferPointer(rebasing: rest[..<count])
        if !line.isBlank { handle(line, of: session) }
        start += next
      }
    }
    return start
  }

  private func lineLimit(of session: Session) -> Int {
    let limit = configuration.limits.maximumLineBytes
    return session.hasSaidHello ? limit : min(limit, Limits.maximumLineBytesBeforeHello)
  }

  private func mayHandleNext(of session: Session) -> Bool {
    if session.isBlocked { return false }
    if session.waitingBytes > Self.outputLimitBytes {
      session.wait = .drain
      return false
    }
    if open.isFull {
      wait(session, forGroup: open.number)
      return false
    }
    return true
  }

  /// Answers that may wait on a connection before its next request is looked at, in bytes.
  static let outputLimitBytes = 262_144

  private func updateReading(_ session: Session) {
    let shouldPause = session.isBlocked && !session.isClosing
    guard shouldPause != session.isReadingPaused, !session.isGone else { return }
    session.isReadingPaused = shouldPause
    effects.append(shouldPause ? .pauseReading(session.id) : .resumeReading(session.id))
  }

  /// Tells the peer that, and why, the connection ends, and ends it when that is sent.
  ///
  /// A peer that may come back is told when, spread so that not all come at once.
  func sayGoodbye(to session: Session, _ error: RequestError, isFinal: Bool) {
    guard !session.isClosing else { return }
    let spreadMs = max(500, sessions.count)
    let retryMs = isFinal ? nil : 200 + Int.random(in: 0..<spreadMs, using: &random)
    if session.holdsAnswers { endSubscriptions(of: session) }
    detach(session)
    for subscription in session.subscriptions where !subscription.isEnding {
      queueEnd(of: subscription)
    }
    writer.bytes.removeAll(keepingCapacity: true)
    writer.bye(error, retryMs: retryMs)
    session.farewell = writer.bytes
    session.queue.append(writer.bytes)
    markReady(session)
    session.isClosing = true
    session.inbox = []
  }

  /// Lets a connection that is being closed go without the frames that the ring has lost, and so
  /// without the answers that would have to stand behind them.
  func cutShortFarewell(of session: Session) {
    endSubscriptions(of: session)
    _ = session.queue.splitAtFirstAnswer()
    session.queue.append(session.farewell)
    markReady(session)
  }

  private func endSubscriptions(of session: Session) {
    for subscription in session.subscriptions { end(subscription) }
    session.subscriptions = []
    session.held = OutputQueue()
  }

  /// Takes a session out of everything but its subscriptions.
  private func detach(_ session: Session) {
    session.logStream = nil
    session.heldSnapshots = []
    session.deferred = nil
    if let client = session.client, client.session === session {
      client.session = nil
      presenceChanged(client)
      forgetIfIdle(client)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a line holds nothing but white space.
  fileprivate var isBlank: Bool {
    allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}
