import DuxJSON
import Testing

@testable import DuxStore

/// Screens with reducers, and who owns what they begin.
struct ForEachRouteTests {
  private typealias Plan = RoutePlan<Place>

  private func places(_ plans: [Plan] = []) throws -> Stepper<Places> {
    var state = Places.State()
    try counted { try state.routes.set(plans) }
    return Stepper(Places(), state)
  }

  private func tour(_ plans: [RoutePlan<Stop>]) throws -> Place {
    var state = Tour.State()
    try DependencyValues.$current.withValue(DependencyValues(.live)) {
      try state.routes.set(plans)
    }
    return .tour(state)
  }

  @Test func anActionGoesToTheScreenOfItsRoute() throws {
    var store = try places([.push(.page(1)), .push(.page(1))])
    try store.send(.route(id: minted(1), action: .page(.loaded)))
    #expect(
      store.state.routes[id: minted(1)]?.screen == .page(RoutePage.State(number: 1, loads: 1)))
    #expect(store.state.routes[id: minted(2)]?.screen == .page(1))
    try store.send(.route(id: .root, action: .page(.loaded)))
    #expect(store.state.routes.root.screen == .page(RoutePage.State(number: 0, loads: 1)))
  }

  @Test func theScreenRunsBeforeTheReducerAroundItAndSoDoesAnOperation() throws {
    var store = try places([.push(.page(1))])
    try store.send(.route(id: minted(1), action: .page(.loaded)))
    try store.send(.nav(.goBack()))
    #expect(store.state.seen == ["\(minted(1)): page", "nav: 0"])
  }

  @Test func anActionForARouteThatIsGoneIsRejectedByItsID() throws {
    var store = try places([.push(.page(1))])
    try store.send(.nav(.goBack()))
    let refusal = store.refusal(of: .route(id: minted(1), action: .page(.loaded)))
    #expect(refusal?.reason == "target_gone")
    #expect(refusal?.message == "routes has no route with the id \"\(minted(1))\"")
  }

  @Test func anActionForAnotherKindOfScreenIsRejected() throws {
    var store = try places([.push(.about)])
    #expect(store.refusal(of: .route(id: minted(1), action: .page(.load)))?.reason == "target_gone")
  }

  @Test func aScreenThatThrowsLeavesNoTrace() throws {
    var store = try places([.push(.page(1))])
    #expect(store.refusal(of: .route(id: minted(1), action: .page(.fail)))?.reason == "no")
  }

  @Test func theReducerAroundMayRefuseAnOperation() throws {
    let store = Store(
      initialState: Places.State(),
      dependencies: DependencyValues(.test).setting { $0.uuid = .counting() }
    ) { Places() }
    let receipt = store.dispatch(.nav(.push(screen: .about)))
    #expect(receipt.result?.rejection?.reason == "no_about")
    #expect(store.state == Places.State())
  }

  @Test func effectsBelongToTheRouteAndTheKindOfItsScreen() throws {
    var store = try places([.push(.page(7))])
    try store.send(.route(id: minted(1), action: .page(.load)))
    #expect(
      described(store.effect).first?.hasPrefix("routes/\(minted(1))/page: load 7 =") == true)
    try store.send(.begin)
    #expect(described(store.effect).first?.hasPrefix(": own") == true)
    try store.send(.route(id: minted(1), action: .page(.loadForever)))
    #expect(described(store.effect).first?.hasPrefix(": load 7") == true)
  }

  @Test(
    arguments: [
      (.goBack(), [3]), (.goBack(count: 2), [3, 2]), (.goBackTo(to: .id(minted(1))), [3, 2]),
      (.goBackToRoot(), [3, 2, 1]), (.dismiss(), [3, 2]), (.dismissAll(), [3, 2]), (.pop(), [3]),
      (.popToStackRoot(), [3]), (.popTo(to: .id(minted(2))), [3]),
      (.set(routes: []), [3, 2, 1]), (.set(routes: [.keep(minted(1))]), [3, 2]),
      (.replace(id: minted(2), screen: .page(2)), [2]),
    ] as [(NavigationAction<Place>, [Int])])
  func whateverMakesARouteGoItsEffectsGoInTheSameStep(
    step: NavigationAction<Place>, gone: [Int]
  ) throws {
    var store = try places([.push(.page(1)), .present(.page(2), stack: true), .push(.page(3))])
    try store.send(.nav(step))
    #expect(store.departed == gone.map { "routes/\(minted($0))" })
  }

  @Test func aStackSetAnewTakesTheEffectsOfAllItsFormerRoutesAlong() throws {
    let store = try places([.push(.page(1)), .push(.page(2))])
    var next = store.state
    let effect = try DependencyValues.$current.withValue(DependencyValues(.live)) {
      try Places().reduce(
        into: &next, action: .nav(.set(routes: [.push(.page(1))], root: .page(0))))
    }
    #expect(effect.isNone)
    #expect(
      Places().departures(from: store.state, to: next).map(\.description)
        == ["routes/\(minted(2))", "routes/\(minted(1))", "routes/root"])
  }

  @Test func aScreenThatChangesKeepsItsEffectsAndAReplacedOneDoesNot() throws {
    var store = try places([.push(.page(1))])
    try store.send(.route(id: minted(1), action: .page(.loaded)))
    #expect(store.departed.isEmpty)
    try store.send(.nav(.replace(id: minted(1), screen: .page(1))))
    #expect(store.departed == ["routes/\(minted(1))"])
    try store.send(.nav(.replace(id: .root, screen: .about)))
    #expect(store.departed == ["routes/root"])
  }

  @Test func anEffectWhoseActionAlsoClosedItsRouteNeverBegins() throws {
    let store = Store(initialState: try places([.push(.page(1))]).state) { Places() }
    let receipt = store.dispatch(.route(id: minted(1), action: .page(.loadAndClose)))
    #expect(receipt.result?.rejection == nil)
    #expect(store.state.routes.isAtRoot)
    #expect(store.state.routes.root.screen == .page(0))
    #expect(store.state.seen.isEmpty)
  }

  @Test func aDetachedEffectGoesOnAndFindsNobody() throws {
    var store = try places([.push(.page(1))])
    try store.send(.route(id: minted(1), action: .page(.loadForever)))
    #expect(described(store.effect).first?.hasPrefix(": load 1") == true)
    try store.send(.nav(.goBack()))
    #expect(
      store.refusal(of: .route(id: minted(1), action: .page(.loaded)))?.reason == "target_gone")
  }

  @Test func twoStacksOfOneKindHaveEffectsOfTheirOwn() throws {
    let inner = try tour([.push(.stop(RoutePage.State(number: 5)))])
    var store = try places([.push(inner), .push(inner)])
    let stop = try #require(inner.tourRoutes?.top.id)
    let load = Places.PlaceAction.tour(.route(id: stop, action: .stop(.load)))
    try store.send(.route(id: minted(1), action: load))
    let scope = { (outer: Int) in "routes/\(minted(outer))/tour/routes/\(stop)/stop: load 5" }
    #expect(described(store.effect).first?.hasPrefix(scope(1)) == true)
    try store.send(.route(id: minted(2), action: load))
    #expect(described(store.effect).first?.hasPrefix(scope(2)) == true)
    try store.send(.route(id: minted(1), action: .tour(.nav(.goBack()))))
    #expect(store.departed == ["routes/\(minted(1))/tour/routes/\(stop)"])
    try store.send(.nav(.goBack()))
    #expect(store.departed == ["routes/\(minted(2))"])
  }

  @Test func anInnerStackHasARootOfItsOwn() throws {
    var store = try places([
      .push(try tour([.push(.stop(RoutePage.State(number: 5)))])), .push(.about),
    ])
    try store.send(.route(id: minted(1), action: .tour(.nav(.goBackToRoot()))))
    #expect(store.state.routes.count == 2)
    #expect(store.state.routes[id: minted(1)]?.screen.tourRoutes?.isAtRoot == true)
    let inner = Places.Action.route(id: minted(1), action: .tour(.nav(.goBack())))
    #expect(store.refusal(of: inner)?.reason == "nav_at_root")
  }

  @Test func theRootOfTheAppIsReachedFromWithin() throws {
    let stop = RoutePlan.push(Stop.tour(InnerTour.State()))
    var store = try places([.push(try tour([stop])), .push(.about)])
    let inner = try #require(store.state.routes[id: minted(1)]?.screen.tourRoutes?.top.id)
    let nav = NavigationAction<InnerTour.Leaf>.goBackToRoot(scope: .app)
    try store.send(
      .route(id: minted(1), action: .tour(.route(id: inner, action: .tour(.nav(nav))))))
    #expect(store.state.routes.isAtRoot)
    #expect(store.departed == ["routes/\(minted(2))", "routes/\(minted(1))"])
    try store.send(.nav(.goBackToRoot(scope: .app)))
    #expect(store.departed.isEmpty)
  }

  @Test func theRootOfTheAppIsAskedForByOneStepOnly() throws {
    var store = try places([.push(try tour([]))])
    try store.send(.route(id: minted(1), action: .tour(.nav(.goBackToRoot(scope: .`self`)))))
    #expect(store.state.routes.count == 1)
    try store.send(.route(id: minted(1), action: .tour(.nav(.goBackToRoot(scope: .app)))))
    #expect(store.state.routes.isAtRoot)
  }

  @Test func theSlicesAreNamed() {
    let outline = ReducerOutline(of: Places())
    #expect(outline.faults.isEmpty)
    #expect(
      outline.slices.map(\.description) == [
        "routes", "routes/page", "routes/tour", "routes/tour/routes", "routes/tour/routes/stop",
        "routes/tour/routes/tour", "routes/tour/routes/tour/routes",
      ])
  }
}

extension Place {
  fileprivate var tourRoutes: Routes<Stop>? {
    if case .tour(let state) = self { state.routes } else { nil }
  }
}
