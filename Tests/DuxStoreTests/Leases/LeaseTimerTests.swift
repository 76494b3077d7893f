import DuxJSON
import DuxStore
import Foundation
import Testing

/// The timer of a lease as the app registers it, on a clock that a test moves.
struct LeaseTimerTests {
  private typealias LeasedNotes = Leased<NotesApp>

  private final class World: Sendable {
    let clock = TestClock()
    let store: Store<LeasedNotes.State, LeasedNotes.Action>

    init() {
      let app = LeasedNotes(NotesApp())
      let clock = clock
      let world = DependencyValues(.test).setting { values in
        values.clock = clock
        values.date = Source("date") {
          Date(timeIntervalSince1970: Double(clock.now.offset.components.seconds))
        }
      }
      store = Store(
        initialState: app.initialState, areEqual: { _, _ in false }, dependencies: world,
        commands: app.commands, recording: .on
      ) {
        app
      }
    }

    func take(_ action: LeaseAction) -> Receipt<LeasedNotes.Action> {
      store.dispatch(.lease(action), by: "ada")
    }

    var lease: Lease? { store.state.leases["a"] }
  }

  @Test func `a lease ends when its time is over, and not before`() async {
    let world = World()
    let receipt = world.take(.acquire(name: "a", ttlMs: 10_000))
    await world.clock.sleepers(2)
    await world.clock.advance(by: .seconds(9))
    #expect(world.lease?.expiresMs == 10_000)
    await world.clock.advance(by: .seconds(1))
    await receipt.finish()
    #expect(world.lease == nil)
    #expect(world.store.state.leases.lastFence == 1)
  }

  @Test func `a renewal moves the end, and the former timer is gone`() async {
    let world = World()
    let granted = world.take(.acquire(name: "a", ttlMs: 10_000))
    await world.clock.sleepers(2)
    await world.clock.advance(by: .seconds(9))
    let renewed = world.take(.renew(name: "a", fence: 1))
    await granted.finish()
    await world.clock.sleepers(2)
    await world.clock.advance(by: .seconds(9))
    #expect(world.lease?.expiresMs == 19_000)
    await world.clock.advance(by: .seconds(1))
    await renewed.finish()
    #expect(world.lease == nil)
  }

  @Test func `a release leaves no timer behind`() async {
    let world = World()
    let granted = world.take(.acquire(name: "a", ttlMs: 10_000))
    await world.clock.sleepers(2)
    _ = await world.take(.release(name: "a", fence: 1)).value
    await granted.finish()
    await world.clock.sleepers(0)
    #expect(world.lease == nil)
  }

  @Test func `a timer that somebody cancels is started again`() throws {
    var store = try HostedApp(Leased(NotesApp()), limits: .roomy, dependencies: counting())
    let timer = try #require(store.commands.first { $0.name == "@lease" })
    _ = try store.take("@lease/acquire", ["name": "a", "ttlMs": 1_000])
    let entry = CommandEntry(
      key: CommandKey("k"), name: timer.name,
      payload: ["name": "a", "fence": 1, "expiresMs": 2_000, "ttlMs": 1_000], scope: .root,
      controls: [], cause: EffectCause(step: 1, action: "@lease/acquire", author: "ada"))
    let answer = try #require(timer.failure(.cancelled, of: entry)).get()
    #expect(answer.type == "@@lease/rearm")
    let again = try store.dispatch([answer], DispatchContext(author: "ada"))
    #expect(again.patch.operations.isEmpty)
    guard
      case .scoped(.controlled(.command(let request), _, .takeLatest), ["@leases"]) =
        again.effect.node
    else {
      Issue.record("\(again.effect)")
      return
    }
    #expect(request.payload == entry.payload)
    _ = try store.take("@lease/release", ["name": "a", "fence": 1])
    #expect(try store.dispatch([answer], DispatchContext(author: "ada")).effect.isNone)
  }

  @Test func `what the daemon alone may send is refused from outside`() throws {
    for type in ["@@lease/expire", "@@lease/rearm"] {
      let action = try WireAction(["type": .string(type), "payload": ["name": "a", "fence": 1]])
      #expect(throws: Refusal.self) { try action.checkReserved() }
    }
  }
}
