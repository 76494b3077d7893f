import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxLog
import DuxNetwork
import DuxProtocol
import DuxStore

/// One run of `dux lock`.
///
/// It looks at the lease as it stands, so that it does not matter which changes of it came when:
/// whenever the lease is free it is asked for, and whenever it is another's the command is ended.
final class Locking {
  /// What was typed.
  struct Wanted {
    let name: String
    let ttl: Duration
    let holder: String
    let limit: Duration?
  }

  private enum Phase {
    /// Somebody else holds it, or nothing is known yet.
    case waiting
    /// Whether it is still another's is being made sure of.
    case checking(RemoteSession.ReadTicket)
    /// It is asked for.
    case asking(RemoteSession.Step, since: Duration)
    /// It was granted; under which fence is being read.
    case granted(RemoteSession.ReadTicket, since: Duration)
    case running
    /// It is given back, or given up.
    case ending(RemoteSession.Step?)
  }

  private let conversation: Conversation
  private let program: RunningProgram
  private let wanted: Wanted
  private let path: JSONPointer
  private var following = Following()
  private var phase = Phase.waiting
  private var fence: Int64 = 0
  /// The step that granted it.
  private var grant = SequenceNumber.zero
  /// The renewal on its way.
  private var renewal: (step: RemoteSession.Step, since: Duration)?
  private var renewing: LoopTimer?
  private var deadline: LoopTimer?
  private var outcome = Result<ExitStatus, Failure>.success(.success)
  /// Why nothing is wanted any more, once that is so.
  private var isGivingUp = false

  /// How long a lease that is given back is waited for.
  private static let releaseLimit = Duration.seconds(5)

  init(_ conversation: Conversation, _ program: RunningProgram, _ wanted: Wanted) {
    self.conversation = conversation
    self.program = program
    self.wanted = wanted
    path = JSONPointer(tokens: [Leases.Member.leases, wanted.name])
  }

  private var loop: EventLoop { conversation.loop }
  private var lease: Lease? { following.value.flatMap { Lease($0) } }

  func run() throws(Failure) -> ExitStatus {
    try program.watchSignals { [unowned self] _ in interrupted() }
    if let limit = wanted.limit {
      loop.timer(after: limit) { [unowned self] in late(limit) }
    }
    let status = try conversation.run { [self] in
      $0.subscribe(to: path, withActions: false)
    } onEvent: { [self] (event) throws(Failure) in
      try handle(event)
      return nil
    }
    if status == .interrupted { program.endAsAsked() }
    return status
  }

  private func handle(_ event: RemoteSession.Event) throws(Failure) {
    switch event {
    case .settled(let step, let settlement):
      try settled(step, settlement)
    case .answer(let ticket, _, let json, _):
      try answered(ticket, json)
    case .failed(let ticket?, let failure):
      if case .granted(ticket, _) = phase { throw Failure(failure) }
    default:
      guard try following.take(event) != nil else { return }
      try look()
    }
  }

  /// Does what the lease as it stands asks for.
  private func look() throws(Failure) {
    switch phase {
    case .waiting:
      if following.value == nil { try acquire() }
    case .running:
      if isSeenAsLost { lose("somebody else has ended it") }
    case .checking, .asking, .granted, .ending:
      break
    }
  }

  /// Whether the copy, which may still be catching up with the grant, shows that it is gone.
  private var isSeenAsLost: Bool {
    following.seq.map { $0 >= grant } ?? false && lease?.fence != fence
  }

  // Taking it.

  private func acquire() throws(Failure) {
    guard !isGivingUp else { return conversation.finish(outcome) }
    let action = LeaseAction.acquire(
      name: wanted.name, ttlMs: wanted.ttl.milliseconds, holder: wanted.holder)
    guard let step = dispatch(action) else { return }
    phase = .asking(step, since: loop.now)
  }

  private func settled(
    _ step: RemoteSession.Step, _ settlement: ServerMessage.Settlement
  ) throws(Failure) {
    if case .asking(step, let since) = phase {
      try asked(settlement.result, since: since)
    } else if case .ending(step) = phase {
      conversation.finish(outcome)
    } else if let renewal, renewal.step == step {
      self.renewal = nil
      renewed(settlement.result, since: renewal.since)
    }
  }

