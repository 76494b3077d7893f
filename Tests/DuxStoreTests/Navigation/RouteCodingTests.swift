import DuxJSON
import Testing

@testable import DuxStore

/// Stacks on disk and on the wire.
struct RouteCodingTests {
  /// Yesterday's screens of the app whose screens today are `Place`.
  private enum OldPlace: RouteScreen {
    case page(RoutePage.State)
    case map
    case gone(RoutePage.State)

    static let kinds: [ScreenKind<OldPlace>] = [
      ScreenKind("sheet", OldPlace.page), ScreenKind("map", case: .map),
      ScreenKind("gone", OldPlace.gone),
    ]

    static func page(_ number: Int) -> OldPlace { .page(RoutePage.State(number: number)) }
  }

  /// An app of a stack alone.
  private struct StackApp: App {
    struct State: Codable, Equatable, Sendable { var routes = Routes(root: Place.page(0)) }
    enum Action: Codable, Equatable, Sendable {
      case nav(NavigationAction<Place>)
      case route(id: RouteID, action: Shown)
    }
    enum Shown: Codable, Equatable, Sendable { case page(RoutePage.Action) }
    let name = "stack"
    let initialState = State()
    var body: some Reducer<State, Action> {
      EmptyReducer()
        .forEachRoute(\.routes, routes: Action.route(id:action:), nav: Action.nav) {
          EmptyReducer()
            .ifCaseLet(Place.page, named: "page", action: Shown.page) { RoutePage() }
        }
    }
  }

  private func old(_ steps: NavigationAction<OldPlace>...) throws -> JSON {
    var routes = Routes(root: OldPlace.page(0))
    try counted { for step in steps { try routes.apply(step) } }
    return try StateCoder.encode(routes)
  }

  private func hosted() throws -> HostedApp<StackApp> {
    try HostedApp(
      StackApp(), limits: StateLimits(maximumDepth: 32, maximumBytes: 1 << 20),
      dependencies: DependencyValues(.test).setting { $0.uuid = .counting() })
  }

  private func send(
    _ type: JSON, _ payload: JSON? = nil, to app: inout HostedApp<StackApp>
  ) throws -> [String] {
    var action: JSONObject = ["type": type]
    action["payload"] = payload
    let step = try app.dispatch([try WireAction(.object(action))], DispatchContext(author: "ann"))
    return step.patch.operations.map(\.path.description)
  }

