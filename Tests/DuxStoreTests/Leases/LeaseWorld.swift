import DuxJSON
import DuxStore
import Foundation
import Synchronization
import Testing

/// A hosted app with leases, an outbox and timers in virtual time, and what should be so beside it.
///
/// It is a value: a copy is another future.
struct LeaseWorld<Hosted: App> {
  /// What the daemon's wall clock shows.
  final class WallClock: Sendable {
    private let shown = Mutex<Int64>(0)
    var nowMs: Int64 {
      get { shown.withLock { $0 } }
      set { shown.withLock { $0 = newValue } }
    }
  }

  /// A lease as it should be.
  struct Expected: Equatable {
    var holder: String
    var fence: Int64
    var expiresMs: Int64
    var ttlMs: Int64
  }

  private(set) var store: HostedApp<Leased<Hosted>>
  private var ledger = EffectLedger<HostedAction>(keyPrefix: "w")
  private let app: Hosted
  private let wall: WallClock
  private(set) var nowMs: Int64 = 1_000_000
  private var step: Int64 = 0
  private var lives = 0
  /// The commands on disk.
  private(set) var outbox: [CommandKey: CommandEntry] = [:]
  /// When the timers that run will be over.
  private var dueMs: [CommandKey: Int64] = [:]
  private(set) var log: [(actions: [WireAction], author: String)] = []

  private(set) var expected: [String: Expected] = [:]
  private(set) var lastFence: Int64 = 0
  /// How often the lease of each fence has ended.
  private(set) var ends: [Int64: Int] = [:]

  init(_ app: Hosted) throws {
    self.app = app
    let wall = WallClock()
    self.wall = wall
    store = try Self.makeStore(app, wall)
  }

  private static func makeStore(
    _ app: Hosted, _ wall: WallClock
  ) throws -> HostedApp<Leased<Hosted>> {
    try HostedApp(
      Leased(app), limits: .wide,
      dependencies: DependencyValues(.test).setting { values in
        values.date = Source("date") {
          Date(timeIntervalSince1970: Double(wall.nowMs) / 1_000)
        }
      })
  }

  /// Takes actions of somebody's as one step.
  @discardableResult
  mutating func take(_ actions: [WireAction], by author: String) throws(Refusal) -> JSONPatch {
    wall.nowMs = nowMs
    let made = try store.dispatch(actions, DispatchContext(author: author))
    step += 1
    log.append((made.loggedActions ?? actions, author))
    ledger.begin(
      made.effect, of: EffectCause(step: step, action: "step", author: author),
      departed: made.departed)
    carryOut()
    return made.patch
  }

  @discardableResult
  mutating func take(_ action: LeaseAction, by author: String) throws(Refusal) -> JSONPatch {
    try take([action.wire], by: author)
  }

  private mutating func carryOut() {
    for output in ledger.takeOutputs() {
      switch output {
      case .enqueue(let entry): outbox[entry.key] = entry
      case .start(let entry): dueMs[entry.key] = nowMs + left(entry)
      case .drop(let key):
        outbox[key] = nil
        dueMs[key] = nil
      default: break
      }
    }
  }

  private func left(_ entry: CommandEntry) -> Int64 {
    let expiresMs = entry.payload["expiresMs"]?.integerValue ?? 0
    return min(max(0, expiresMs - nowMs), entry.payload["ttlMs"]?.integerValue ?? 0)
  }

  /// Lets time go by, with the timers that run out meanwhile.
  mutating func wait(_ ms: Int64) throws {
    let end = nowMs + ms
    while let next = dueMs.min(by: { ($0.value, $0.key.text) < ($1.value, $1.key.text) }),
      next.value <= end, let entry = outbox[next.key]
    {
      nowMs = max(nowMs, next.value)
      try fire(entry)
    }
    nowMs = end
  }

  private mutating func fire(_ entry: CommandEntry) throws {
    let name = try #require(entry.payload["name"]?.stringValue)
    let fence = try #require(entry.payload["fence"]?.integerValue)
    let sent = ledger.sent(entry.key)
    let cause = try #require(sent)
    let patch = try take(.expire(name: name, fence: fence), by: cause.author)
    #expect(!patch.operations.isEmpty, "a timer ran out of a lease that had ended")
    ledger.ended(entry.key)
    carryOut()
    #expect(expected[name]?.fence == fence)
    end(name)
  }

  /// The daemon dies and comes back on what was on disk, after a while.
  mutating func crash(for ms: Int64) throws {
    let view = store.view
    lives += 1
    store = try Self.makeStore(app, wall)
    let change = try store.restore(view: view, version: app.version)
    #expect(change.operations.isEmpty)
    ledger = EffectLedger(keyPrefix: "w\(lives)")
    dueMs = [:]
    nowMs += ms
    ledger.restore(
      outbox.values.sorted { ($0.cause.step, $0.key.text) < ($1.cause.step, $1.key.text) })
    carryOut()
    try wait(0)
  }

  // What should come of each action.

  mutating func expectGrant(_ name: String, to holder: String, ttlMs: Int64) {
    lastFence += 1
    expected[name] = Expected(
      holder: holder, fence: lastFence, expiresMs: nowMs + ttlMs, ttlMs: ttlMs)
  }

  mutating func expectRenewal(_ name: String, ttlMs: Int64) {
    expected[name]?.ttlMs = ttlMs
    expected[name]?.expiresMs = nowMs + ttlMs
  }

  mutating func end(_ name: String) {
    guard let fence = expected.removeValue(forKey: name)?.fence else { return }
    ends[fence, default: 0] += 1
  }

  /// Holds the state, the outbox and the log to what should be.
  func check() throws {
    let leases = try #require(Leases(inView: store.view))
    var found: [String: Expected] = [:]
    for name in leases.names {
      let lease = try #require(leases[name])
      found[name] = Expected(
        holder: lease.holder, fence: lease.fence, expiresMs: lease.expiresMs, ttlMs: lease.ttlMs)
    }
    #expect(found == expected)
    #expect(leases.lastFence == lastFence)
    #expect((store.view["@leases"] == nil) == expected.isEmpty)
    #expect(ends.allSatisfy { $0.value == 1 })
    #expect(ends.count + expected.count == Int(lastFence), "a lease is neither held nor ended")
    try checkTimers()
  }

  /// Each lease has one timer, of its own.
  private func checkTimers() throws {
    var timers: [String: Expected] = [:]
    for entry in outbox.values {
      let name = try #require(entry.payload["name"]?.stringValue)
      #expect(timers[name] == nil, "two timers of \(name)")
      timers[name] = Expected(
        holder: expected[name]?.holder ?? "nobody",
        fence: entry.payload["fence"]?.integerValue ?? 0,
        expiresMs: entry.payload["expiresMs"]?.integerValue ?? 0,
        ttlMs: entry.payload["ttlMs"]?.integerValue ?? 0)
    }
    #expect(timers == expected)
    #expect(Set(dueMs.keys) == Set(outbox.keys))
  }

  /// The logged actions, taken again, lead to the same state.
  func checkReplay() throws {
    var again = try HostedApp(
      Leased(app), limits: .wide, dependencies: DependencyValues(.test))
    for (actions, author) in log { _ = try again.replay(actions, author: author) }
    #expect(again.view.description == store.view.description)
  }
}
