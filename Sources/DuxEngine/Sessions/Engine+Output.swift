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
    queueAnswer(.own(writer.bytes), to: session)
  }

  /// Writes an answer that tells of a step: behind the frames up to it, also where those come late.
  func answerStep(_ session: Session, _ body: (inout LineWriter) -> Void) {
    writer.bytes.removeAll(keepingCapacity: true)
    body(&writer)
    queueAnswer(.answer(writer.bytes), to: session)
  }

  /// Adds to what is answered to a session.
  func queueAnswer(_ part: OutputQueue.Part, to session: Session) {
    guard !session.isGone, !session.isClosing else { return }
    if session.holdsAnswers {
      session.held.append(part)
    } else {
      session.queue.append(part)
      markReady(session)
    }
  }

  func markReady(_ session: Session) {
    guard !session.isReady, !session.isGone else { return }
    session.isReady = true
    readySessions.append(session)
  }

  /// Notes that a channel has frames that its subscribers lack.
  func noteNews(in channel: Channel) {
    guard !channel.hasNews else { return }
    channel.hasNews = true
    channelsWithNews.append(channel)
  }

  /// Whether there may be something to be sent.
  var hasOutput: Bool { !readySessions.isEmpty || !channelsWithNews.isEmpty }

  /// Sends what the connections lack, as far as they take it.
  ///
  /// Answers go first: those who wait for them can write on while the many who only listen are
  /// served, and what they write goes out together then.
  package func flush() {
    guard hasOutput else { return }
    for channel in channelsWithNews {
      channel.hasNews = false
      for subscription in channel.subscriptions { markReady(subscription.session) }
    }
    channelsWithNews.removeAll(keepingCapacity: true)
    swap(&readySessions, &flushedSessions)
    for session in flushedSessions {
      session.isReady = false
      send(to: session)
    }
    flushedSessions.removeAll(keepingCapacity: true)
  }

  /// Sends what a connection lacks, which takes bytes again.
  package func flush(_ id: ConnectionID) {
    if let session = sessions[id] { send(to: session) }
  }

  private func send(to session: Session) {
    guard !session.isGone, session.outlet.isWritable else { return }
    var mayLackMore = true
    while mayLackMore {
      mayLackMore = gather(session)
      guard !batch.isEmpty else { break }
      let taken = session.outlet.write(batch.runs)
      if taken > 0 { account(taken, to: session) }
      if taken < batch.byteCount { break }
    }
    if !session.isAtRest { afterSending(to: session) }
  }

  /// Collects the next runs: first what is begun, then frames, then the session's own answers up
  /// to the next turning point, so that the frames of a step precede the answer to it.
  ///
  /// - Returns: whether there may be more once these are sent.
  private func gather(_ session: Session) -> Bool {
    batch.removeAll()
    if session.begunSubscription == nil, !session.queue.isBegun { passTurningPoints(of: session) }
    if session.queue.isBegun {
      session.queue.gatherFirst(into: batch)
      return true
    }
    let begun = session.begunSubscription
    if let begun, let index = session.subscriptions.firstIndex(where: { $0 === begun }) {
      guard begun.gather(into: batch, from: index) else { return true }
    }
    for (index, subscription) in session.subscriptions.enumerated() where subscription !== begun {
      guard subscription.gather(into: batch, from: index) else { return true }
    }
    return !session.queue.gather(into: batch)
  }

  /// Begins, marks and ends the subscriptions that are due, now that what stood before was sent.
  private func passTurningPoints(of session: Session) {
    while let point = session.queue.turningPoint {
      switch point {
      case .activation(let subscription):
        activate(subscription)
      case .ending(let subscription):
        guard subscription.hasAllBeforeEnd else { return }
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

  private func account(_ taken: Int, to session: Session) {
    session.lastProgressMs = nowMs
    batch.forEachSent(of: taken) { origin, length, sent in
      guard origin != SendBatch.queue else { return session.queue.consume(sent) }
      let subscription = session.subscriptions[origin]
      subscription.took(sent, nowMs: nowMs)
      if sent < length {
        session.begunSubscription = subscription
      } else if session.begunSubscription != nil {
        session.begunSubscription = nil
      }
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
