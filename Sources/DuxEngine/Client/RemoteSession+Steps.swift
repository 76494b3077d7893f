import DuxJSON
import DuxLog
import DuxProtocol

/// The way of the client's own steps.
extension RemoteSession {
  /// Goes on with steps of an earlier run, before the session begins.
  package func restore(_ queued: [QueuedStep]) {
    for step in Self.inSendingOrder(queued) {
      steps.restore(step)
      if let n = step.n, n < .max { nextN = max(nextN, n + 1) }
    }
  }

  /// The order in which steps of a journal are sent: those with a number by it, the others behind.
  static func inSendingOrder(_ steps: [QueuedStep]) -> [QueuedStep] {
    steps.sorted {
      switch ($0.n, $1.n) {
      case (let left?, let right?): left < right
      case (nil, nil): $0.token < $1.token
      case (let left, _): left != nil
      }
    }
  }

  /// Tells that a step is durable, under a number or without one yet.
  package func kept(_ token: RequestToken, n: Int64?) {
    steps.noteKept(token, n: n)
    if n != nil { sendSteps() }
  }

  /// Tells that a step could not be made durable.
  ///
  /// One that the journal does not hold at all is refused. One that it holds waits, to be written
  /// again.
  package func notKept(_ token: RequestToken, n: Int64?, _ reason: String) {
    if steps.removeUnwritten(token, numbered: n) {
      let message = "the step could not be written down: \(reason)"
      settle(token, .init(.init(refusing: n, StepRefusal.notKept, message)))
    } else if keepAgainAtMs == nil {
      keepAgainAtMs = nowMs + Self.keepAgainMs
    }
  }

  func retryKeeping() {
    guard let keepAgainAtMs, nowMs >= keepAgainAtMs else { return }
    self.keepAgainAtMs = nil
    for queued in steps.numberedUnkept { effects.append(.keep(queued)) }
  }

  private static let keepAgainMs: Int64 = 1_000

  /// Takes a step back, if it certainly had no effect and is not on its way.
  ///
  /// - Returns: whether it was taken back.
  package func cancel(_ step: Step) -> Bool {
    guard steps.cancel(step) else { return false }
    tell(.cancelled(step))
    if configuration.journal == .present { effects.append(.forget(step)) }
    return true
  }

  /// Sends what an earlier connection may have carried, whatever the window.
  func resendSteps() {
    while steps.isNextResent, send(nextWithin: .max) {}
  }

  func sendSteps() {
    guard isLive, !steps.isHeldBack else { return }
    while send(nextWithin: configuration.window) {}
    guard configuration.journal == .present else { return }
    // What fits into the window is numbered together, so that one write of the journal keeps it.
    for queued in steps.number(within: configuration.window, from: &nextN, nowMs, wallMs) {
      effects.append(.keep(queued))
    }
  }

  /// Sends the next step.
  ///
  /// - Returns: whether one could be sent.
  private func send(nextWithin window: Int) -> Bool {
    guard steps.countOnTheWay < window else { return false }
    if configuration.journal == .absent {
      _ = steps.number(within: steps.countOnTheWay + 1, from: &nextN, nowMs, wallMs)
    }
    guard
      let entry = steps.takeNumbered(mustBeKept: configuration.journal == .present),
      let n = entry.n
    else { return false }
    let start = outgoing.bytes.count
    outgoing.dispatch(n: n, actions: entry.actions, preconditions: entry.preconditions)
    let lineBytes = outgoing.bytes.count - start - 1
    if lineBytes > maximumLineBytes {
      outgoing.bytes.removeLast(lineBytes + 1)
      refuseToSend(lineBytes: lineBytes, n: n)
    } else {
      steps.noteSent(lineBytes: lineBytes)
    }
    return true
  }

  /// Settles a step whose line the daemon would answer by hanging up for good.
  private func refuseToSend(lineBytes: Int, n: Int64) {
    guard let step = steps.takeBackLast() else { return }
    let failure = ServerMessage.Failure(
      refusing: n, ErrorCode.lineTooLong.rawValue,
      "the request has \(lineBytes) bytes, the daemon takes \(maximumLineBytes) in a line")
    settle(step, .init(failure))
  }
}
