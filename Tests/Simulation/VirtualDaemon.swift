import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// The daemon's brain between a virtual network and a virtual disk, as the shell would place it.
final class VirtualDaemon {
  private enum Message {
    case committed
    case commitFailed(StorageFault)
    case answer(Answer, Token)
    case checkpointEnded
    case figures(StorageFigures)
    case effect((Engine) -> Void)
  }

  enum Thread: Hashable {
    case committing, reading, encoding
  }

  let engine: Engine
  private unowned let world: World
  private var random: SeededGenerator
  private(set) var links: [ConnectionID: (link: VirtualLink, auditor: ConnectionAuditor)] = [:]
  private var mailbox: [Message] = []
  private var isMailboxWaiting = false
  private var commitsAtOnce = 0
  private var isTurnWaiting = false
  private var busyUntil: [Thread: Int64] = [:]
  private var runner: VirtualRunner?
  private let presenceRecord = PresenceRecord()
  private(set) var isDead = false
  private var isStopping = false
  private var hasSaidGoodbye = false

  init(world: World, random: SeededGenerator) throws {
    self.world = world
    self.random = random
    engine = Engine(
      try world.disk.start(recentCount: world.options.recentCount),
      configuration: world.options.engineConfiguration, nowMs: world.now, wallMs: world.wallMs,
      seed: self.random.next())
    runner = VirtualRunner(world: world, random: self.random.split()) { [weak self] event in
      if let self, !isDead { post(.effect(event)) }
    }
    work { $0.start() }
    tick()
  }

  // Connections.

  func accept(_ link: VirtualLink) {
    let auditor = ConnectionAuditor(
      of: link.id, history: world.history, limits: world.options.limits, epoch: world.disk.epoch,
      record: presenceRecord, report: { [unowned world] in world.report($0, $1) })
    links[link.id] = (link, auditor)
    work { $0.connected(link.id, outlet: AuditedOutlet(link, auditor, world)) }
  }

  func received(_ bytes: [UInt8], on link: VirtualLink) {
    guard let auditor = links[link.id]?.auditor, !isDead else { return }
    world.trace("\(link.id.value) → \(String(decoding: bytes, as: UTF8.self))")
    auditor.received(bytes)
    work { engine in bytes.withUnsafeBytes { engine.received($0, from: link.id) } }
  }

  func inputEnded(_ link: VirtualLink) {
    guard links[link.id] != nil, !isDead else { return }
    work { $0.inputEnded(link.id) }
  }

  func writable(_ link: VirtualLink) {
    guard links[link.id] != nil, !isDead else { return }
    work { $0.flush(link.id) }
  }

  func ended(_ link: VirtualLink) {
    guard !isDead, links.removeValue(forKey: link.id) != nil else { return }
    world.trace("\(link.id.value) ended")
    work { $0.disconnected(link.id) }
  }

  // Turns.

  private func work(_ body: (Engine) -> Void) {
    engine.advance(nowMs: world.now, wallMs: world.wallMs)
    body(engine)
    guard !isTurnWaiting else { return }
    isTurnWaiting = true
    world.after(Int64(random.below(2))) { [self] in
      isTurnWaiting = false
      if !isDead { endTurn() }
    }
  }

  private func endTurn() {
    engine.advance(nowMs: world.now, wallMs: world.wallMs)
    var rounds = 0
    commitsAtOnce = 0
    repeat {
      engine.endTurn()
      for effect in engine.takeEffects() { carryOut(effect) }
      engine.flush()
      rounds += 1
      if rounds > 10_000 { return world.report(.progress, "a turn without end") }
    } while engine.hasWork
    checkMemory()
    if isStopping { finishStopping() }
  }

  private func checkMemory() {
    let footprint = engine.footprint
    let largest = world.options.maximumStateBytes + 4_096
    if footprint.ringBytes > max(world.options.ringBytes, 4_096 + largest) {
      world.report(.boundedMemory, "the rings take \(footprint.ringBytes) bytes")
    }
    if footprint.presenceBytes > 2 << 20 {
      world.report(.boundedMemory, "presence takes \(footprint.presenceBytes) bytes")
    }
    if footprint.largestQueueBytes > 262_144 * 3 + 8 * largest {
      world.report(.boundedMemory, "a queue takes \(footprint.largestQueueBytes) bytes")
    }
  }

  private func carryOut(_ effect: EngineEffect) {
    switch effect {
    case .commit(let commit): append(commit)
    case .ask(let question, let token): ask(question, token)
    case .pauseReading(let id): links[id]?.link.isPaused = true
    case .resumeReading(let id): links[id]?.link.isPaused = false
    case .close(let id):
      guard let link = links.removeValue(forKey: id)?.link else { return }
      world.trace("\(id.value) closed")
      link.closeByDaemon()
      engine.disconnected(id)
    case .checkpoint(let seq, let time, let state):
      on(.encoding, within: world.options.threadDelayMs) { [self] in
        let checkpoint = Checkpoint(seq: seq, time: time, state: Array(state.description.utf8))
        on(.committing, within: world.options.diskDelayMs) { [self] in
          if !world.isDiskFull { world.disk.write(checkpoint) }
          post(.checkpointEnded)
        }
      }
    case .effects(let outputs): for output in outputs { runner?.carryOut(output) }
    case .resume(let senders): senders.forEach { $0() }
    case .stopEffects: runner?.stop()
    case .report(let text): world.trace("reports: \(text)")
    }
  }

