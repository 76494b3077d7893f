import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// Taking steps: retry memory, preconditions, the reducer, and the group they join.
extension Engine {
  func dispatch(_ request: Request.Dispatch, id: RequestID?, from session: Session) {
    guard let client = session.client else { return }
    guard let n = request.n else {
      return dispatchNew(request, id: id, client: client, from: session)
    }
    switch client.knowledge(of: n) {
    case .new:
      dispatchNew(request, id: id, client: client, from: session)
    case .known(let outcome):
      repeatOutcome(outcome, of: request, id: id, to: session)
    case .old:
      session.wait = .answer
      ask(.outcome(client: client.name, n: n)) { [self] answer in
        guard !session.isGone else { return }
        session.wait = nil
        switch answer {
        case .outcome(let outcome?):
          repeatOutcome(outcome, of: request, id: id, to: session)
        case .outcome(nil):
          refuse(
            RequestError(
              .outcomeUnknown,
              "n \(n) is not above the last, \(client.lastN), and its outcome is not known"),
            request, id: id, to: session)
        default:
          // No reject: whether the step had an effect nobody can say now.
          refuse(.unreadableLog, id: id, of: session)
        }
        pump(session)
      }
    }
  }

  private func dispatchNew(
    _ request: Request.Dispatch, id: RequestID?, client: ClientRecord, from session: Session
  ) {
    if let refusal = admissionRefusal() {
      return refuse(refusal, request, id: id, to: session)
    }
    goOnAfterFault()
    let result: Outcome.Result
    do throws(RequestError) {
      result = try reduce(request, client: client)
    } catch {
      return refuse(error, request, id: id, to: session)
    }
    if let n = request.n {
      open.append(Outcome(n: n, bodyDigest: request.body.digest, result: result), of: client)
    }
    reply(result, request, id: id, to: session, isDuplicate: false)
    takeFollowUps()
  }

  private func repeatOutcome(
    _ outcome: Outcome, of request: Request.Dispatch, id: RequestID?, to session: Session
  ) {
    guard request.body.has(outcome.bodyDigest) else {
      return refuse(
        RequestError(
          .nConflict,
          "n \(outcome.n) was used for another request already; give this one a number of its own"),
        request, id: id, to: session)
    }
    reply(outcome.result, request, id: id, to: session, isDuplicate: true)
  }

  /// Queues the answer behind the group it rests on.
  private func reply(
    _ result: Outcome.Result, _ request: Request.Dispatch, id: RequestID?, to session: Session,
    isDuplicate: Bool
  ) {
    reply(.outcome(result, isDuplicate: isDuplicate), n: request.n, id: id, to: session)
  }

  /// Answers that the step was not taken; in its turn, behind the session's steps before it.
  private func refuse(
    _ error: RequestError, _ request: Request.Dispatch, id: RequestID?, to session: Session
  ) {
    if isSettled(session) {
      write(to: session) { $0.refusal(error, n: request.n, id: id) }
    } else {
      reply(.refusal(error), n: request.n, id: id, to: session)
    }
  }

  private func reply(
    _ content: Group.Reply.Content, n: Int64?, id: RequestID?, to session: Session
  ) {
    open.replies.append(.init(session: session, id: id, n: n, content: content))
    session.lastGroup = open.number
  }

  /// Whether writes are refused at present, whatever they ask for.
  func admissionRefusal() -> RequestError? {
    if isShuttingDown {
      return RequestError(.shuttingDown, "the daemon is stopping; send it again to the next one")
    }
    if let fault = storageFault, nowMs < fault.retryAtMs {
      return fault.fault.refusal
    }
    return nil
  }

  private func reduce(
    _ request: Request.Dispatch, client: ClientRecord
  ) throws(RequestError) -> Outcome.Result {
    if let failure = failure(of: request.preconditions) {
      return .rejected(
        code: ErrorCode.preconditionFailed.rawValue, reason: nil, message: failure.shortened)
    }
    do throws(Refusal) {
      let step = try take(request.submission(of: client))
      return .accepted(seq: step.seq, changed: step.changed)
    } catch {
      if case .rateLimited(let message, let retryMs) = error {
        throw .rateLimited(message, retryMs: retryMs)
      }
      if case .unknownAction = error { unknownActions += 1 }
      return error.outcome
    }
  }

