import DuxJSON
import DuxLog
import DuxProtocol

/// What the network does, and time.
extension RemoteSession {
  /// Tells the time, in milliseconds of a monotonic clock, and of the wall clock if there is one;
  /// comes before whatever happened then.
  package func advance(nowMs: Int64, wallMs: Int64? = nil) {
    self.nowMs = nowMs
    self.wallMs = wallMs ?? nowMs
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
    case .idle, .ended, .suspended: return
    case .live(let sinceMs) where nowMs - sinceMs >= configuration.steadyMs: backoff.reset()
    case .greeting: greetings.giveUp(nowMs)
    default: break
    }
    link = .connecting
    outgoing.bytes.removeAll()
    steps.rewind()
    resendAtMs = nil
    probeDeadlineMs = nil
    let afterMs = farewell?.retryMs ?? backoff.next(using: &random)
    let why = farewell?.0.message ?? reason
    farewell = nil
    retryAtMs = nowMs + afterMs
    health.lose(why, retryAtMs: wallMs + afterMs, wallMs: wallMs)
    effects.append(.event(.waiting(afterMs: afterMs, reason: why)))
    effects.append(.connectLater(afterMs: afterMs, reason: why))
  }

  /// Bytes came in, cut anywhere.
  package func received(_ bytes: UnsafeRawBufferPointer) {
    lastReceivedMs = nowMs
    probeDeadlineMs = nil
    health.isSilent = false
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
      switch scanner.next(in: rest, maximumLineBytes: configuration.longestLineBytes) {
      case .line(let count, let next):
        if count > 0 { handle(UnsafeRawBufferPointer(rebasing: rest[..<count])) }
        start += next
      case .incomplete:
        return start
      case .tooLong:
        // The same line would come again after a new connection.
        end(
          EndReason(
            code: ErrorCode.lineTooLong.rawValue,
            message: "the daemon sent a line of more than \(configuration.longestLineBytes) bytes"))
      }
    }
    return start
  }

  /// Lets time pass; called at least a few times a second.
  ///
  /// A daemon that was silent for a heartbeat is asked for a sign of life; one that stays silent
  /// for one and a half more is given up. After time in which the program itself stood still, a
  /// sign of life is asked for at once and must come soon. What a slow line takes for the steps on
  /// their way, before which no answer comes, does not count, nor does time in which the program
  /// does not read.
  package func tick() {
    // A sleeping machine stops the one clock and not the other.
    let stoodStillMs = max(nowMs - lastTickMs, wallMs - lastWallTickMs)
    (lastTickMs, lastWallTickMs) = (nowMs, wallMs)
    let isLate = stoodStillMs >= min(heartbeatMs, Self.lateTickMs)
    retryKeeping()
    if link == .connecting, isLate, nowMs < retryAtMs { reconnect() }
    guard link == .greeting || isLive else { return }
    if isLate { probe() }
    if !isReading { excuseSilence() }
    if let resendAtMs, nowMs >= resendAtMs, steps.countOnTheWay == 0 {
      self.resendAtMs = nil
      steps.takeUpRefused()
      sendSteps()
    }
    let silentMs = nowMs - lastReceivedMs
    let sendingMs = Int64(steps.bytesOnTheWay) / Self.slowestBytesPerMs
    if let probeDeadlineMs, nowMs >= probeDeadlineMs + sendingMs {
      hangUp("the daemon gave no sign of life after this program had stood still")
    } else if silentMs >= heartbeatMs * 5 / 2 + sendingMs {
      hangUp("the daemon was silent for \(silentMs / 1_000) s")
    } else if isLive, nowMs - lastPingMs >= heartbeatMs, silentMs >= heartbeatMs || presence != nil
    {
      // Who says something of itself is to be heard, or others are told that it is gone.
      lastPingMs = nowMs
      outgoing.ping(id: nil)
    }
    if silentMs >= heartbeatMs * 2 + sendingMs { health.fallSilent(wallMs: wallMs) }
  }

  /// Asks for a sign of life that must come soon, and comes back from a wait at once: for a machine
  /// that slept, or a network that has changed.
  package func wake() {
    switch link {
    case .live, .greeting: probe()
    case .connecting:
      if nowMs < retryAtMs { reconnect() }
    case .idle, .suspended, .ended: break
    }
  }

  private func probe() {
    lastReceivedMs = nowMs
    probeDeadlineMs = nowMs + Self.probeMs
    guard isLive else { return }
    lastPingMs = nowMs
    outgoing.ping(id: nil)
  }

  private func excuseSilence() {
    lastReceivedMs = nowMs
    if probeDeadlineMs != nil { probeDeadlineMs = nowMs + Self.probeMs }
  }

  private func reconnect() {
    // Ends the wait.
    retryAtMs = nowMs
    effects.append(.disconnect)
    effects.append(.connect)
  }

  /// Leaves the daemon alone until ``resume()``; steps are taken on meanwhile.
  package func suspend() {
    guard link != .idle, link != .ended, link != .suspended else { return }
    hangUp("suspended")
    effects.removeAll { if case .connectLater = $0 { true } else { false } }
    link = .suspended
    health.suspend()
  }

  /// Comes back after ``suspend()``.
  package func resume() {
    guard link == .suspended else { return }
    link = .connecting
    backoff.reset()
    reconnect()
  }

  /// Ticks further apart mean that the program stood still.
  private static let lateTickMs: Int64 = 5_000
  private static let probeMs: Int64 = 5_000
  static let longestHeartbeatMs: Int64 = 3_600_000

  /// A line slower than this is as good as none.
  private static let slowestBytesPerMs: Int64 = 2

  /// Ends the session; steps that are not settled may or may not have taken effect.
  package func end() {
    link = .ended
    health.endReason = EndReason(code: EndReason.closed, message: "the session was closed")
    outgoing.bytes.removeAll()
    effects.append(.disconnect)
  }

  /// Ends the session for a reason, and tells so.
  package func end(_ reason: EndReason) {
    end(with: .init(ending: reason.code, reason.message))
  }

  func end(with failure: ServerMessage.Failure) {
    guard link != .ended else { return }
    end()
    health.endReason = EndReason(code: failure.code, message: failure.message)
    tell(.ended(failure))
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

  func send(_ subscribing: Subscribing) {
    // With an id, so that an error without one is known to be about a step.
    outgoing.subscribe(
      path: subscribing.replica.path, position: subscribing.replica.position,
      withActions: subscribing.withActions, id: .string(subscribing.replica.path))
  }

  func send(presence: JSON) {
    outgoing.presence(presence, id: Self.presenceID)
  }

  static let presenceID = RequestID.string("presence")

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
