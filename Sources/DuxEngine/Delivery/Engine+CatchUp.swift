import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// Serving those who are behind from the log, in slices that the connection has room for.
extension Engine {
  /// Goes on with a session's subscriptions that are behind, as far as its queue has room.
  func continueCatchUps(of session: Session) {
    guard session.isCatchingUp, !session.isClosing else { return }
    for subscription in session.subscriptions {
      guard session.queue.byteCount <= Self.outputLimitBytes / 4 else { return }
      if case .log(let catchUp) = subscription.source, !catchUp.isReading {
        advance(catchUp, of: subscription)
      }
    }
    if !session.isCatchingUp { goOn(session) }
  }

  private func advance(_ catchUp: CatchUp, of subscription: Subscription) {
    if let end = subscription.end, catchUp.position >= end.seq {
      return finish(subscription)
    }
    if let offset = subscription.channel.ring.offset(after: catchUp.position) {
      return join(subscription, at: offset)
    }
    if isSnapshotCheaper(than: catchUp, for: subscription) {
      return startSnapshot(subscription, reason: .lagged, id: nil)
    }
    catchUp.isReading = true
    let last = subscription.end?.seq ?? durableSeq
    askSlice(after: catchUp.position, through: last, limit: .max) { [self] answer in
      guard isCurrent(catchUp, of: subscription) else { return }
      catchUp.isReading = false
      switch answer {
      case .entries(let entries) where entries.first?.seq == catchUp.position.next:
        send(entries[...], catchUp, to: subscription)
      case .entries, .compacted:
        startSnapshot(subscription, reason: .lagged, id: nil)
      default:
        fail(subscription)
      }
      continueCatchUps(of: subscription.session)
    }
  }

  /// Leaves a subscription that has all it is to be sent to its end, which is queued.
  private func finish(_ subscription: Subscription) {
    subscription.source = .snapshot
    releaseHeld(of: subscription.session)
  }

  private func isCurrent(_ catchUp: CatchUp, of subscription: Subscription) -> Bool {
    guard !subscription.isEnded, !subscription.session.isGone else { return false }
    guard case .log(let current) = subscription.source else { return false }
    return current === catchUp
  }

  private func join(_ subscription: Subscription, at offset: Int64) {
    let session = subscription.session
    subscription.source = .pending(offset: offset)
    session.queue.append(activationOf: subscription)
    markReady(session)
    releaseHeld(of: session)
  }

  /// Queues what had to wait for the frames of steps.
  func releaseHeld(of session: Session) {
    guard !session.isCatchingUp, session.snapshotsInMaking == 0 else { return }
    if !session.held.isEmpty {
      session.queue.append(session.held)
      session.held = OutputQueue()
      markReady(session)
    }
    while !session.holdsAnswers, !session.heldSnapshots.isEmpty {
      session.heldSnapshots.removeFirst()()
    }
  }

  /// Whether what the subscription lacks is much more than the value it watches.
  private func isSnapshotCheaper(than catchUp: CatchUp, for subscription: Subscription) -> Bool {
    let entryBytes = Int64(128)
    let last = subscription.end?.seq ?? durableSeq
    let missing = last.value - catchUp.position.value
    let (missingBytes, overflowed) = missing.multipliedReportingOverflow(by: entryBytes)
    guard overflowed || missingBytes > 64 << 20 else { return false }
    let state = durable.view.value(at: subscription.channel.path)
    return overflowed || missingBytes / 4 > Int64(state?.encodedByteCount ?? 0)
  }

  private func fail(_ subscription: Subscription) {
    let session = subscription.session
    let path = subscription.channel.pathText
    end(subscription)
    session.subscriptions.removeAll { $0 === subscription }
    announce(to: session) {
      $0.error(
        RequestError(
          .internal,
          "the subscription to \(JSON.string(path)) ended: the log could not be read"),
        id: nil)
    }
    releaseHeld(of: session)
  }

  /// Queues the frames of a slice; stops, and goes on when it is there, where the state of that
  /// time is needed.
  private func send(
    _ entries: ArraySlice<LogEntry>, _ catchUp: CatchUp, to subscription: Subscription
  ) {
    var frames = LineWriter()
    defer {
      subscription.session.queue.append(frames.bytes)
      markReady(subscription.session)
    }
    for (index, entry) in zip(entries.indices, entries) {
      switch change(by: entry, catchUp, at: subscription.channel.path) {
      case .untouched:
        break
      case .patch(let text):
        PatchFrame.write(
          entry, .init(logged: entry), for: subscription.channel, patch: text, into: &frames)
      case .unclear:
        return fetchState(for: catchUp, of: subscription, then: entries[index...])
      }
      catchUp.position = entry.seq
    }
  }

  private enum EntryChange {
    case untouched
    case patch([UInt8])
    case unclear
  }

  private func change(
    by entry: LogEntry, _ catchUp: CatchUp, at path: JSONPointer
  ) -> EntryChange {
    if path.isRoot { return .patch(entry.patch) }
    guard let patch = JSONPatch(logged: entry.patch) else { return .unclear }
    var change = PathChange.of(patch, at: path, before: catchUp.state)
    if let before = catchUp.state {
      var after = before
      guard (try? patch.apply(to: &after)) != nil else { return .unclear }
      if change == .unclear { change = .between(before, after, at: path) }
      catchUp.state = after
    }
    switch change {
    case .untouched: return .untouched
    case .unclear: return .unclear
    case .patch(let patch): return .patch(patch.bytes)
    }
  }

  private func fetchState(
    for catchUp: CatchUp, of subscription: Subscription, then entries: ArraySlice<LogEntry>
  ) {
    guard catchUp.state == nil else {
      return fail(subscription)
    }
    catchUp.isReading = true
    ask(.state(at: catchUp.position)) { [self] answer in
      guard isCurrent(catchUp, of: subscription) else { return }
      catchUp.isReading = false
      switch answer {
      case .state(let state):
        catchUp.state = state
        send(entries, catchUp, to: subscription)
      case .compacted:
        startSnapshot(subscription, reason: .lagged, id: nil)
      default:
        fail(subscription)
      }
      continueCatchUps(of: subscription.session)
    }
  }
}

extension JSONPatch {
  /// Reads a patch as the log holds it; `nil` when it is none.
  package init?(logged text: [UInt8]) {
    guard let json = try? JSON(parsing: text, maximumDepth: .max),
      let patch = try? JSONPatch(json)
    else { return nil }
    self = patch
  }
}