  /// Why the conditions of a step do not hold, if so; holds no view of the head when it returns.
  private func failure(of conditions: [Request.Precondition]) -> String? {
    guard !conditions.isEmpty else { return nil }
    let view = head.view
    return conditions.first { !$0.holds(in: view) }?.failure(in: view)
  }
}

extension Request.Dispatch {
  fileprivate func submission(of client: ClientRecord) throws(Refusal) -> Engine.Submission {
    switch content {
    case .plain(let type, let payload):
      return Engine.Submission(
        action: WireAction(type: type, payload: payload), text: body.actions, client: client.name,
        n: n, origin: .outside)
    case .any(let actions):
      var wires: [WireAction] = []
      wires.reserveCapacity(actions.count)
      for (index, json) in actions.enumerated() {
        do throws(Refusal) {
          wires.append(try WireAction(fromOutside: json))
        } catch {
          throw actions.count == 1 ? error : error.prefixed("action \(index): ")
        }
      }
      guard let first = wires.first else { throw .badAction("a step has an action") }
      return Engine.Submission(
        action: first, others: Array(wires.dropFirst()), text: body.actions, client: client.name,
        n: n, origin: .outside)
    }
  }
}

extension WireAction {
  /// Reads an action that may have nothing that is the daemon's own.
  fileprivate init(fromOutside json: JSON) throws(Refusal) {
    try self.init(json)
    try checkReserved()
  }
}

extension Request.Precondition {
  fileprivate func holds(in state: JSON) -> Bool {
    switch (state.value(at: path), value) {
    case (nil, nil): true
    case (let present?, let wanted?): present.matches(wanted)
    default: false
    }
  }

  fileprivate func failure(in state: JSON) -> String {
    let place = path.isRoot ? "the root" : JSON.string(path.description).description
    let wanted = value.map(\.shortText) ?? "nothing"
    let found = state.value(at: path).map(\.shortText) ?? "nothing"
    return "at \(place) should be \(wanted), there is \(found)"
  }
}

extension JSON {
  /// The value as a message can show it.
  var shortText: String {
    guard encodedByteCount > 80 else { return description }
    switch self {
    case .object(let object): return "an object of \(object.count) members"
    case .array(let array): return "an array of \(array.count) entries"
    default: return "a string of \(encodedByteCount) bytes"
    }
  }
}

extension String {
  /// The text without its middle, where it is long: it is remembered, and may quote what a client or
  /// a service made up.
  var shortened: String {
    guard utf8.count > 1_024 else { return self }
    return String(decoding: utf8.prefix(512), as: UTF8.self) + " … "
      + String(decoding: utf8.suffix(256), as: UTF8.self)
  }
}

extension JSONPatch {
  /// The patch as canonical JSON text.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return bytes
  }
}

extension Refusal {
  fileprivate var outcome: Outcome.Result {
    func rejected(_ code: ErrorCode, _ message: String, reason: String? = nil) -> Outcome.Result {
      .rejected(code: code.rawValue, reason: reason, message: message.shortened)
    }
    return switch self {
    case .unknownAction(let message): rejected(.unknownAction, message)
    case .badAction(let message): rejected(.badAction, message)
    case .tooDeep(let message): rejected(.tooDeep, message)
    case .tooLarge(let message): rejected(.tooLarge, message)
    case .rateLimited(let message, _): rejected(.rateLimited, message)
    case .rejected(let rejection):
      rejected(.rejected, rejection.message, reason: rejection.reason)
    }
  }
}

extension StorageFault {
  var refusal: RequestError {
    switch self {
    case .full:
      RequestError(.storageFull, "the disk is full; nothing was changed, send it again later")
    case .broken:
      RequestError(.storageFull, "the disk failed; nothing was changed, send it again later")
    }
  }
}

extension RequestError {
  /// What the disk said is for those who run the daemon, and in its own log.
  static let unreadableLog = RequestError(
    .internal, "the log could not be read; the daemon's own messages say why")
}
