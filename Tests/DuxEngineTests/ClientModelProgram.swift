import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// A program with a session, an optimistic view and maybe a journal, which holds what it is shown
/// against what the daemon has done.
final class ModelProgram {
  enum Fate: Equatable {
    case open
    case confirmed(seq: Int, life: Int)
    case over
    case cancelled
  }

  let daemon: ModelDaemon
  private let journaled: Bool
  private let isTracing: Bool
  private var session: RemoteSession
  private(set) var view: OptimisticState<TaggedLedger.State, TaggedLedger.Action>
  private var wire: ModelWire?
  private var retryAtMs: Int64?
  private var nowMs: Int64 = 1_000
  private let window: Int
  private(set) var fates: [String: Fate] = [:]
  private var tags: [RequestToken: String] = [:]
  private var tagCount = 0
  private(set) var amounts: [String: Int] = [:]
  /// What the disk holds of the journal, and what is on its way there.
  private var journal: [RequestToken: QueuedStep] = [:]
  private var writes: [RemoteSession.Effect] = []
  /// The life that the daemon's answers are of.
  private var life = 0
  private(set) var hasEnded = false
  private(set) var violation: String?
  private(set) var trace: [String] = []

  init(_ daemon: ModelDaemon, window: Int, journaled: Bool, isTracing: Bool) {
    self.isTracing = isTracing
    self.daemon = daemon
    self.window = window
    self.journaled = journaled
    (session, view) = Self.make(daemon, window, journaled)
    begin(restoring: [])
  }

  private static func make(
    _ daemon: ModelDaemon, _ window: Int, _ journaled: Bool
  ) -> (RemoteSession, OptimisticState<TaggedLedger.State, TaggedLedger.Action>) {
    var configuration = RemoteSession.Configuration(
      client: "tty1", backoff: Backoff(firstMs: 50, greatestMs: 2_000), steadyMs: 3_000,
      window: window)
    configuration.journal = journaled ? .present : .absent
    configuration.expectedApp = "tagged"
    return (
      RemoteSession(configuration, seed: daemon.random.next()),
      OptimisticState(
        ClientModel(TaggedLedger()), path: .root, client: "tty1", limits: QueueLimits())
    )
  }

  private func begin(restoring steps: [QueuedStep]) {
    session.advance(nowMs: nowMs)
    session.restore(steps)
    view.restore(steps)
    session.subscribe(to: .root, withActions: false)
    session.start()
    obey()
  }

  func note(_ text: @autoclosure () -> String) {
    guard isTracing else { return }
    trace.append(text())
    if trace.count > 400 { trace.removeFirst(200) }
  }

  func report(_ text: String) {
    if violation == nil { violation = text }
  }

  // What the program does.

  func ask(isPoisoned: Bool) {
    guard !hasEnded else { return }
    let tag = "t\(tagCount)"
    tagCount += 1
    let amount = isPoisoned ? TaggedLedger.poison : 1 + tagCount
    amounts[tag] = amount
    fates[tag] = .open
    let asked = view.ask([.add(tag: tag, amount: amount)], if: [])
    tags[asked.token] = tag
    note("ask \(tag) as \(asked.token.index)")
    guard case .success(let wires) = asked.result else { return report("\(tag) was refused") }
    work { $0.dispatch(wires, preconditions: [], as: asked.token) }
  }

  func cancel() {
    let open = tags.filter { fates[$0.value] == .open }.keys.sorted()
    guard let token = open.randomElement(using: &daemon.random), let tag = tags[token] else {
      return
    }
    var wasCancelled = false
    work { wasCancelled = $0.cancel(token) }
    note("cancel \(tag): \(wasCancelled)")
    if wasCancelled != (fates[tag] == .cancelled) { report("\(tag) was cancelled in part") }
  }

  func pass(_ ms: Int64) {
    nowMs += ms
    work { $0.tick() }
    connectIfDue()
  }

  func wake() { work { $0.wake() } }

  func suspend() { work { $0.suspend() } }

  func resume() { work { $0.resume() } }

  private func work(_ body: (RemoteSession) -> Void) {
    guard !hasEnded else { return }
    session.advance(nowMs: nowMs)
    body(session)
    obey()
  }

  private func obey() {
    let effects = session.takeEffects()
    var events: [RemoteSession.Event] = []
    for effect in effects {
      switch effect {
      case .connect: retryAtMs = nowMs
      case .connectLater(let afterMs, _): retryAtMs = nowMs + afterMs
      case .send(let bytes): wire?.up += bytes
      case .disconnect: giveUpWire()
      case .keep, .forget: writes.append(effect)
      case .event(let event):
        if case .live = event { life = daemon.life }
        events.append(event)
      }
    }
    note("\(events.map { String(describing: $0).prefix(160) })")
    for settled in view.take(events) { settle(settled) }
    if let fault = view.fault { report("fault: \(fault)") }
    for case .ended(let failure) in events {
      hasEnded = true
      note("ended \(failure.code)")
    }
    check()
  }

  private func giveUpWire() {
    wire?.isGivenUp = true
    wire = nil
    retryAtMs = nil
  }

  private func connectIfDue() {
    guard wire == nil, let due = retryAtMs, nowMs >= due else { return }
    retryAtMs = nil
    if daemon.chance(20) {
      work { $0.disconnected("refused") }
    } else {
      wire = daemon.connect()
      note("connected")
      work { $0.connected() }
    }
  }

  // The network.