  private func asked(
    _ result: Result<ServerMessage.Accepted, ServerMessage.Failure>, since: Duration
  ) throws(Failure) {
    switch result {
    case .success(let accepted):
      grant = accepted.seq
      // The copy may be past the grant already; this is the lease as it was granted.
      guard let ticket = conversation.ask({ $0.get(path, at: accepted.seq) }) else { return }
      phase = .granted(ticket, since: since)
    case .failure(let failure) where failure.reason == "lease_held":
      guard !isGivingUp else { return conversation.finish(outcome) }
      // Behind the answer to this, the copy is not older than the refusal.
      guard let ticket = conversation.ask({ $0.ping() }) else { return }
      phase = .checking(ticket)
    case .failure(let failure):
      throw Failure(failure)
    }
  }

  private func answered(_ ticket: RemoteSession.ReadTicket, _ json: JSON) throws(Failure) {
    switch phase {
    case .checking(ticket):
      phase = .waiting
      try look()
    case .granted(ticket, let since):
      guard let lease = json["value"].flatMap({ Lease($0) }) else {
        throw Failure(.internal, "the daemon granted a lease that is not there")
      }
      try begin(lease, since: since)
    default:
      break
    }
  }

  private func begin(_ lease: Lease, since: Duration) throws(Failure) {
    fence = lease.fence
    phase = .running
    guard !isGivingUp else { return release() }
    guard !isSeenAsLost else {
      // It ran out before its grant was heard of.
      phase = .waiting
      return try look()
    }
    guard loop.now < since + wanted.ttl else {
      // The answer was long in coming: the lease may be over by now, and is taken anew.
      phase = .waiting
      _ = dispatch(.release(name: wanted.name, fence: fence))
      return try look()
    }
    hold(since: since)
    do throws(Failure) {
      try program.start(
        ["DUX_LEASE": wanted.name, "DUX_FENCE": "\(fence)"], input: .inherited
      ) { [unowned self] in ended($0) }
    } catch {
      outcome = .failure(error)
      release()
    }
  }

  // Keeping it.

  /// Counts on the lease for as long as it lasts from when it was asked for.
  private func hold(since: Duration) {
    deadline?.cancel()
    deadline = loop.timer(after: since + wanted.ttl - loop.now) { [unowned self] in
      lose("it could not be renewed for \(DurationText.text(wanted.ttl))")
    }
    renewing?.cancel()
    renewing = loop.timer(after: since + wanted.ttl / 3 - loop.now) { [unowned self] in renew() }
  }

  private func renew() {
    guard case .running = phase, renewal == nil else { return }
    let action = LeaseAction.renew(
      name: wanted.name, fence: fence, ttlMs: wanted.ttl.milliseconds)
    renewal = dispatch(action).map { ($0, loop.now) }
  }

  private func renewed(
    _ result: Result<ServerMessage.Accepted, ServerMessage.Failure>, since: Duration
  ) {
    guard case .running = phase else { return }
    switch result {
    case .success: hold(since: since)
    case .failure(let failure): lose(Failure.text(of: failure))
    }
  }

  private func lose(_ why: String) {
    guard case .running = phase else { return }
    leave()
    phase = .ending(nil)
    conversation.finish(
      .failure(
        Failure(
          .leaseLost,
          "the lease \"\(wanted.name.printable)\" was lost: \(why); \(program.name) is ended")))
  }

  // Giving it back.

  private func ended(_ end: ChildProcess.End) {
    outcome = .success(ExitStatus(rawValue: end.status))
    release()
  }

  private func release() {
    leave()
    phase = .ending(dispatch(.release(name: wanted.name, fence: fence)))
    loop.timer(after: Self.releaseLimit) { [unowned self] in
      conversation.call.note("the lease could not be given back; it runs out by itself")
      conversation.finish(outcome)
    }
  }

  private func leave() {
    deadline?.cancel()
    renewing?.cancel()
  }

  private func late(_ limit: Duration) {
    let holder = lease.map { "held by \"\($0.holder.printable)\"" } ?? "not granted"
    giveUp(
      .failure(
        Failure(
          .timedOut,
          "the lease \"\(wanted.name.printable)\" is still \(holder) after \(DurationText.text(limit))"
        )))
  }

  private func interrupted() {
    if case .running = phase { return }
    giveUp(.success(.interrupted))
  }

  /// Stops waiting; a lease that may have been granted meanwhile is given back first.
  private func giveUp(_ result: Result<ExitStatus, Failure>) {
    switch phase {
    case .running, .ending: return
    case .waiting, .checking: conversation.finish(result)
    case .asking, .granted:
      // Asked twice, it does not wait any longer.
      guard !isGivingUp else { return conversation.finish(result) }
      outcome = result
      isGivingUp = true
    }
  }

  private func dispatch(_ action: LeaseAction) -> RemoteSession.Step? {
    conversation.ask { $0.dispatch([action.wire.json], preconditions: []) }
  }
}
