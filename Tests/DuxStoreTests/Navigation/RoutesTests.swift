import DuxJSON
import Testing

@testable import DuxStore

/// What may be asked of a stack, and what is refused.
struct RoutesTests {
  private typealias Stack = Routes<Place>

  /// Makes a stack by steps, with ids that count up.
  private func stack(_ steps: NavigationAction<Place>...) throws -> Stack {
    var routes = Stack(root: .page(0))
    try counted { for step in steps { try routes.apply(step) } }
    return routes
  }

  private func reason(_ routes: inout Stack, _ step: NavigationAction<Place>) -> String {
    DuxStoreTests.reason(&routes) { routes in
      try DependencyValues.$current.withValue(DependencyValues(.live)) { try routes.apply(step) }
    }
  }

  private func ids(_ routes: Stack) -> [RouteID] { routes.all.map(\.id) }

  private let push = NavigationAction<Place>.push(screen: .page(1))
  private let sheet = NavigationAction<Place>.present(screen: .page(2))
  private let stackedSheet = NavigationAction<Place>.present(screen: .page(3), stack: true)
  private let cover = NavigationAction<Place>.present(screen: .page(4), style: .cover, stack: true)

  @Test func aRouteHasAnIDAStyleAndAScreen() throws {
    let routes = try stack(push, cover)
    #expect(routes.all.map(\.style) == [.root(stack: true), .push, .cover(stack: true)])
    #expect(ids(routes) == [.root, minted(1), minted(2)])
    #expect(routes.top.screen == .page(4))
    #expect(routes.all.map(\.style.isPresented) == [false, false, true])
    #expect(routes[id: minted(1)]?.screen == .page(1))
    #expect(routes[id: "x"] == nil)
    #expect(routes.topLayer.map(\.id) == [minted(2)])
  }

  @Test func theSameScreenMayStandThereTwice() throws {
    let routes = try stack(push, push)
    #expect(routes.all.map(\.screen) == [.page(0), .page(1), .page(1)])
    #expect(Set(ids(routes)).count == 3)
  }

  @Test func pushingNeedsAStackInTheTopmostLayer() throws {
    var routes = try stack(push, sheet)
    #expect(!routes.canPush)
    #expect(reason(&routes, push) == "nav_cannot_push")
    #expect(reason(&routes, stackedSheet) == "taken")
    #expect(routes.canPush)
    var bare = Stack(root: .about, stack: false)
    #expect(reason(&bare, push) == "nav_cannot_push")
    #expect(try stack(cover, push, push).count == 3)
  }

