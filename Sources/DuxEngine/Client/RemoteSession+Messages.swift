import DuxJSON
import DuxLog
import DuxProtocol

/// What the daemon says.
extension RemoteSession {
  func handle(_ message: ServerMessage) {
    guard link != .greeting || message.mayComeFirst else {
      return hangUp("what answers is no daemon of this protocol: it spoke before its welcome")
    }
    switch message {
    case .welcome(let welcome):
      greet(welcome)
    case .snapshot(let snapshot):
      update(snapshot.path) { (subscribing) throws(Replica.Mismatch) in
        guard subscribing.replica.take(snapshot) else { return nil }
        subscribing.answer = .inStep
        return .snapshot(
          subscribing.replica, reason: snapshot.reason, uncertain: steps.onTheWay)
      }
    case .part(let part):
      update(part.path) { (subscribing) throws(Replica.Mismatch) in
        guard try subscribing.replica.take(part) else { return nil }
        subscribing.answer = .inStep
        return .snapshot(
          subscribing.replica, reason: subscribing.replica.reason, uncertain: steps.onTheWay)
      }
    case .resumed(let path, let position, let head):
      update(path) { (subscribing) throws(Replica.Mismatch) in
        subscribing.answer = position.seq < head ? .resuming(head: head) : .inStep
        return .resumed(subscribing.replica, from: position.seq, head: head)
      }
    case .patch(let patch):
      update(patch.path) { (subscribing) throws(Replica.Mismatch) in
        let before = subscribing.replica.value
        try subscribing.replica.take(patch)
        subscribing.advance(to: patch.seq)
        return .patch(
          patch, before: before, subscribing.replica, own: ownStep(of: patch))
      }
    case .mark(let path, let seq):
      subscriptions[ByteText(path)]?.replica.take(markAt: seq)
      subscriptions[ByteText(path)]?.advance(to: seq)
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

  func tell(_ event: Event) {
    effects.append(.event(event))
  }

  /// The step of ours that a patch is, unless its outcome is known already.
  private func ownStep(of patch: ServerMessage.Patch) -> Step? {
    guard patch.path != Self.presencePath, let n = patch.json["n"]?.integerValue,
      patch.json["client"]?.stringValue == configuration.client
    else { return nil }
    return steps.sentStep(n: n)
  }

  private func greet(_ welcome: ServerMessage.Welcome) {
    guard link == .greeting else { return }
    if let reason = fault(of: welcome) { return end(reason) }
    link = .live(sinceMs: nowMs)
    heartbeatMs = min(max(1_000, welcome.heartbeatMs), Self.longestHeartbeatMs)
    maximumLineBytes = welcome.maximumLineBytes
    welcomedN = welcome.lastN
    nextN = max(nextN, welcome.lastN &+ 1)
    tell(.live(welcome))
    // All that an earlier connection may have carried comes before the subscriptions: so its outcome
    // is known before a snapshot that may hold it.
    resendSteps()
    sendSteps()
    if let presence { send(presence: presence) }
    for path in subscriptions.keys { subscriptions[path]?.answer = .none }
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
      if subscribing.replica.byteCount > configuration.longestLineBytes {
        end(
          EndReason(
            code: ErrorCode.tooLarge.rawValue,
            message: "the value at \(JSON.string(path)) takes more than"
              + " \(configuration.longestLineBytes) bytes"))
      } else if let event {
        tell(event)
      }
    } catch {
      subscribing.replica = Replica(path: path)
      subscriptions[ByteText(path)] = subscribing
      let what = path.isEmpty ? "the state" : "what is at \(path)"
      hangUp("a change does not fit the copy of \(what) (\(error.reason)), it is fetched anew")
    }
  }

  private func settle(_ settlement: ServerMessage.Settlement) {
    guard let n = settlement.n else { return }
    if case .failure(let failure) = settlement.result, failure.isTransient {
      if let step = steps.refuse(n: n) {
        postpone(failure)
        tell(.returned(step))
      }
    } else if case .failure(let failure) = settlement.result, isProofOfNoEffect(failure, n: n) {
      if let step = steps.refuse(n: n) {
        resendAtMs = resendAtMs ?? nowMs
        tell(.returned(step))
      }
    } else if let step = steps.settle(n: n) {
      if case .success(let accepted) = settlement.result {
        refusalBackoff.reset()
        markSubscriptions(at: accepted.seq)
      }
      settle(step, settlement)
    }
    sendSteps()
  }

  /// Tells the outcome of a step, and takes it out of the journal.
  func settle(_ step: Step, _ settlement: ServerMessage.Settlement) {
    tell(.settled(step, settlement))
    if configuration.journal == .present { effects.append(.forget(step)) }
  }

  /// With the answer to a step, all changes up to it have been sent (Protocol/protocol.md, 7, O2).
  private func markSubscriptions(at seq: SequenceNumber) {
    for (key, subscribing) in subscriptions where subscribing.isInStep {
      let path = subscribing.replica.path
      guard path != Self.presencePath, let reached = subscribing.replica.position, reached.seq < seq
      else { continue }
      subscriptions[key]?.replica.take(markAt: seq)
      tell(.mark(path: path, seq: seq))
    }
  }

  /// Whether an unknown outcome means that the step was never taken, so that it may be sent anew.
  ///
  /// It was refused for the moment, later ones were taken, and the connection was lost before that
  /// was told. Had it been taken, its outcome would still be kept (Protocol/protocol.md, 4.4).
  private func isProofOfNoEffect(_ failure: ServerMessage.Failure, n: Int64) -> Bool {
    guard failure.code == ErrorCode.outcomeUnknown.rawValue, n <= welcomedN,
      let ageMs = steps.age(n: n, nowMs: nowMs, wallMs: wallMs)
    else { return false }
    return nextN &- n <= Self.keptOutcomes && ageMs < Self.keptOutcomesMs
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
    } else if id == Self.presenceID, failure.code == ErrorCode.unknownOp.rawValue {
      // An older daemon; what it can't show is nothing to fail for.
    } else if id == .string(Self.presencePath) {
      // Nor does anybody wait for who is there, where that can't be had.
      subscriptions[ByteText(Self.presencePath)]?.answer = .inStep
    } else if link == .greeting {
      end(with: Self.explained(failure))
    } else if id == nil, let step = steps.settleFirst() {
      // Steps carry no id, and answers come in order: it is the first that has none yet.
      settle(step, .init(failure))
      sendSteps()
    } else {
      tell(.failed(nil, failure))
    }
  }

  private func leave(_ failure: ServerMessage.Failure, _ retryMs: Int64?) {
    if let retryMs {
      farewell = (failure, retryMs)
      hangUp(failure.message)
    } else if failure.code == ErrorCode.replaced.rawValue, greetings.explainTakeover(nowMs) {
      hangUp("a connection of this client's own, given up before, came through late")
    } else {
      end(with: failure)
    }
  }
}

extension ServerMessage {
  /// Whether a daemon may say it before `welcome`.
  fileprivate var mayComeFirst: Bool {
    switch self {
    case .welcome, .error, .bye, .unknown: true
    default: false
    }
  }
}
