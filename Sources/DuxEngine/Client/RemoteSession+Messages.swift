import DuxJSON
import DuxLog
import DuxProtocol

/// What the daemon says.
extension RemoteSession {
  func handle(_ message: ServerMessage) {
    switch message {
    case .welcome(let welcome):
      greet(welcome)
    case .snapshot(let snapshot):
      update(snapshot.path) { (subscribing) throws(Replica.Mismatch) in
        guard subscribing.replica.take(snapshot) else { return nil }
        return .snapshot(subscribing.replica, reason: snapshot.reason)
      }
    case .part(let part):
      update(part.path) { (subscribing) throws(Replica.Mismatch) in
        guard try subscribing.replica.take(part) else { return nil }
        return .snapshot(subscribing.replica, reason: subscribing.replica.reason)
      }
    case .resumed(let path, let position, let head):
      update(path) { (subscribing) throws(Replica.Mismatch) in
        .resumed(subscribing.replica, from: position.seq, head: head)
      }
    case .patch(let patch):
      update(patch.path) { (subscribing) throws(Replica.Mismatch) in
        let before = subscribing.replica.value
        try subscribing.replica.take(patch)
        return .patch(patch, before: before, subscribing.replica)
      }
    case .mark(let path, let seq):
      subscriptions[ByteText(path)]?.replica.take(markAt: seq)
      tell(.mark(path: path, seq: seq))
    case .settled(let settlement):
      settle(settlement)
    case .answer(let id, let op, let json, let isLast):
      answer(id, op, json, isLast)
    case .error(let failure, let id):
      fail(failure, id)
    case .bye(let failure, let retryMs):
      leave(failure, retryMs)
    case .unsubscribed, .unknown:
      break
    }
  }

  private func tell(_ event: Event) {
    effects.append(.event(event))
  }

  private func greet(_ welcome: ServerMessage.Welcome) {
    guard link == .greeting else { return }
    link = .live(sinceMs: nowMs)
    heartbeatMs = max(1_000, welcome.heartbeatMs)
    maximumLineBytes = welcome.maximumLineBytes
    welcomedN = welcome.lastN
    nextN = max(nextN, welcome.lastN + 1)
    tell(.live(welcome))
    sendSteps()
    for subscribing in subscriptions.values.sorted(by: { $0.replica.path < $1.replica.path }) {
      send(subscribing)
    }
    for (ticket, read) in reads { send(read, ticket) }
  }

  /// Lets a subscription take a line; one that does not fit makes it begin anew.
  private func update(
    _ path: String, _ body: (inout Subscribing) throws(Replica.Mismatch) -> Event?
  ) {
    guard var subscribing = subscriptions[ByteText(path)] else { return }
    do throws(Replica.Mismatch) {
      let event = try body(&subscribing)
      subscriptions[ByteText(path)] = subscribing
      if let event { tell(event) }
    } catch {
      subscribing.replica = Replica(path: path)
      subscriptions[ByteText(path)] = subscribing
      hangUp("the copy of \(JSON.string(path)) went astray (\(error.reason)), it is made anew")
    }
  }

  private func settle(_ settlement: ServerMessage.Settlement) {
    guard let n = settlement.n else { return }
    if case .failure(let failure) = settlement.result, failure.isTransient {
      if steps.refuse(n: n) { postpone(failure) }
    } else if case .failure(let failure) = settlement.result, isProofOfNoEffect(failure, n: n) {
      if steps.refuse(n: n) { resendAtMs = resendAtMs ?? nowMs }
    } else if let step = steps.settle(n: n) {
      if case .success = settlement.result { refusalBackoff.reset() }
      tell(.settled(step, settlement))
    }
    sendSteps()
  }

  /// Whether an unknown outcome means that the step was never taken, so that it may be sent anew.
  ///
  /// It was refused for the moment, later ones were taken, and the connection was lost before that
  /// was told. Had it been taken, its outcome would still be kept (Protocol/protocol.md, 4.4).
  private func isProofOfNoEffect(_ failure: ServerMessage.Failure, n: Int64) -> Bool {
    guard failure.code == ErrorCode.outcomeUnknown.rawValue, n <= welcomedN,
      let firstSentMs = steps.firstSentMs(n: n)
    else { return false }
    return nextN - n <= Self.keptOutcomes && nowMs - firstSentMs < Self.keptOutcomesMs
  }

  /// Outcomes that a daemon keeps of each client at least.
  private static let keptOutcomes: Int64 = 1_000
  /// Half of the 14 days for which it keeps them, for our clock may stand still meanwhile.
  private static let keptOutcomesMs: Int64 = 7 * 86_400_000

  /// Remembers when to send again what was refused for the moment.
  private func postpone(_ failure: ServerMessage.Failure) {
    guard resendAtMs == nil else { return }
    let afterMs = max(refusalBackoff.next(using: &random), failure.retryMs ?? 0)
    resendAtMs = nowMs + afterMs
    tell(.postponed(failure, afterMs: afterMs))
  }

  private func answer(_ id: RequestID?, _ op: String, _ json: JSON, _ isLast: Bool) {
    guard case .integer(let number)? = id,
      let index = reads.firstIndex(where: { $0.ticket.number == number })
    else { return }
    let ticket = reads[index].ticket
    if isLast {
      reads.remove(at: index)
    } else if case .log(let range) = reads[index].read, let seq = json["seq"]?.integerValue {
      guard range.limit > 0 else { return }
      reads[index].read = .log(.init(start: .after(SequenceNumber(seq)), limit: range.limit - 1))
    }
    tell(.answer(ticket, op: op, json: json, isLast: isLast))
  }

  private func fail(_ failure: ServerMessage.Failure, _ id: RequestID?) {
    if case .integer(let number)? = id,
      let index = reads.firstIndex(where: { $0.ticket.number == number })
    {
      tell(.failed(reads.remove(at: index).ticket, failure))
    } else if link == .greeting {
      link = .ended
      tell(.ended(failure))
      effects.append(.disconnect)
    } else if id == nil, let step = steps.settleFirst() {
      // Steps carry no id, and answers come in order: it is the first that has none yet.
      tell(.settled(step, .init(failure)))
      sendSteps()
    } else {
      tell(.failed(nil, failure))
    }
  }

  private func leave(_ failure: ServerMessage.Failure, _ retryMs: Int64?) {
    if let retryMs {
      farewell = (failure, retryMs)
      hangUp(failure.message)
    } else {
      link = .ended
      tell(.ended(failure))
      effects.append(.disconnect)
    }
  }
}