  @Test func presentingIsAlwaysPossible() throws {
    let routes = try stack(sheet, sheet, cover)
    #expect(
      routes.all.dropFirst().map(\.style) == [
        .sheet(stack: false), .sheet(stack: false), .cover(stack: true),
      ])
    #expect(routes.presentedCount == 3)
  }

  @Test func goingBackNeverRemovesTheRoot() throws {
    var routes = try stack(push, sheet)
    #expect(reason(&routes, .goBack(count: 3)) == "nav_at_root")
    #expect(routes.canGoBack(2) && !routes.canGoBack(3) && !routes.canGoBack(0))
    #expect(reason(&routes, .goBack(count: 0)) == "nav_bad_count")
    #expect(reason(&routes, .goBack(count: -1)) == "nav_bad_count")
    #expect(reason(&routes, .goBack(count: .min)) == "nav_bad_count")
    #expect(reason(&routes, .goBack(count: .max)) == "nav_at_root")
    #expect(reason(&routes, .goBack(count: 2)) == "taken")
    #expect(routes.isAtRoot && !routes.canGoBack())
    #expect(reason(&routes, .goBack()) == "nav_at_root")
    #expect(ids(routes) == [.root])
  }

  @Test func goingBackToARouteTakesAwayWhatLiesAboveIt() throws {
    var routes = try stack(push, sheet, stackedSheet, push)
    #expect(reason(&routes, .goBackTo(to: .id(minted(2)))) == "taken")
    #expect(ids(routes) == [.root, minted(1), minted(2)])
    #expect(reason(&routes, .goBackTo(to: .id(minted(4)))) == "nav_no_such_route")
    #expect(reason(&routes, .goBackTo(to: .id("5"))) == "nav_no_such_route")
    #expect(reason(&routes, .goBackTo(to: .id(.root))) == "taken")
    #expect(ids(routes) == [.root])
  }

  @Test func ofSeveralThatAreMeantTheTopmostWins() throws {
    var routes = try stack(push, push, stackedSheet, push, sheet)
    #expect(reason(&routes, .goBackTo(to: .screen(.page(1)))) == "taken")
    #expect(routes.top.id == minted(4))
    #expect(reason(&routes, .goBackTo(to: .screen(.page(0)))) == "taken")
    #expect(routes.isAtRoot)
    routes = try stack(push, cover)
    let taken = DuxStoreTests.reason(&routes) { try $0.goBack(toRouteWhere: { $0.style == .push }) }
    #expect(taken == "taken")
    #expect(routes.top.id == minted(1))
  }

  @Test func aMatchIsAckedAndNoneIsRefused() throws {
    var routes = try stack(push, cover)
    let before = routes
    #expect(reason(&routes, .goBackTo(to: .kind("page"))) == "taken")
    #expect(routes == before)
    #expect(reason(&routes, .goBackTo(to: .kind("about"))) == "nav_no_such_route")
    #expect(reason(&routes, .goBackTo(to: .kind("sheet"))) == "taken")
    #expect(reason(&routes, .goBackTo(to: .screen(.about))) == "nav_no_such_route")
    #expect(reason(&routes, .popTo(to: .kind("about"))) == "nav_no_such_route")
    #expect(routes == before)
  }

  @Test func goingBackToTheRootIsIdempotentAndCrossesLayers() throws {
    var routes = try stack(push, sheet, cover, push)
    #expect(reason(&routes, .goBackToRoot()) == "taken")
    #expect(ids(routes) == [.root])
    let revision = routes.revision
    #expect(reason(&routes, .goBackToRoot()) == "taken")
    #expect(routes.revision == revision)
  }

  @Test func onlyWhatWasPushedIsPopped() throws {
    var routes = try stack(push, stackedSheet, push, push)
    #expect(reason(&routes, .pop(count: 3)) == "nav_not_pushed")
    #expect(reason(&routes, .pop(count: 5)) == "nav_at_root")
    #expect(reason(&routes, .pop(count: 0)) == "nav_bad_count")
    #expect(reason(&routes, .pop(count: 2)) == "taken")
    #expect(routes.top.id == minted(2))
    #expect(reason(&routes, .pop()) == "nav_not_pushed")
  }

  @Test func poppingToARouteOrTheRootIsRefusedAcrossAModal() throws {
    var routes = try stack(push, stackedSheet, push, push)
    #expect(reason(&routes, .popTo(to: .id(minted(1)))) == "nav_not_pushed")
    #expect(reason(&routes, .popToRoot()) == "nav_not_pushed")
    #expect(reason(&routes, .popTo(to: .id(minted(3)))) == "taken")
    #expect(routes.count == 3)
    #expect(reason(&routes, .popTo(to: .id(minted(2)))) == "taken")
    #expect(routes.count == 2)
    routes = try stack(push, push)
    #expect(reason(&routes, .popToRoot()) == "taken")
    #expect(reason(&routes, .popToRoot()) == "taken")
    #expect(routes.isAtRoot)
  }

  @Test func poppingToTheRootOfTheStackNeverDismissesIt() throws {
    var routes = try stack(push, stackedSheet, push, push)
    #expect(reason(&routes, .popToStackRoot()) == "taken")
    #expect(ids(routes) == [.root, minted(1), minted(2)])
    let before = routes
    #expect(reason(&routes, .popToStackRoot()) == "taken")
    #expect(routes == before)
    routes = try stack(push, push)
    #expect(reason(&routes, .popToStackRoot()) == "taken")
    #expect(routes.isAtRoot)
  }

  @Test func dismissingTakesLayersAwayWithWhatWasPushedInThem() throws {
    var routes = try stack(push, stackedSheet, push, cover, push)
    #expect(reason(&routes, .dismiss(count: 3)) == "nav_nothing_presented")
    #expect(reason(&routes, .dismiss(count: 0)) == "nav_bad_count")
    #expect(reason(&routes, .dismiss()) == "taken")
    #expect(routes.top.id == minted(3))
    #expect(reason(&routes, .dismiss()) == "taken")
    #expect(routes.top.id == minted(1))
    #expect(reason(&routes, .dismiss()) == "nav_nothing_presented")
    #expect(routes.count == 1)
    #expect(try stack(push, sheet, sheet).count == 3)
    routes = try stack(push, sheet, sheet)
    #expect(reason(&routes, .dismiss(count: 2)) == "taken")
    #expect(routes.top.id == minted(1))
  }

  @Test func dismissingAllKeepsWhatWasPushedBelow() throws {
    var routes = try stack(push, push, sheet, cover, push)
    #expect(reason(&routes, .dismissAll()) == "taken")
    #expect(ids(routes) == [.root, minted(1), minted(2)])
    let before = routes
    #expect(reason(&routes, .dismissAll()) == "taken")
    #expect(routes == before)
    var bare = Stack(root: .about, stack: false)
    #expect(reason(&bare, .dismissAll()) == "taken")
  }

  @Test func aLinkSetsTheWholeStackInOneStep() throws {
    var routes = try stack(push, sheet)
    let plans: [RoutePlan<Place>] = [
      .keep(minted(1)), .present(.page(7), as: .cover, stack: true), .push(.page(8)),
    ]
    let revision = routes.revision
    try DependencyValues.$current.withValue(DependencyValues(.live)) { try routes.set(plans) }
    #expect(routes.all.map(\.screen) == [.page(0), .page(1), .page(7), .page(8)])
    #expect(routes.revision == revision + 1)
    #expect(Set(ids(routes)).isDisjoint(with: [minted(2)]))
    #expect(routes.all[1].id == minted(1))
  }

  @Test func aLinkIsLegalOrRefusedAsAWhole() throws {
    var routes = try stack(push, sheet)
    let bad: [([RoutePlan<Place>], String)] = [
      ([.present(.page(7)), .push(.page(8))], "nav_cannot_push"),
      ([.push(.page(7)), .keep("x")], "nav_no_such_route"),
      ([.keep(minted(1)), .keep(minted(1))], "nav_duplicate_route"),
      ([RoutePlan(id: nil, style: .push, screen: nil)], "nav_bad_route"),
      ([RoutePlan(id: nil, style: .root(stack: true), screen: .about)], "nav_bad_route"),
      ([.keep(.root)], "nav_no_such_route"),
      (Array(repeating: .push(.about), count: 1_001), "nav_too_deep"),
    ]
    for (plans, expected) in bad { #expect(reason(&routes, .set(routes: plans)) == expected) }
    let before = routes
    #expect(reason(&routes, .set(routes: [.keep(minted(1)), .keep(minted(2))])) == "taken")
    #expect(routes == before)
  }

  @Test func aLinkMaySetAnotherRoot() throws {
    var routes = try stack(push)
    #expect(reason(&routes, .set(routes: [], root: .page(9))) == "taken")
    #expect(routes.root.screen == .page(9))
    #expect(routes.root.id != .root)
    #expect(routes.root.style == .root(stack: true))
    #expect(routes.isAtRoot)
  }

  @Test func aScreenIsReplacedInItsPlace() throws {
    var routes = try stack(push, sheet)
    #expect(reason(&routes, .replace(id: minted(1), screen: .about)) == "taken")
    #expect(ids(routes) == [.root, minted(1), minted(2)])
    #expect(routes.all.map(\.screen) == [.page(0), .about, .page(2)])
    #expect(routes[id: minted(1)]?.edition == 1)
    #expect(reason(&routes, .replace(id: .root, screen: .about)) == "taken")
    #expect(routes.root.screen == .about)
    #expect(reason(&routes, .replace(id: "x", screen: .about)) == "nav_no_such_route")
  }

  @Test func anOperationMayNameTheRevisionItWasMadeOn() throws {
    var routes = try stack(push)
    #expect(routes.revision == 1)
    #expect(reason(&routes, .push(screen: .page(2), base: 0)) == "nav_conflict")
    #expect(reason(&routes, .goBack(base: 1)) == "taken")
    #expect(reason(&routes, .goBack(base: 1)) == "nav_conflict")
    for step: NavigationAction<Place> in [
      .present(screen: .about, base: 9), .goBackTo(to: .id(.root), base: 9), .goBackToRoot(base: 9),
      .pop(base: 9), .popTo(to: .id(.root), base: 9), .popToRoot(base: 9), .popToStackRoot(base: 9),
      .dismiss(base: 9), .dismissAll(base: 9), .set(routes: [], base: 9),
      .replace(id: .root, screen: .about, base: 9),
    ] {
      #expect(reason(&routes, step) == "nav_conflict")
    }
    #expect(reason(&routes, .push(screen: .page(2), base: 2)) == "taken")
  }

  @Test func whatHappensWithinAScreenIsNoNewRevision() throws {
    var routes = try stack(push)
    routes.update(minted(1)) { $0 = .page(5) }
    #expect(routes.revision == 1)
    #expect(routes.top.screen == .page(5))
    #expect(routes.top.edition == 0)
    #expect(routes.update("x") { $0 = .about } == nil)
  }

  @Test func aStackHasALimit() throws {
    var routes = Stack(root: .about)
    try DependencyValues.$current.withValue(DependencyValues(.live)) {
      for _ in 0..<1_000 { try routes.push(.about) }
      #expect(throws: NavigationError.tooDeep(limit: 1_000)) { try routes.push(.about) }
    }
    #expect(routes.count == 1_000)
  }

  @Test func anIDIsNeverTakenTwice() throws {
    var routes = try stack(push)
    #expect(throws: NavigationError.duplicateRoute(minted(1))) {
      try counted { try routes.push(.about) }
    }
    #expect(routes.count == 1)
  }
}
