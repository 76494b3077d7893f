import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// A program that uses the library's brain, and checks what it is told.
final class LibraryClient: LinkEnd {
  let name: String
  private unowned let world: World
  private var random: SeededGenerator
  private var session: RemoteSession
  private var view: LibraryView?
  private let journal: VirtualJournal?
  private var link: VirtualLink?
  private var asked: [RemoteSession.Step: [JSON]] = [:]
  private var settled: Set<RemoteSession.Step> = []
  private var replicas: [ByteText: Replica] = [:]
  private var openReads = 0
  private var hasEnded = false
  /// How often the program has begun.
  private var run = 0

  init(name: String, world: World, random: SeededGenerator) {
    self.name = name
    self.world = world
    self.random = random
    journal = world.options.hasJournals ? VirtualJournal(world, self.random.split()) : nil
    session = RemoteSession(Self.configuration(name, world), seed: self.random.next())
    begin(with: [])
  }

  private static func configuration(
    _ name: String, _ world: World
  ) -> RemoteSession.Configuration {
    var configuration = RemoteSession.Configuration(
      client: name, backoff: Backoff(firstMs: 50, greatestMs: 2_000), steadyMs: 5_000,
      window: world.options.window)
    configuration.journal = world.options.hasJournals ? .present : .absent
    return configuration
  }

  private func begin(with steps: [QueuedStep]) {
    run += 1
    session.advance(nowMs: world.now)
    session.restore(steps)
    asked = Dictionary(uniqueKeysWithValues: steps.map { ($0.token, $0.actions) })
    if !world.options.hasEffects, !world.options.hasTakeovers {
      view = LibraryView(client: name, world: world, restoring: steps)
      subscribe(to: "")
    }
    for _ in 0...random.below(3) { subscribe() }
    session.start()
    work()
    think(run)
    tick(run)
  }

  /// Ends at any instant and begins again with what its journal holds.
  private func restart() {
    guard let journal else { return }
    world.trace("\(name) begins again")
    link?.closeByClient()
    link = nil
    (replicas, settled, openReads) = ([:], [], 0)
    session = RemoteSession(Self.configuration(name, world), seed: random.next())
    begin(with: journal.crash())
  }

  private func subscribe() {
    subscribe(to: random.path(favouringArrays: world.options.favoursArrays))
  }

  private func subscribe(to text: String) {
    guard replicas[ByteText(text)] == nil, let path = try? JSONPointer(text) else { return }
    replicas[ByteText(text)] = Replica(path: text)
    session.subscribe(to: path, withActions: random.chance(30))
  }

  private func think(_ run: Int) {
    world.after(Int64(random.below(world.options.thinkingMs * 2) + 1)) { [self] in
      guard world.hasFaults, !hasEnded, run == self.run else { return }
      if random.chance(world.options.restartPercent) { return restart() }
      session.advance(nowMs: world.now)
      wish()
      work()
      think(run)
    }
  }

  private func wish() {
    switch random.below(20) {
    case 0:
      let path = try? JSONPointer(random.path(favouringArrays: world.options.favoursArrays))
      let seq = SequenceNumber(Int64(random.below(world.history.head + 2)))
      _ = session.get(path ?? .root, at: random.chance(50) ? nil : seq)
      openReads += 1
    case 1:
      _ = session.log(
        .init(
          start: .after(SequenceNumber(Int64(random.below(world.history.head + 2)))),
          limit: 1 + random.below(50)))
      openReads += 1
    case 2: subscribe()
    case 3:
      _ = session.ping()
      openReads += 1
    default:
      for _ in 0..<(random.chance(10) ? 20 : 1) where session.unsettledStepCount < 100 {
        ask(random.step(world.options), random.conditions(world.options))
      }
      if random.chance(10), let step = asked.keys.sorted().last, session.cancel(step) {
        asked[step] = nil
      }
    }
  }

  private func ask(_ actions: [JSON], _ conditions: [JSON]) {
    if view == nil {
      asked[session.dispatch(actions, preconditions: conditions)] = actions
    } else if let (step, actions) = view?.ask(actions, conditions) {
      session.dispatch(actions, preconditions: conditions, as: step)
      asked[step] = actions
    }
  }

  private func tick(_ run: Int) {
    world.after(Int64(world.options.heartbeatMs / 3)) { [self] in
      guard !hasEnded, run == self.run else { return }
      session.advance(nowMs: world.now)
      session.tick()
      work()
      tick(run)
    }
  }

  // The network.

  func received(_ bytes: [UInt8], on link: VirtualLink) {
    guard link === self.link else { return }
    session.advance(nowMs: world.now)
    bytes.withUnsafeBytes { session.received($0) }
    work()
  }