  // Threads.

  /// Does something on a thread, behind all it was given before.
  private func on(_ thread: Thread, within delay: Int, _ body: @escaping () -> Void) {
    let time = max(world.now, busyUntil[thread] ?? 0) + Int64(random.below(delay + 1))
    busyUntil[thread] = time
    world.after(time - world.now) { [self] in
      if !isDead { body() }
    }
  }

  private func post(_ message: Message) {
    mailbox.append(message)
    guard !isMailboxWaiting else { return }
    isMailboxWaiting = true
    world.after(Int64(random.below(world.options.threadDelayMs / 4 + 1))) { [self] in
      isMailboxWaiting = false
      guard !isDead else { return }
      let messages = mailbox
      mailbox = []
      work { for message in messages { receive(message, $0) } }
    }
  }

  private func receive(_ message: Message, _ engine: Engine) {
    switch message {
    case .committed: engine.committed()
    case .commitFailed(let fault): engine.commitFailed(fault)
    case .answer(let answer, let token): engine.answer(answer, to: token)
    case .checkpointEnded: engine.checkpointEnded()
    case .figures(let figures): engine.storageChanged(figures)
    case .effect(let tell): tell(engine)
    }
  }

  /// Makes a commit beside the loop, or at once, as the daemon does with small ones.
  private func append(_ commit: Commit) {
    if commitsAtOnce < 4, (busyUntil[.committing] ?? 0) <= world.now, random.chance(40) {
      commitsAtOnce += 1
      return receive(made(commit), engine)
    }
    on(.committing, within: world.options.diskDelayMs) { [self] in post(made(commit)) }
  }

  private func made(_ commit: Commit) -> Message {
    guard !world.isDiskFull else {
      world.trace("commit of \(commit.entries.count) steps failed")
      return .commitFailed(random.chance(50) ? .full("full") : .broken("broken"))
    }
    world.disk.append(commit)
    world.trace("durable up to \(world.disk.head)")
    return .committed
  }

  private func ask(_ question: Question, _ token: Token) {
    let thread: Thread =
      switch question {
      case .text, .snapshotParts: .encoding
      default: .reading
      }
    on(thread, within: world.options.threadDelayMs) { [self] in
      post(.answer(world.disk.answer(question), token))
    }
  }

  // Time.

  private func tick() {
    world.after(1_000) { [self] in
      guard !isDead else { return }
      work { $0.tick() }
      if random.chance(world.options.compactionPercent) { compact() }
      tick()
    }
  }

  private func compact() {
    let wanted = SequenceNumber(Int64(random.below(Int(world.disk.head.value) + 1)))
    let needed = engine.oldestNeededSeq ?? wanted
    on(.reading, within: world.options.threadDelayMs) { [self] in
      post(.figures(world.disk.figures))
      on(.committing, within: world.options.diskDelayMs) { [self] in
        world.disk.compact(
          to: world.options.compactsUnderReaders ? wanted : min(wanted, needed))
        world.trace("compacted to \(world.disk.floor)")
      }
    }
  }

  // Ends.

  /// Loses everything that is not durable.
  func crash() {
    world.trace("crash")
    isDead = true
    for (link, _) in links.values.sorted(by: { $0.link.id.value < $1.link.id.value }) {
      link.crash()
    }
    links = [:]
  }

  /// Ends in good order.
  func stop() {
    guard !isStopping else { return }
    world.trace("stop")
    isStopping = true
    work { $0.beginShutdown() }
  }

  private func finishStopping() {
    guard engine.isSettled, !hasSaidGoodbye else {
      if hasSaidGoodbye, links.isEmpty { end() }
      return
    }
    hasSaidGoodbye = true
    engine.sayGoodbyeToAll()
    world.after(2_000) { [self] in end() }
    endTurn()
  }

  private func end() {
    guard !isDead else { return }
    if let last = engine.lastCheckpoint(upToBytes: 1 << 20) { world.disk.write(last) }
    crash()
    world.daemonEnded(self)
  }
}

/// The daemon's end of a link, with an auditor who sees all that goes out.
private final class AuditedOutlet: Outlet {
  private let link: VirtualLink
  private let auditor: ConnectionAuditor
  private unowned let world: World

  init(_ link: VirtualLink, _ auditor: ConnectionAuditor, _ world: World) {
    self.link = link
    self.auditor = auditor
    self.world = world
  }

  var isWritable: Bool { true }

  func write(_ runs: UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Int {
    let taken = link.transmit(runs)
    if !taken.isEmpty {
      world.trace("\(link.id.value) ← \(String(decoding: taken, as: UTF8.self))")
      taken.withUnsafeBytes { auditor.sent($0) }
    }
    return taken.count
  }
}
