import DuxJSON
import DuxLog
import DuxStore
import Testing

@testable import DuxEngine

/// What a group keeps of its steps beside their entries.
struct GroupTests {
  /// An app whose states can be told from one another by what they hold.
  private struct Relay: App {
    final class Baton: Sendable {
      let count: Int64

      init(_ count: Int64) { self.count = count }
    }

    typealias State = Baton

    struct Pass: Sendable {}

    let name = "relay"
    let initialState = Baton(0)

    func action(from wire: WireAction) -> Pass { Pass() }

    func wireAction(of action: Pass) -> WireAction { WireAction(type: "pass", payload: nil) }

    func view(of state: Baton) -> JSON { ["count": .integer(state.count)] }

    func state(fromView view: JSON) -> Baton { Baton(view["count"]?.integerValue ?? 0) }

    func reduce(into state: inout Baton, action: Pass) -> Effect<Pass> {
      state = Baton(state.count + 1)
      return .none
    }
  }

  @Test func `of the states between its steps none is kept`() throws {
    var store: any HostedStore = try HostedApp(
      Relay(), limits: StateLimits(maximumDepth: 10, maximumBytes: 1_000))
    let group = Group(number: 1)
    var batons: [() -> Relay.Baton?] = []
    for seq in Int64(1)...5 {
      let step = try store.dispatch(
        WireAction(type: "pass", payload: nil), DispatchContext(author: "ada"))
      group.append(
        LogEntry(
          seq: SequenceNumber(seq), time: 0, client: "ada", n: nil, actions: [], patch: []),
        .init(types: .one("pass"), patch: step.patch), undo: step.undo)
      let baton = store.anyState as? Relay.Baton
      batons.append { [weak baton] in baton }
    }
    #expect(batons.map { $0()?.count } == [nil, nil, nil, nil, 5])
    group.undo(in: &store)
    #expect(store.view == ["count": 0])
  }
}
