import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore
import Foundation
import Synchronization

/// A daemon, its disk, its network and its clients in virtual time on one thread; everything that
/// happens follows from one seed.
package final class World {
  /// How a run ended.
  package struct Outcome: Sendable {
    package let seed: UInt64
    package let violation: Violation?
    /// Things that happened: deliveries, turns, timers.
    package let eventCount: Int
    /// Steps that became durable.
    package let stepCount: Int
    package let crashCount: Int
    /// Commands that steps asked for, and those of them that were cancelled.
    package let commandCount: Int
    package let cancelCount: Int
    /// The last things that happened, if they were kept.
    package let trace: [String]
  }

  let options: Options
  let disk: VirtualDisk
  private(set) var history: History
  private let seed: UInt64
  private var random: SeededGenerator
  private var schedule = Schedule()
  private var daemon: VirtualDaemon?
  private var libraries: [LibraryClient] = []
  private var scripted: [ScriptedClient] = []
  private var present: [PresenceClient] = []
  private var linkCount: UInt64 = 0
  var tagCount = 0
  private var wallOffset: Int64 = 1_764_480_000_000
  private(set) var hasFaults = true
  private(set) var isDiskFull = false
  private var violation: Violation?
  private var eventCount = 0
  private var crashCount = 0
  private let traceLimit: Int
  private var traces: [String] = []

  /// Makes the world of a seed, in which the last happenings are kept up to a number.
  package init(seed: UInt64, traceLimit: Int) throws {
    self.seed = seed
    self.traceLimit = traceLimit
    random = SeededGenerator(seed: seed)
    options = Options(using: &random)
    let limits = StateLimits(
      maximumDepth: options.limits.maximumDepth, maximumBytes: options.maximumStateBytes)
    let store =
      options.hasEffects
      ? try Self.host(Errands(), limits, random.split())
      : try Self.host(DocumentApp(limits: limits), limits, random.split())
    disk = VirtualDisk(epoch: "epoch-\(seed)", store: store)
    var report: (Law, String) -> Void = { _, _ in }
    history = History(disk: disk, store: store) { report($0, $1) }
    report = { [unowned self] in self.report($0, $1) }
  }

  /// Lets everything happen, then ends the faults and waits until all is well again.
  package func run() -> Outcome {
    startDaemon()
    populate()
    planFaults()
    after(options.durationMs) { [self] in endFaults() }
    while violation == nil, let body = schedule.next() {
      eventCount += 1
      body()
      if !hasFaults, eventCount % 64 == 0, isFinished { break }
      if now > options.durationMs + 300_000 {
        let waiting =
          libraries.compactMap(\.unfinished) + present.compactMap(\.unfinished)
          + [history.effects.unfinished ?? ""]
        report(.progress, waiting.joined(separator: "; "))
      }
    }
    let outcome = Outcome(
      seed: seed, violation: violation, eventCount: eventCount, stepCount: history.head,
      crashCount: crashCount, commandCount: history.effects.commandCount,
      cancelCount: history.effects.cancelCount, trace: traces)
    schedule = Schedule()
    daemon = nil
    libraries = []
    scripted = []
    present = []
    return outcome
  }

  private var isFinished: Bool {
    daemon != nil && libraries.allSatisfy { $0.unfinished == nil }
      && present.allSatisfy { $0.unfinished == nil }
      && history.effects.unfinished == nil
  }

  /// A store of an app as a daemon serves it, in a world that follows from the seed too.
  private static func host(
    _ app: some App, _ limits: StateLimits, _ random: SeededGenerator
  ) throws -> any HostedStore {
    let numbers = Mutex(random)
    return try HostedApp(
      Leased(app), limits: limits,
      dependencies: DependencyValues(.test).setting { values in
        values.random = Source("random") { numbers.withLock { Int64($0.below(1_000_000)) } }
        values.date = Source("date") {
          numbers.withLock { Date(timeIntervalSince1970: Double($0.below(1_000_000))) }
        }
      })
  }

  // For those who live here.

  var now: Int64 { schedule.now }

  var wallMs: Int64 { wallOffset + schedule.now }

  func after(_ delay: Int64, _ body: @escaping () -> Void) {
    schedule.add(after: delay, body)
  }

  func report(_ law: Law, _ text: String) {
    if violation == nil { violation = Violation(law: law, text: "\(text)") }
  }

  func trace(_ text: @autoclosure () -> String) {
    guard traceLimit > 0 else { return }
    traces.append("\(now) \(text())")
    if traces.count > traceLimit * 2 { traces.removeFirst(traceLimit) }
  }

  /// A connection to the daemon; nothing while there is none.
  func connect(_ end: any LinkEnd) -> VirtualLink? {
    guard let daemon, !daemon.isDead else { return nil }
    linkCount += 1
    let link = VirtualLink(
      ConnectionID(linkCount), world: self, daemon: daemon, end: end, random: random.split())
    after(0) {
      if !daemon.isDead { daemon.accept(link) }
    }
    return link
  }

  // The plan.

  private func populate() {
    for index in 0..<options.libraryClients {
      after(Int64(random.below(500))) { [self] in
        libraries.append(
          LibraryClient(name: "library-\(index)", world: self, random: random.split()))
      }
    }
    for index in 0..<options.scriptedClients {
      var names: [String?] = ["script-\(index)", "script-\(index)", nil]
      if options.hasTakeovers { names += ["script-0", "script-1", "library-0"] }
      scripted.append(ScriptedClient(names: names, world: self, random: random.split()))
    }
    for index in 0..<options.presenceClients {
      present.append(PresenceClient(name: "present-\(index)", world: self, random: random.split()))
    }
  }

  /// Who is there once all faults are over: what each says of itself, by name, beside the
  /// connection it says it on.
  var presentClients: [ByteText: PresenceClient.Truth] {
    var truths: [ByteText: PresenceClient.Truth] = [:]
    for client in libraries { truths[ByteText(client.name)] = client.presence }
    for client in present { truths[ByteText(client.name)] = client.presence }
    return truths
  }

  private func startDaemon() {
    do {
      let next = try VirtualDaemon(world: self, random: random.split())
      if next.engine.durableState != history.states[history.head] {
        report(.exactRecovery, "started with \(next.engine.durableState) at \(disk.head)")
      }
      daemon = next
      trace("start at \(disk.head)")
    } catch {
      report(.exactRecovery, "\(error)")
    }
  }

  /// A daemon that was stopped has ended.
  func daemonEnded(_ ended: VirtualDaemon) {
    if daemon === ended { restartLater() }
  }

  private func restartLater() {
    daemon = nil
    after(Int64(50 + random.below(1_500))) { [self] in startDaemon() }
  }

  private func crash() {
    guard let daemon, !daemon.isDead else { return }
    crashCount += 1
    daemon.crash()
    restartLater()
  }

  private func planFaults() {
    after(Int64(random.below(400))) { [self] in
      guard hasFaults else { return }
      happen()
      planFaults()
    }
  }

  /// One fifth of a second's share of faults.
  private func happen() {
    if isDue(options.crashPercent) { return crash() }
    if isDue(options.stopPercent) { daemon?.stop() }
    if isDue(options.fullDiskPercent) {
      isDiskFull = true
      after(Int64(random.below(1_500))) { [self] in isDiskFull = false }
    }
    if random.chance(1) { wallOffset += Int64(random.below(20_000)) - 10_000 }
    let links = (daemon?.links.values.map(\.link) ?? []).sorted { $0.id.value < $1.id.value }
    guard !links.isEmpty else { return }
    if isDue(options.cutPercent) { random.pick(links).cut() }
    if isDue(options.clogPercent) { random.pick(links).clog(forMs: Int64(random.below(5_000))) }
  }

  private func isDue(_ percent: Int) -> Bool {
    random.chance(percent / 5) || (percent > 0 && random.chance(1))
  }

  private func endFaults() {
    trace("faults end")
    hasFaults = false
    isDiskFull = false
  }
}
