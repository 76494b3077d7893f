import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// What the daemon tells.
extension Explorer {
  /// Asks for what is followed all the time.
  mutating func begin(_ session: RemoteSession) {
    session.subscribe(to: .root, withActions: true)
    session.subscribeToPresence()
    session.setPresence(["program": "dux tui"])
  }

  /// Takes what a session tells.
  mutating func take(_ event: RemoteSession.Event, _ session: RemoteSession) {
    switch event {
    case .live(let welcome):
      greet(welcome)
    case .status(let status):
      self.status = status
    case .snapshot(let replica, let reason, _):
      take(replica, reason, session)
    case .patch(let patch, let before, let replica, _):
      take(patch, before, replica)
    case .mark("", let seq):
      head = max(head, seq)
    case .settled(let step, let settlement):
      settle(step, settlement)
    case .postponed(let failure, let afterMs):
      tell("\(Failure.text(of: failure)); again in \(ClockText.wait(afterMs))", isFailure: true)
    case .answer(let ticket, let op, let json, let isLast):
      answer(ticket, op, json, isLast: isLast, session)
    case .failed(let ticket, let failure):
      fail(ticket, failure, session)
    default:
      break
    }
  }

  private mutating func greet(_ welcome: ServerMessage.Welcome) {
    if !epoch.isEmpty, epoch != welcome.epoch { tell("the daemon's log is another one (epoch)") }
    app = welcome.json["app"]?.stringValue ?? ""
    epoch = welcome.epoch
    head = welcome.seq
  }

  private mutating func take(_ replica: Replica, _ reason: String?, _ session: RemoteSession) {
    guard replica.path.isEmpty else { return people.show(replica.value) }
    change(to: replica.value)
    head = replica.position?.seq ?? head
    marks.clear()
    log.restart()
    reads = reads.filter { if case .older = $0.value { false } else { true } }
    if let reason { tell("the state came anew: \(reason)") }
    askForOlder(session)
  }

  private mutating func change(to value: JSON?) {
    state = value
    stateVersion += 1
    effects.noteStep()
  }

  private mutating func take(
    _ patch: ServerMessage.Patch, _ before: JSON?, _ replica: Replica
  ) {
    guard replica.path.isEmpty else { return people.show(replica.value) }
    head = patch.seq
    var value = before
    for operation in patch.patch.operations.prefix(Self.followedOperations) {
      marks.note(operation, in: value, atMs: nowMs)
      if past == nil {
        for displacement in Displacement.all(of: operation, in: value) {
          tree.follow(displacement)
        }
      }
      if patch.patch.operations.count > 1 { value = value.applying(operation) }
    }
    change(to: replica.value)
    log.take(LoggedStep(patch.json, patch: patch.patch, before: before))
  }

  /// Operations of a step that are marked; a step with more is a new state in all but name.
  private static let followedOperations = 1_000

  private mutating func settle(
    _ step: RemoteSession.Step, _ settlement: ServerMessage.Settlement
  ) {
    guard let line = pending.removeValue(forKey: step) else { return }
    switch settlement.result {
    case .success(let accepted): tell("\(line.cut(to: 40)): \(Writing.text(of: accepted))")
    case .failure(let failure):
      tell("\(line.cut(to: 40)): \(Failure.text(of: failure))", isFailure: true)
    }
  }

  private mutating func answer(
    _ ticket: RemoteSession.ReadTicket, _ op: String, _ json: JSON, isLast: Bool,
    _ session: RemoteSession
  ) {
    switch reads[ticket] {
    case .older(let limit, var page)?:
      if op == "entry" { page.append(LoggedStep(json)) }
      reads[ticket] = .older(limit: limit, page: page)
      if isLast { log.take(older: page) }
    case .effects?: effects.show(json)
    case .cancel(let key)?:
      tell("cancelled \(key)")
      effects.noteStep()
    case .past(let seq)? where past?.seq == seq:
      past?.value = json["value"] ?? .null
      past?.isFetching = false
      shownVersion = -1
    case .past?, nil: break
    }
    if isLast { reads[ticket] = nil }
  }

  private mutating func fail(
    _ ticket: RemoteSession.ReadTicket?, _ failure: ServerMessage.Failure,
    _ session: RemoteSession
  ) {
    let text = Failure.text(of: failure)
    switch ticket.flatMap({ reads.removeValue(forKey: $0) }) {
    case .older(let limit, _)?: failOlder(limit, failure, session)
    case .effects?: effects.fail(text)
    case .past(let seq)?:
      if past?.seq == seq { past = nil }
      shownVersion = -1
      tell(text, isFailure: true)
    case .cancel?, nil: tell(text, isFailure: true)
    }
  }

  /// What is no longer kept is not asked for again; what is left above the floor is.
  private mutating func failOlder(
    _ limit: Int, _ failure: ServerMessage.Failure, _ session: RemoteSession
  ) {
    let first = log.entries.first?.seq.value ?? head.value + 1
    guard failure.code == ErrorCode.compacted.rawValue,
      let floor = failure.json["floor"]?.integerValue, (0..<max(0, first - 1)).contains(floor)
    else { return log.failOlder() }
    let left = Int(min(first - 1 - floor, Int64(ActionLog.pageSize)))
    let ticket = session.log(.init(start: .after(SequenceNumber(floor)), limit: left))
    reads[ticket] = .older(limit: left, page: [])
  }

  /// Asks for the steps before those in view.
  mutating func askForOlder(_ session: RemoteSession) {
    guard let range = log.older(newest: head) else { return }
    let ticket = session.log(.init(start: .after(range.after), limit: range.limit))
    reads[ticket] = .older(limit: range.limit, page: [])
  }
}
