import DuxJSON
import DuxLog
import DuxProtocol

/// What the network does, and time.
extension RemoteSession {
  /// Tells the time, in milliseconds of a monotonic clock; comes before whatever happened then.
  package func advance(nowMs: Int64) {
    self.nowMs = nowMs
  }

  /// The connection asked for is there.
  package func connected() {
    guard link == .connecting else { return }
    link = .greeting
    inbox = []
    scanner = LineScanner()
    lastReceivedMs = nowMs
    lastPingMs = nowMs
    outgoing.hello(client: configuration.client)
  }

  /// The connection is gone, or could not be made.
  package func disconnected(_ reason: String) {
    switch link {
    case .idle, .ended: return
    case .live(let sinceMs) where nowMs - sinceMs >= configuration.steadyMs: backoff.reset()
    default: break
    }
    link = .connecting
    outgoing.bytes.removeAll()
    steps.rewind()
    resendAtMs = nil
    let afterMs = farewell?.retryMs ?? backoff.next(using: &random)
    let why = farewell?.0.message ?? reason
    farewell = nil
    effects.append(.event(.waiting(afterMs: afterMs, reason: why)))
    effects.append(.connectLater(afterMs: afterMs, reason: why))
  }

  /// Bytes came in, cut anywhere.
  package func received(_ bytes: UnsafeRawBufferPointer) {
    lastReceivedMs = nowMs
    inbox.append(contentsOf: bytes)
    let received = inbox
    inbox = []
    let consumed = received.withUnsafeBytes { handleLines(in: $0) }
    guard link == .greeting || isLive else { return }
    // A long line comes in many pieces: what is kept is not copied while nothing was used of it.
    inbox = consumed == 0 ? received : Array(received[consumed...])
  }

  private func handleLines(in bytes: UnsafeRawBufferPointer) -> Int {
    var start = 0
    while link == .greeting || isLive {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      guard case .line(let count, let next) = scanner.next(in: rest, maximumLineBytes: .max - 1)
      else { return start }
      if count > 0 { handle(UnsafeRawBufferPointer(rebasing: rest[..<count])) }
      start += next
    }
    return start
  }

  /// Lets time pass; called at least a few times a second.
  ///
  /// A daemon that was silent for a heartbeat is asked for a sign of life; one that stays silent
  /// for two more is given up. Time in which the program itself stood still does not count, and
  /// neither does what a slow line takes for the steps on their way, before which no answer comes.
  package func tick() {
    let isLate = nowMs - lastTickMs >= heartbeatMs
    lastTickMs = nowMs
    guard link == .greeting || isLive else { return }
    if isLate { lastReceivedMs = nowMs }
    if let resendAtMs, nowMs >= resendAtMs, steps.countOnTheWay == 0 {
      self.resendAtMs = nil
      steps.takeUpRefused()
      sendSteps()
    }
    let silentMs = nowMs - lastReceivedMs
    let sendingMs = Int64(steps.bytesOnTheWay) / Self.slowestBytesPerMs
    if silentMs >= heartbeatMs * 3 + sendingMs {
      hangUp("the daemon was silent for \(silentMs / 1_000) s")
    } else if isLive, silentMs >= heartbeatMs, nowMs - lastPingMs >= heartbeatMs {
      lastPingMs = nowMs
      outgoing.ping(id: nil)
    }
  }

  /// A line slower than this is as good as none.
  private static let slowestBytesPerMs: Int64 = 2

  /// Ends the session; steps that are not settled may or may not have taken effect.
  package func end() {
    link = .ended
    outgoing.bytes.removeAll()
    effects.append(.disconnect)
  }

  func hangUp(_ reason: String) {
    effects.append(.disconnect)
    disconnected(reason)
  }

  private func handle(_ line: UnsafeRawBufferPointer) {
    do throws(RequestError) {
      handle(try ServerMessage(line))
    } catch {
      hangUp(error.message)
    }
  }

  func sendSteps() {
    guard isLive, !steps.isHeldBack else { return }
    while steps.countOnTheWay < configuration.window,
      let entry = steps.takeUnsent(numbering: &nextN, nowMs: nowMs), let n = entry.n
    {
      let start = outgoing.bytes.count
      outgoing.dispatch(n: n, actions: entry.actions, preconditions: entry.preconditions)
      let lineBytes = outgoing.bytes.count - start - 1
      if lineBytes > maximumLineBytes {
        outgoing.bytes.removeLast(lineBytes + 1)
        refuseToSend(lineBytes: lineBytes, n: n)
      } else {
        steps.noteSent(lineBytes: lineBytes)
      }
    }
  }

  /// Settles a step whose line the daemon would answer by hanging up for good.
  private func refuseToSend(lineBytes: Int, n: Int64) {
    guard let step = steps.takeBackLast() else { return }
    let failure = ServerMessage.Failure(
      refusing: n, .lineTooLong,
      "the request has \(lineBytes) bytes, the daemon takes \(maximumLineBytes) in a line")
    effects.append(.event(.settled(step, .init(failure))))
  }

  func send(_ subscribing: Subscribing) {
    // With an id, so that an error without one is known to be about a step.
    outgoing.subscribe(
      path: subscribing.path, position: subscribing.replica.position,
      withActions: subscribing.withActions, id: .string(subscribing.replica.path))
  }

  func send(_ read: Read, _ ticket: ReadTicket) {
    let id = RequestID.integer(ticket.number)
    switch read {
    case .get(let path, let seq): outgoing.get(path: path, at: seq, id: id)
    case .log(let range):
      // When all entries asked for have come, only the end is missing, and any request brings it.
      outgoing.log(.init(start: range.start, limit: max(1, range.limit)), id: id)
    case .effects(let limit): outgoing.effects(limit: limit, id: id)
    case .cancel(let key): outgoing.cancel(key: key, id: id)
    case .status: outgoing.status(id: id)
    case .ping: outgoing.ping(id: id)
    }
  }
}
