import DuxProtocol

/// What goes out: own answers and channels' frames, gathered when the connection can take them.
extension Engine {
  /// Writes lines that answer nothing, to be sent before whatever waits for frames.
  func announce(to session: Session, _ body: (inout LineWriter) -> Void) {
    guard !session.isGone, !session.isClosing else { return }
    writer.bytes.removeAll(keepingCapacity: true)
    body(&writer)
    session.queue.append(writer.bytes)
    markReady(session)
  }

  /// Writes an answer, behind those to the requests before.
  func write(to session: Session, _ body: (inout LineWriter) -> Void) {
    writer.bytes.removeAll(keepingCapacity: true)
    body(&writer)
    queueAnswer(to: session) { $0.append(writer.bytes) }
  }

  /// Writes an answer that tells of a step: behind the frames up to it, also where those come late.
  func answerStep(_ session: Session, _ body: (inout LineWriter) -> Void) {
    writer.bytes.removeAll(keepingCapacity: true)
    body(&writer)
    queueAnswer(to: session) { $0.append(answer: writer.bytes) }
  }

  /// Adds to what is answered to a session.
  func queueAnswer(to session: Session, _ body: (inout OutputQueue) -> Void) {
    guard !session.isGone, !session.isClosing else { return }
    if session.holdsAnswers {
      body(&session.held)
    } else {
      body(&session.queue)
      markReady(session)
    }
  }

  func markReady(_ session: Session) {
    guard !session.isReady, !session.isGone else { return }
    session.isReady = true
    readySessions.append(session)
  }

  /// The connections that have something to be sent, each once.
  package func takeReadyConnections() -> [ConnectionID] {
    defer { readySessions.removeAll(keepingCapacity: true) }
    return readySessions.map { session in
      session.isReady = false
      return session.id
    }
  }

  /// Sends what a connection lacks, as far as it takes it.
  ///
  /// `transmit` takes runs of bytes, in order, and returns how many bytes it took; the runs are
  /// valid during the call only. Fewer than given means: no more for now.
  package func send(
    to id: ConnectionID, _ transmit: (UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Int
  ) {
    guard let session = sessions[id] else { return }
    var runs: [UnsafeRawBufferPointer] = []
    var sources: [Subscription?] = []
    while true {
      gather(session, &runs, &sources)
      guard !runs.isEmpty else { break }
      let total = runs.reduce(0) { $0 + $1.count }
      let taken = runs.withUnsafeBufferPointer(transmit)
      if taken > 0 { session.lastProgressMs = nowMs }
      account(taken, to: session, runs, sources)
      if taken < total { break }
    }
    afterSending(to: session)
  }

  private static let runLimit = 32

  /// Collects the next runs: first what is begun, then frames, then the session's own answers up
  /// to the next turning point, so that the frames of a step precede the answer to it.
  private func gather(
    _ session: Session, _ runs: inout [UnsafeRawBufferPointer], _ sources: inout [Subscription?]
  ) {
    runs.removeAll(keepingCapacity: true)
    sources.removeAll(keepingCapacity: true)
    if session.begunSubscription == nil, !session.queue.isBegun { passTurningPoints(of: session) }
    if session.queue.isBegun {
      session.queue.gather(into: &runs, limit: 1)
      sources.append(nil)
      return
    }
    if let begun = session.begunSubscription {
      guard gather(begun, &runs, &sources) else { return }
    }
    for subscription in session.subscriptions where subscription !== session.begunSubscription {
      guard gather(subscription, &runs, &sources) else { return }
    }
    session.queue.gather(into: &runs, limit: Self.runLimit)
    while sources.count < runs.count { sources.append(nil) }
  }

  /// - Returns: whether that is all the subscription has to be sent.
  private func gather(
    _ subscription: Subscription, _ runs: inout [UnsafeRawBufferPointer],
    _ sources: inout [Subscription?]
  ) -> Bool {
    guard case .ring(var offset) = subscription.source else { return true }
    while offset < subscription.channel.ring.endOffset {
      guard runs.count < Self.runLimit else { return false }
      let run = subscription.channel.ring.bytes(from: offset)
      guard !run.isEmpty else { return true }
      runs.append(run)
      sources.append(subscription)
      offset += Int64(run.count)
    }
    return true
  }

  /// Begins, marks and ends the subscriptions that are due, now that what stood before was sent.
  private func passTurningPoints(of session: Session) {
    while let point = session.queue.turningPoint {
      switch point {
      case .activation(let subscription):
        activate(subscription)
      case .ending(let subscription, let lastOffset):
        if case .ring(let offset) = subscription.source, offset < lastOffset { return }
        end(subscription)
        session.subscriptions.removeAll { $0 === subscription }
        releaseHeld(of: session)
      case .mark(let subscription):
        session.queue.passTurningPoint()
        putMark(of: subscription, firstOn: session)
        continue
      }
      session.queue.passTurningPoint()
    }
  }

  /// Nothing of the session is sent in part now, so a mark can go out before any newer frame.
  private func putMark(of subscription: Subscription, firstOn session: Session) {
    guard subscription.hasAllOfRing, !subscription.isEnded else { return }
    writer.bytes.removeAll(keepingCapacity: true)
    writer.mark(path: subscription.channel.pathText, seq: head(of: subscription.channel))
    session.queue.prepend(writer.bytes)
  }

  private func activate(_ subscription: Subscription) {
    switch subscription.source {
    case .pending(let offset): subscription.source = .ring(offset: offset)
    case .pendingLog(let seq): fallBehind(subscription, after: seq)
    default: break
    }
  }

  private func account(
    _ taken: Int, to session: Session, _ runs: [UnsafeRawBufferPointer], _ sources: [Subscription?]
  ) {
    var rest = taken
    for (run, source) in zip(runs, sources) {
      guard rest > 0 else { return }
      let count = min(rest, run.count)
      rest -= count
      guard let subscription = source else {
        session.queue.consume(count)
        continue
      }
      guard case .ring(let offset) = subscription.source else { continue }
      subscription.source = .ring(offset: offset + Int64(count))
      subscription.lastSentMs = nowMs
      session.begunSubscription = count < run.count ? subscription : nil
    }
  }

  private func afterSending(to session: Session) {
    if session.isClosing {
      if session.queue.isEmpty, session.begunSubscription == nil {
        effects.append(.close(session.id))
      }
      return
    }
    guard session.queue.byteCount <= Self.outputLimitBytes / 4 else { return }
    continueCatchUps(of: session)
    continuePresence(of: session)
    continueLog(of: session)
    if session.wait == .drain { session.wait = nil }
    pump(session)
  }
}
