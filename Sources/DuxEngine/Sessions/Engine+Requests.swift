import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// One request at a time: who it is, what it asks, and the simple answers.
extension Engine {
  func handle(_ line: UnsafeRawBufferPointer, of session: Session) {
    // Nearly all lines are of one form, which needs no request made of it.
    if session.hasSaidHello,
      let plain = Request.plainDispatch(line, limits: configuration.limits)
    {
      dispatch(plain.dispatch, id: plain.id, from: session)
      session.refusedLinesInARow = 0
      return
    }
    let decoded = Request.decodeAny(line, limits: configuration.limits)
    switch decoded.result {
    case .failure(let error):
      refuse(error, id: decoded.id, of: session)
    case .success(let request):
      let refusedLines = session.refusedLinesInARow
      handle(request, id: decoded.id, of: session)
      if session.refusedLinesInARow == refusedLines { session.refusedLinesInARow = 0 }
    }
  }

  private func handle(_ request: Request, id: RequestID?, of session: Session) {
    switch request {
    case .hello(let hello):
      return greet(hello, id: id, session)
    case .ping, .status:
      break
    case _ where !session.hasSaidHello:
      return refuse(
        RequestError(.badRequest, "say hello first: {\"op\":\"hello\",\"protocol\":1}"), id: id,
        of: session)
    case .dispatch(let dispatch):
      return self.dispatch(dispatch, id: id, from: session)
    default:
      break
    }
    inTurn(session) { [self] in answer(request, id: id, to: session) }
  }

  private func answer(_ request: Request, id: RequestID?, to session: Session) {
    switch request {
    case .ping:
      session.toldSeq = durableSeq
      answerStep(session) { $0.pong(seq: durableSeq, id: id) }
    case .status: writeStatus(to: session, id: id)
    case .subscribe(let subscribe): self.subscribe(subscribe, id: id, session)
    case .unsubscribe(let path): unsubscribe(from: path.description, id: id, session)
    case .subscribeToPresence(let position): subscribeToPresence(since: position, id: id, session)
    case .unsubscribeFromPresence: unsubscribe(from: ReservedWords.presencePath, id: id, session)
    case .presence(let state): setPresence(state, id: id, of: session)
    case .get(let path, let seq): get(path, at: seq, id: id, session)
    case .log(let range): startLog(range, id: id, session)
    case .effects(let limit): listEffects(limit: limit, id: id, to: session)
    case .cancel(let key): cancelEffect(key, id: id, from: session)
    case .hello, .dispatch: break
    }
  }

  /// Does something once the session's steps so far are settled; what the session asks next waits.
  private func inTurn(_ session: Session, _ body: @escaping () -> Void) {
    guard !isSettled(session) else { return body() }
    wait(session, forGroup: session.lastGroup)
    session.deferred = body
  }

  /// Answers a line that can't be taken, and ends the connection of a peer that sends nothing else.
  func refuse(_ error: RequestError, id: RequestID?, of session: Session) {
    // A fault of the daemon's own is nothing against the peer.
    if error.code != .internal { session.refusedLinesInARow += 1 }
    let isLast = session.refusedLinesInARow >= Limits.maximumRefusedLines
    inTurn(session) { [self] in
      write(to: session) { $0.error(error, id: id) }
      guard isLast else { return }
      sayGoodbye(
        to: session,
        RequestError(
          .badRequest, "\(Limits.maximumRefusedLines) lines in a row could not be taken"),
        isFinal: true)
    }
  }

  private func greet(_ hello: Request.Hello, id: RequestID?, _ session: Session) {
    guard hello.version == ProtocolVersion.current else {
      return refuse(
        RequestError(
          .unsupportedProtocol,
          "protocol \(hello.version) is not served; \(ProtocolVersion.current) is",
          details: ["supported": [.integer(ProtocolVersion.current)]]),
        id: id, of: session)
    }
    guard !session.hasSaidHello else {
      return refuse(
        RequestError(.badRequest, "hello was said already on this connection"), id: id, of: session)
    }
    guard let name = hello.client else {
      let name = "anonymous-" + String(random.next(), radix: 36)
      return welcome(ClientRecord(name: name, lastN: 0), id: id, session)
    }
    let key = ByteText(name)
    if let known = clients[key] {
      return admit(known, id: id, session)
    }
    session.wait = .answer
    hellosAsking[key, default: 0] += 1
    ask(.lastN(client: name)) { [self] answer in
      let asking = hellosAsking.removeValue(forKey: key) ?? 1
      if asking > 1 { hellosAsking[key] = asking - 1 }
      defer { if let client = clients[key] { forgetIfIdle(client) } }
      guard !session.isClosing else { return }
      session.wait = nil
      if case .lastN(let lastN) = answer {
        admit(clients[key] ?? ClientRecord(name: name, lastN: lastN), id: id, session)
      } else {
        refuse(.unreadableLog, id: id, of: session)
      }
      pump(session)
    }
  }

  /// Welcomes a client once nothing of an earlier connection of its is on the way to the disk.
  private func admit(_ client: ClientRecord, id: RequestID?, _ session: Session) {
    if let former = client.session, former !== session {
      sayGoodbye(
        to: former,
        RequestError(.replaced, "another connection says it is client \(JSON.string(client.name))"),
        isFinal: true)
    }
    client.session = session
    session.client = client
    clients[ByteText(client.name)] = client
    guard !client.isSettled else { return welcome(client, id: id, session) }
    wait(session, forGroup: open.number)
    session.deferred = { [self] in
      if client.session === session { welcome(client, id: id, session) }
    }
  }

  private func welcome(_ client: ClientRecord, id: RequestID?, _ session: Session) {
    client.session = session
    clients[ByteText(client.name)] = client
    session.client = client
    session.welcomedAtMs = wallMs
    presenceChanged(client)
    write(to: session) {
      $0.welcome(
        .init(
          server: configuration.server, app: head.appName, appVersion: head.appVersion,
          epoch: epoch, seq: durableSeq, client: client.name, lastN: client.lastN,
          limits: configuration.limits, heartbeatMs: configuration.heartbeatMs,
          durability: configuration.durability),
        id: id)
    }
  }

  private func writeStatus(to session: Session, id: RequestID?) {
    let subscriptions = sessions.values.reduce(0) { $0 + $1.subscriptions.count }
    var status = DaemonStatus(
      server: configuration.server, app: head.appName, appVersion: head.appVersion,
      epoch: epoch, seq: durableSeq, floor: storage.floor, clients: sessions.count,
      subscriptions: subscriptions, uptimeMs: nowMs - startedAtMs,
      durability: configuration.durability, isReadOnly: storageFault != nil,
      stateBytes: durable.view.encodedByteCount, stateDepth: durable.view.depth,
      logEntries: durableSeq.value - storage.floor.value, logBytes: storage.logBytes,
      checkpoint: storage.checkpoint, processID: Int(configuration.processID))
    status.pipeline = head.pipeline
    status.unknownSlices = head.unknownSlices
    status.effects = effectCount
    status.unknownActions = Int64(unknownActions)
    status.lateActions = Int64(ledger.lateActions)
    write(to: session) { $0.status(status, id: id) }
  }
}
