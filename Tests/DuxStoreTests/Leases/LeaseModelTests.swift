import DuxJSON
import DuxStore
import Testing

/// Every order of a few events, and long random ones, against a model of what leases are.
struct LeaseModelTests {
  /// What may happen to the leases of two names that two clients want.
  private enum Event: CaseIterable {
    case acquire, acquireByAnother, acquireOther, renew, renewLonger, renewStale, release
    case releaseStale, waitShort, waitLong, crash, crashLong
  }

  private typealias World = LeaseWorld<DocumentApp>

  private static let ttlMs: Int64 = 100

  private func apply(_ event: Event, to world: inout World) throws {
    switch event {
    case .acquire: try acquire("a", by: "ada", in: &world)
    case .acquireByAnother: try acquire("a", by: "bob", in: &world)
    case .acquireOther: try acquire("b", by: "bob", in: &world)
    case .renew: try renew("a", ttlMs: nil, in: &world)
    case .renewLonger: try renew("a", ttlMs: 3 * Self.ttlMs, in: &world)
    case .release: try release("a", in: &world)
    case .renewStale: try refuse(.renew(name: "a", fence: stale(world)), in: &world)
    case .releaseStale: try refuse(.release(name: "a", fence: stale(world)), in: &world)
    case .waitShort: try world.wait(Self.ttlMs / 2)
    case .waitLong: try world.wait(2 * Self.ttlMs)
    case .crash: try world.crash(for: 10)
    case .crashLong: try world.crash(for: 2 * Self.ttlMs)
    }
    try world.check()
  }

  private func acquire(_ name: String, by author: String, in world: inout World) throws {
    let action = LeaseAction.acquire(name: name, ttlMs: Self.ttlMs)
    guard world.expected[name] == nil else {
      return try refuse(action, by: author, reason: "lease_held", in: &world)
    }
    try world.take(action, by: author)
    world.expectGrant(name, to: author, ttlMs: Self.ttlMs)
  }

  private func renew(_ name: String, ttlMs: Int64?, in world: inout World) throws {
    guard let lease = world.expected[name] else {
      return try refuse(.renew(name: name, fence: max(1, world.lastFence)), in: &world)
    }
    try world.take(.renew(name: name, fence: lease.fence, ttlMs: ttlMs), by: lease.holder)
    world.expectRenewal(name, ttlMs: ttlMs ?? lease.ttlMs)
  }

  private func release(_ name: String, in world: inout World) throws {
    guard let lease = world.expected[name] else {
      return try refuse(.release(name: name, fence: max(1, world.lastFence)), in: &world)
    }
    try world.take(.release(name: name, fence: lease.fence), by: "anybody")
    world.end(name)
  }

  private func stale(_ world: World) -> Int64 {
    world.expected["a"].map { $0.fence == 1 ? 2 : $0.fence - 1 } ?? 1
  }

  private func refuse(
    _ action: LeaseAction, by author: String = "ada", reason: String = "lease_lost",
    in world: inout World
  ) throws {
    let before = world.store.view
    do throws(Refusal) {
      try world.take(action, by: author)
      Issue.record("\(action) was taken")
    } catch {
      guard case .rejected(let rejection) = error else { throw error }
      #expect(rejection.reason == reason)
    }
    #expect(world.store.view == before)
  }

  @Test func `every order of four events keeps one holder, rising fences and one timer a lease`()
    throws
  {
    func explore(_ world: World, depth: Int) throws {
      guard depth > 0 else { return }
      for event in Event.allCases {
        var next = world
        try apply(event, to: &next)
        try explore(next, depth: depth - 1)
      }
    }
    try explore(World(DocumentApp(limits: .wide)), depth: 4)
  }

  @Test(arguments: 0..<20) func `long random histories do too, and replay exactly`(
    seed: UInt64
  ) throws {
    var random = Generator(seed: seed)
    var world = try World(DocumentApp(limits: .wide))
    for _ in 0..<150 {
      let event = Event.allCases[random.below(Event.allCases.count)]
      try apply(event, to: &world)
      if random.below(4) == 0 {
        let action = try WireAction(random.action())
        do throws(Refusal) { try world.take([action], by: "writer") } catch {}
        try world.check()
      }
    }
    try world.wait(10 * Self.ttlMs)
    try world.check()
    #expect(world.expected.isEmpty)
    try world.checkReplay()
  }
}