  @Test func aStackIsAnObjectOfRoutesByID() throws {
    var routes = Routes(root: Place.about)
    try counted { try routes.present(.page(2), as: .cover, stack: true) }
    let id = minted(1).rawValue
    #expect(
      try StateCoder.encode(routes) == [
        "root": ["id": "root", "style": "root", "stack": true, "screen": ["kind": "about"]],
        "above": [
          "order": ["a0": .string(id)],
          "rows": [
            id: [
              "id": .string(id), "style": "cover", "stack": true,
              "screen": ["kind": "page", "state": ["number": 2, "loads": 0]],
            ]
          ],
        ],
        "revision": 1,
      ])
  }

  @Test func aPatchNamesTheRoutesItConcerns() throws {
    var app = try hosted()
    let push: JSON = ["screen": ["kind": "page", "state": ["number": 1, "loads": 0]]]
    let (first, second) = (minted(1).rawValue, minted(2).rawValue)
    #expect(
      try send("nav/push", push, to: &app) == [
        "/routes/above/order/a0", "/routes/above/rows/\(first)", "/routes/revision",
      ])
    #expect(
      try send("nav/present", ["screen": ["kind": "about"], "style": "cover"], to: &app) == [
        "/routes/above/order/a1", "/routes/above/rows/\(second)", "/routes/revision",
      ])
    #expect(
      try send("route/page/loaded", ["id": .string(first)], to: &app)
        == ["/routes/above/rows/\(first)/screen/state/loads"])
    #expect(try send("nav/dismiss", to: &app).contains("/routes/above/rows/\(second)"))
    #expect(try send("nav/goBackToRoot", ["scope": "self"], to: &app).count == 3)
    #expect(try send("nav/goBackToRoot", to: &app).isEmpty)
    #expect(app.view["routes"]?["revision"] == 4)
  }

  @Test func anOperationOnTheWireSaysWhatItMust() throws {
    var app = try hosted()
    let plans: JSON = [
      ["screen": ["kind": "about"]],
      [
        "style": "sheet", "stack": true,
        "screen": ["kind": "page", "state": ["number": 1, "loads": 0]],
      ],
      ["style": "push", "screen": ["kind": "sheet", "state": ["number": 2, "loads": 0]]],
    ]
    _ = try send("nav/set", ["routes": plans, "base": 0], to: &app)
    #expect(
      app.state.routes.all.map(\.style) == [.root(stack: true), .push, .sheet(stack: true), .push])
    #expect(app.state.routes.top.screen == .page(2))
    _ = try send("nav/goBackTo", ["to": ["kind": "about"], "base": 1], to: &app)
    #expect(app.state.routes.count == 1)
    let kept: JSON = .string(app.state.routes.top.id.rawValue)
    _ = try send("nav/set", ["routes": [["id": kept]], "root": ["kind": "about"]], to: &app)
    #expect(app.state.routes.all.map(\.screen) == [.about, .about])
  }

  @Test(
    arguments: [
      ("nav/push", ["screen": ["kind": "map"]], "/screen/kind is refused: must be one of"),
      ("nav/push", ["screen": ["kind": "page"]], "state"),
      ("nav/push", nil, "payload is missing"),
      ("nav/present", ["screen": ["kind": "about"], "style": "push"], "style"),
      (
        "nav/set", ["routes": [["style": "drop", "screen": ["kind": "about"]]]], "root, push, sheet"
      ),
      ("nav/goBackToRoot", ["scope": "world"], "scope"),
      ("nav/goBackTo", ["to": [:]], "screen"),
      ("nav/goBack", ["count": "two"], "count"),
      ("nav/fly", nil, "fly"),
    ] as [(JSON, JSON?, String)])
  func whatDoesNotFitIsRefusedNamingThePlace(type: JSON, payload: JSON?, text: String) throws {
    var app = try hosted()
    let before = app.view
    let refusal = #expect(throws: Refusal.self) { _ = try send(type, payload, to: &app) }
    #expect(refusal.map { "\($0)".contains(text) } == true, "\(String(describing: refusal))")
    #expect(app.view == before)
  }

  @Test func aStepThatCanNotBeIsARejectionWithItsReason() throws {
    var app = try hosted()
    let refusal = #expect(throws: Refusal.self) { _ = try send("nav/goBack", to: &app) }
    #expect(
      refusal.map { "\($0)".contains("the root stays: 1 to go back, 0 above the root") } == true)
  }

  @Test func aRenamedKindIsRead() throws {
    let json = try old(.push(screen: .page(1)))
    let routes = try StateCoder.decode(Routes<Place>.self, from: json)
    #expect(routes.all.map(\.screen) == [.page(0), .page(1)])
    #expect(routes.dropped.isEmpty)
    #expect(try StateCoder.encode(routes)["root"]?["screen"]?["kind"] == "page")
  }

  @Test func aRouteOfAnUnknownKindIsDroppedAndTheRestIsKept() throws {
    let json = try old(
      .push(screen: .page(1)), .push(screen: .map), .push(screen: .page(3)),
      .present(screen: .gone(RoutePage.State(number: 1)), stack: true), .push(screen: .page(5)))
    let routes = try StateCoder.decode(Routes<Place>.self, from: json)
    #expect(routes.all.map(\.screen) == [.page(0), .page(1), .page(3), .page(5)])
    #expect(routes.dropped.map(\.kind) == ["map", "gone"])
    #expect(routes.dropped.map(\.id) == [minted(2), minted(4)])
    #expect(routes.dropped.first?.problem == "the app knows no screen of the kind \"map\"")
    #expect(routes.revision == 6)
    let again = try StateCoder.decode(Routes<Place>.self, from: StateCoder.encode(routes))
    #expect(again == routes)
  }

  @Test func whatLayOnADroppedRouteGoesWithItWhereItCanNotStay() throws {
    var routes = Routes(root: OldPlace.page(0), stack: false)
    try counted {
      try routes.present(.map, stack: true)
      try routes.push(.page(1))
      try routes.present(.page(2), stack: true)
      try routes.push(.page(3))
    }
    let read = try StateCoder.decode(Routes<Place>.self, from: StateCoder.encode(routes))
    #expect(read.all.map(\.screen) == [.page(0), .page(2), .page(3)])
    #expect(read.dropped.map(\.id) == [minted(1), minted(2)])
    #expect(read.dropped.last?.problem == "it was pushed, and what it lies on has no stack")
  }

  @Test func whatWasDroppedIsInTheStateOfTheDaemonUntilSomebodyHasSeenIt() throws {
    var app = try hosted()
    let found: JSON = ["routes": try old(.push(screen: .map), .push(screen: .page(1)))]
    let change = try app.restore(view: found, version: 1)
    #expect(change.operations.contains { $0.path.description == "/routes/dropped" })
    #expect(app.view.value(at: try JSONPointer("/routes/dropped/0/kind")) == "map")
    #expect(app.state.routes.all.map(\.screen) == [.page(0), .page(1)])
    #expect(try send("nav/forgetDropped", to: &app) == ["/routes/dropped"])
    #expect(app.state.routes.dropped.isEmpty)
  }

  @Test func onlyTheLatestThatWereDroppedAreRemembered() throws {
    var routes = Routes(root: OldPlace.page(0))
    try DependencyValues.$current.withValue(DependencyValues(.live)) {
      for _ in 0..<40 { try routes.push(.map) }
    }
    let read = try StateCoder.decode(Routes<Place>.self, from: StateCoder.encode(routes))
    #expect(read.dropped.count == 32)
    #expect(read.dropped.last?.id == routes.top.id)
    #expect(read.isAtRoot)
  }

  @Test func aRootOfAnUnknownKindBecomesTheHomeOfTheApp() throws {
    let json = try StateCoder.encode(Routes(root: OldPlace.map))
    #expect(throws: CodingFailure.self) { try StateCoder.decode(Routes<Place>.self, from: json) }
    let read = try StateCoder.decode(Routes<Stop>.self, from: json)
    #expect(read.root.screen == Stop.home)
    #expect(read.root.id != .root)
    #expect(read.dropped.map(\.kind) == ["map"])
    #expect(try StateCoder.decode(Routes<Stop>.self, from: json) == read)
  }

  @Test func aStackThatIsNoneIsRefusedNamingThePlace() throws {
    let good = try StateCoder.encode(Routes(root: Place.page(0)))
    for (path, value) in [
      ("/root", nil), ("/root/style", "push"), ("/root/screen/state/number", "x"),
      ("/revision", 1.5), ("/above", []), ("/above/order/a0", "x"),
    ] as [(String, JSON?)] {
      var json = good
      let pointer = try JSONPointer(path)
      let operation = value.map { JSONPatchOperation.add(path: pointer, value: $0) }
      try JSONPatch(operations: [operation ?? .remove(path: pointer)]).apply(to: &json)
      #expect(throws: CodingFailure.self, "\(path)") {
        try StateCoder.decode(Routes<Place>.self, from: json)
      }
    }
  }

  @Test func aScreenThatIsNotListedHasNoJSON() throws {
    enum Partial: RouteScreen {
      case a, b
      static let kinds: [ScreenKind<Partial>] = [ScreenKind("a", case: .a)]
    }
    #expect(Partial.b.kind == nil)
    let failure = #expect(throws: CodingFailure.self) {
      try StateCoder.encode(Routes(root: Partial.b))
    }
    #expect(failure?.path == "/root/screen")
  }
}