  func ended(_ link: VirtualLink) {
    guard link === self.link else { return }
    self.link = nil
    session.advance(nowMs: world.now)
    session.disconnected("the connection ended")
    work()
  }

  private func work() {
    let effects = session.takeEffects()
    view?.take(effects.compactMap { if case .event(let event) = $0 { event } else { nil } })
    for effect in effects {
      switch effect {
      case .connect: connect(run)
      case .connectLater(let delay, _): world.after(delay) { [self, run] in connect(run) }
      case .send(let bytes): link?.send(bytes)
      case .disconnect:
        link?.closeByClient()
        link = nil
      case .keep, .forget:
        journal?.write(effect) { [self, run] step in
          guard run == self.run, !hasEnded else { return }
          session.advance(nowMs: world.now)
          session.kept(step.token, n: step.n)
          work()
        }
      case .event(let event): check(event)
      }
    }
  }

  private func connect(_ run: Int) {
    guard !hasEnded, link == nil, run == self.run else { return }
    session.advance(nowMs: world.now)
    link = world.connect(self)
    if link != nil { session.connected() } else { session.disconnected("refused") }
    work()
  }

  // What the program sees.

  private func check(_ event: RemoteSession.Event) {
    switch event {
    case .snapshot(let replica, _, _): check(replica)
    case .patch(_, let before, let replica, _):
      if before != replicas[ByteText(replica.path)]?.value {
        report(.convergence, "another value before")
      }
      check(replica)
    case .settled(let step, let settlement): check(step, settlement)
    case .answer(_, _, _, let isLast): if isLast { openReads -= 1 }
    case .failed(let ticket, let failure):
      if ticket == nil {
        report(.wire, "\(failure.code): \(failure.message)")
      } else {
        openReads -= 1
      }
    case .ended(let failure):
      hasEnded = true
      if failure.code != "replaced" || !world.options.hasTakeovers {
        report(.wire, "ended by \(failure.code)")
      }
    case .waiting(_, let reason):
      if reason.contains("astray") { report(.convergence, reason) }
    case .live, .resumed, .mark, .postponed, .returned, .cancelled, .status: break
    }
  }

  private func check(_ replica: Replica) {
    replicas[ByteText(replica.path)] = replica
    guard let seq = replica.position?.seq, let path = try? JSONPointer(replica.path) else { return }
    if replica.value != world.history.value(at: path, Int(seq.value)) {
      report(.convergence, "\(replica.path) at \(seq) is \(String(describing: replica.value))")
    }
  }

  private func check(_ step: RemoteSession.Step, _ settlement: ServerMessage.Settlement) {
    if !settled.insert(step).inserted { report(.exactlyOnce, "step \(step.index) settled again") }
    guard let actions = asked[step] else { return report(.exactlyOnce, "nobody asked") }
    switch settlement.result {
    case .success(let accepted):
      let entry = world.disk.allEntries[Int(accepted.seq.value) - 1]
      let text = JSON.array(JSONArray(actions)).description
      if entry.client != name || entry.n != settlement.n
        || entry.sentActions != Array(text.utf8)
      {
        report(.exactlyOnce, "step \(step.index) is not what seq \(accepted.seq) did")
      }
    case .failure(let failure):
      // A refusal of the moment that a cut kept from the client, while a later number was taken,
      // leaves it without knowledge.
      let isUnknown = failure.code == "outcome_unknown" && !world.options.refusesForTheMoment
      if isUnknown || failure.code == "n_conflict", !world.options.hasTakeovers {
        report(.exactlyOnce, "step \(step.index): \(failure.code), \(failure.message)")
      }
    }
  }

  private func report(_ law: Law, _ text: String) {
    world.report(law, "client \(name): \(text)")
  }

  /// What others are told of it.
  var presence: PresenceClient.Truth? {
    link.map { PresenceClient.Truth(link: $0.id, state: nil) }
  }

  /// What is still missing once all faults are over; nothing when all is well.
  var unfinished: String? {
    if hasEnded { return nil }
    if session.unsettledStepCount > 0 {
      return "\(name): \(session.unsettledStepCount) steps are open"
    }
    if settled.count != asked.count {
      return "\(name): \(asked.count - settled.count) steps are lost"
    }
    if let unfinished = view?.unfinished { return "\(name): \(unfinished)" }
    if openReads > 0 { return "\(name): \(openReads) reads are open" }
    for (text, replica) in replicas.sorted(by: { $0.key.text < $1.key.text }) {
      guard let path = try? JSONPointer(text.text), replica.position != nil else {
        return "\(name): nothing is known of \(text.text)"
      }
      if replica.value != world.history.value(at: path, world.history.head) {
        return "\(name): \(text.text) stands at \(String(describing: replica.position?.seq))"
      }
    }
    return nil
  }
}