  /// Lets some of what the daemon said come in.
  func receive() {
    guard let wire else { return }
    if wire.down.isEmpty {
      if wire.isClosed { lose("hung up") }
      return
    }
    let bytes = Array(wire.down.prefix(Int.random(in: 1...wire.down.count, using: &daemon.random)))
    wire.down.removeFirst(bytes.count)
    work { session in bytes.withUnsafeBytes { session.received($0) } }
  }

  /// The connection is lost; what was sent may still arrive, up to any byte.
  func lose(_ why: String) {
    guard let wire else { return }
    note("lost: \(why)")
    if daemon.chance(50) {
      wire.up.removeLast(Int.random(in: 0...wire.up.count, using: &daemon.random))
      if daemon.chance(50) { daemon.close(wire) }
    }
    giveUpWire()
    work { $0.disconnected(why) }
  }

  var isFollowing: Bool { wire?.isFollowing ?? false }

  var current: ModelWire? { wire }

  // The journal.

  /// Lets some writes become durable, in order; a write may fail.
  func flushJournal(mayFail: Bool) {
    guard !writes.isEmpty else { return }
    let count = Int.random(in: 1...writes.count, using: &daemon.random)
    let batch = writes.prefix(count)
    writes.removeFirst(count)
    for effect in batch {
      switch effect {
      case .keep(let step) where mayFail && daemon.chance(20):
        note("not kept \(step.token.index) as \(step.n ?? 0)")
        work { $0.notKept(step.token, n: step.n, "full") }
      case .keep(let step):
        journal[step.token] = step
        note("kept \(step.token.index) as \(step.n ?? 0)")
        work { $0.kept(step.token, n: step.n) }
      case .forget(let token): journal[token] = nil
      default: break
      }
    }
  }

  /// Ends at any instant and starts again with what the journal holds.
  func crash() {
    guard journaled else { return }
    note("crash; the journal has \(journal.keys.map(\.index).sorted())")
    giveUpWire()
    writes = []
    hasEnded = false
    let former = tags
    tags = tags.filter { journal[$0.key] != nil }
    for (token, tag) in former { fates[tag] = tags[token] == nil ? nil : .open }
    (session, view) = Self.make(daemon, window, journaled)
    begin(restoring: Array(journal.values))
  }

  // What is checked.

  private func settle(_ settled: SettledStep) {
    guard let tag = tags[settled.token] else { return report("nobody asked for \(settled)") }
    note("\(tag): \(settled.outcome)")
    guard fates[tag] == .open else { return report("\(tag) was settled again: \(settled.outcome)") }
    switch settled.outcome {
    case .confirmed(let seq, _):
      let seq = Int(seq.value)
      fates[tag] = .confirmed(seq: seq, life: life)
      let entries = daemon.lives[life]
      if seq > entries.count || entries[seq - 1].tag != tag {
        report("\(tag) is not what seq \(seq) of life \(life) did")
      }
    case .rejected(let refusal):
      fates[tag] = .over
      switch refusal.code {
      case "rejected": if amounts[tag] != TaggedLedger.poison { report("\(tag): \(refusal)") }
      case StepRefusal.notKept: break
      default: report("\(tag): \(refusal)")
      }
    case .cancelled: fates[tag] = .cancelled
    case .unknown(let reason):
      fates[tag] = .over
      if !hasEnded, reason.code != "replaced" { report("\(tag): \(reason)") }
    }
    if fates[tag] == .over, amounts[tag] != TaggedLedger.poison, case .rejected = settled.outcome,
      daemon.lives[daemon.life].contains(where: { $0.tag == tag })
    {
      report("\(tag) was rejected and done")
    }
  }

  /// Holds what is shown against the daemon's own lives: each step of ours that is not over counts
  /// once, in the confirmed state or on top of it.
  private func check() {
    var expected = TaggedLedger.State()
    var reached = 0
    if let position = view.position {
      expected.life = view.confirmed.life
      reached = Int(position.seq.value)
      guard daemon.lives.indices.contains(expected.life),
        reached <= daemon.lives[expected.life].count
      else { return report("nobody knows \(position)") }
    }
    let seen = daemon.lives[expected.life][..<reached]
    for entry in seen {
      expected.sum += entry.amount
      expected.tags[entry.tag, default: 0] += 1
    }
    if view.confirmed != expected { report("confirmed \(view.confirmed), not \(expected)") }
    for (tag, fate) in fates where expected.tags[tag] == nil {
      switch fate {
      case .over, .cancelled: continue
      case .confirmed(let seq, let life):
        let isAhead = life > expected.life || (life == expected.life && seq > reached)
        guard isAhead || view.position == nil, !hasEnded else { continue }
      case .open: break
      }
      guard let amount = amounts[tag], amount != TaggedLedger.poison else { continue }
      expected.sum += amount
      expected.tags[tag, default: 0] += 1
    }
    if view.state != expected {
      report("shown \(view.state), not \(expected) at \(String(describing: view.position))")
    }
  }

  /// A step that was taken back and done all the same.
  var doneThoughCancelled: String? {
    fates.first { tag, fate in
      fate == .cancelled && daemon.lives.contains { $0.contains { $0.tag == tag } }
    }?.key
  }

  /// What is missing once all faults are over; `nil` when all is well.
  var unfinished: String? {
    if hasEnded { return nil }
    let open = fates.filter { $0.value == .open }.keys.sorted()
    if !open.isEmpty { return "open: \(open)" }
    if view.pendingCount > 0 { return "\(view.pendingCount) pending" }
    if let position = view.position, Int(position.seq.value) == daemon.head,
      view.confirmed.life == daemon.life, view.state == view.confirmed
    {
      return session.connectionStatus == .live ? nil : "\(session.connectionStatus)"
    }
    return "stands at \(String(describing: view.position)), the daemon at \(daemon.head)"
  }
}
