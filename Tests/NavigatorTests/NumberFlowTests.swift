import DuxStore
import DuxTesting
import Testing

@testable import Navigator

/// The stack of numbers, and what lives as long as its screens.
struct NumberFlowTests {
  /// Opens the numbers, and picks one.
  private func opened(clock: TestClock = TestClock()) async -> HomeStore {
    let store = homeStore(clock: clock)
    await store.send(.route(id: .root, action: .menu(.numbers))) {
      try $0.routes.present(.numbers(NumberFlow.State()), as: .cover, id: minted(1))
    }
    await store.send(.pick(minted(1), 4)) { state in
      try change(&state) { try $0.push(.detail(NumberDetail.State(number: 4)), id: minted(2)) }
    }
    return store
  }

  private func change(
    _ state: inout Home.State, _ body: (inout Routes<NumberScreen>) throws -> Void
  ) throws {
    try state.routes.update(minted(1)) { screen in
      guard case .numbers(var flow) = screen else { return }
      try body(&flow.routes)
      screen = .numbers(flow)
    }
  }

  private func number(_ id: RouteID, _ action: NumberDetail.Action) -> Home.Action {
    .number(minted(1), id, action)
  }

  @Test func aScreenSaysWhatWasTappedAndTheFlowShowsIt() async throws {
    let store = await opened()
    #expect(store.state.way == ["menu", "list", "4"])
    await store.send(number(minted(2), .increment)) { state in
      try change(&state) { $0.update(minted(2)) { $0 = .detail(NumberDetail.State(number: 5)) } }
    }
    await store.send(number(minted(2), .showDouble)) { state in
      try change(&state) {
        try $0.present(.detail(NumberDetail.State(number: 10)), stack: true, id: minted(3))
      }
    }
    #expect(store.state.way == ["menu", "list", "5", "10"])
    await store.finish()
  }

  @Test func aRandomNumberComesFromADependency() async {
    let store = await opened()
    await store.withExhaustivity(.partial) {
      await store.send(.numbers(minted(1), .route(id: .root, action: .list(.random))))
      await store.send(number(minted(3), .showRandom))
    }
    let again = await opened()
    await again.withExhaustivity(.partial) {
      await again.send(.numbers(minted(1), .route(id: .root, action: .list(.random))))
      await again.send(number(minted(3), .showRandom))
    }
    #expect(store.state == again.state)
    #expect(store.state.way.count == 5)
    await store.finish()
    await again.finish()
  }

  @Test func thereAreManyWaysBack() async {
    let store = await opened()
    store.exhaustivity = .partial
    await store.send(number(minted(2), .showDouble))
    await store.send(number(minted(3), .showDouble))
    #expect(store.state.way == ["menu", "list", "4", "8", "16"])
    await store.send(number(minted(4), .goBackTo(number: 4)))
    #expect(store.state.way == ["menu", "list", "4"])
    await store.send(number(minted(2), .goBackTo(number: 9)), rejected: "nav_no_such_route")
    await store.send(number(minted(2), .showDouble))
    await store.send(number(minted(5), .goBack))
    #expect(store.state.way == ["menu", "list", "4"])
    await store.send(number(minted(2), .showDouble))
    await store.send(number(minted(6), .goBackToList))
    #expect(store.state.way == ["menu", "list"])
    await store.send(number(minted(6), .goBackToRoot), rejected: "target_gone")
    await store.finish()
  }

  @Test func aNumberIsCountedUpLater() async {
    let clock = TestClock()
    let store = await opened(clock: clock)
    await store.send(number(minted(2), .incrementLater))
    await clock.advance(by: .seconds(1))
    await store.receive(number(minted(2), .increment)) { state in
      try change(&state) { $0.update(minted(2)) { $0 = .detail(NumberDetail.State(number: 5)) } }
    }
    await store.finish()
  }

  @Test func whatAScreenBeganEndsWhenItIsRemoved() async {
    let clock = TestClock()
    let store = await opened(clock: clock)
    await store.send(number(minted(2), .incrementLater))
    await store.send(.back()) { state in try change(&state) { try $0.goBack() } }
    await clock.advance(by: .seconds(5))
    await store.finish()
  }

  @Test(
    arguments: [
      .nav(.goBackToRoot()), .nav(.dismiss()), .nav(.dismissAll()), .nav(.set(routes: [])),
      .nav(.replace(id: minted(1), screen: .menu)), .open(link: ""), .open(link: "signUp"),
      .numbers(minted(1), .nav(.goBackToRoot(scope: .app))),
      .numbers(minted(1), .nav(.popToStackRoot())), .numbers(minted(1), .nav(.pop())),
      .numbers(minted(1), .nav(.set(routes: [.push(.detail(NumberDetail.State(number: 4)))]))),
      .numbers(minted(1), .nav(.replace(id: minted(2), screen: .list))),
    ] as [Home.Action])
  func whateverRemovesItsScreenEndsAnEffectInTheSameStep(action: Home.Action) async {
    let clock = TestClock()
    let store = await opened(clock: clock)
    await store.send(number(minted(2), .incrementLater))
    await store.withExhaustivity(.partial) { await store.send(action) }
    await clock.advance(by: .seconds(5))
    await store.send(number(minted(2), .increment), rejected: "target_gone")
    #expect(await store.lateActions == 0)
    await store.finish()
  }

  @Test func anActionReachesTheScreenItIsForAndNoOther() async {
    let store = await opened()
    let list = Home.Action.numbers(minted(1), .route(id: minted(2), action: .list(.picked(1))))
    await store.send(list, rejected: "target_gone")
    await store.send(.route(id: minted(1), action: .menu(.numbers)), rejected: "target_gone")
    await store.send(number(.root, .increment), rejected: "target_gone")
    await store.finish()
  }

  @Test func numbersHaveAnEnd() async {
    let store = homeStore()
    await store.withExhaustivity(.partial) {
      await store.send(.open(link: "numbers/\(Int.max)"))
    }
    let flow = store.state.routes.top.id
    guard let inner = store.state.trail.last?.inner else { return }
    await store.send(.number(flow, inner, .increment), rejected: "overflow")
    await store.send(.number(flow, inner, .showDouble), rejected: "overflow")
    await store.finish()
  }
}
