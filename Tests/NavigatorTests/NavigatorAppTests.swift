import DuxJSON
import DuxStore
import DuxTesting
import Testing

@testable import Navigator

/// Homes of several clients, links, and the app as the daemon serves it.
struct NavigatorAppTests {
  private let store = Store(
    app: NavigatorApp(),
    dependencies: DependencyValues(.test).setting {
      $0.uuid = .counting()
      $0.random = .seeded(1)
      $0.clock = TestClock()
    })

  @discardableResult
  private func send(_ step: NavigatorsAction<Home.Action>, by author: String) -> String {
    store.dispatch(.navigators(step), by: author).result?.rejection?.reason ?? "taken"
  }

  private func way(_ client: String) -> [String] { store.state.home(seenBy: client).way }

  @Test(arguments: [
    ("", ["menu"]), ("numbers", ["list"]), ("numbers/2/4/8", ["list", "2", "4", "8"]),
    ("numbers/-1", ["list", "-1"]), ("signUp", ["name"]),
    ("signUp/job", ["name", "dateOfBirth", "job"]), ("/numbers//7/", ["list", "7"]),
  ])
  func aLinkLeadsIntoTheDepthInOneStep(link: String, way: [String]) {
    send(.here(.open(link: "numbers/99")), by: "ann")
    let seq = store.snapshot.seq
    #expect(send(.here(.open(link: link)), by: "ann") == "taken")
    #expect(Array(self.way("ann").drop { $0 == "menu" && way != ["menu"] }) == way)
    #expect(store.snapshot.seq == seq + 1)
  }

  @Test(arguments: [
    "x", "numbers/x", "numbers/1.5", "signUp/x", "signUp/job/x", "numbers/9999999999999999999",
  ])
  func aBadLinkLeadsNowhere(link: String) {
    send(.here(.open(link: "numbers/2")), by: "ann")
    let before = store.state
    #expect(send(.here(.open(link: link)), by: "ann") == "bad_link")
    #expect(store.state == before)
  }

  @Test func backLeadsThroughAllStacksToTheMenuAndNoFurther() {
    send(.here(.open(link: "numbers/2/4")), by: "ann")
    for left in [["menu", "list", "2"], ["menu", "list"], ["menu"]] {
      #expect(send(.here(.back()), by: "ann") == "taken")
      #expect(way("ann") == left)
    }
    #expect(send(.here(.back()), by: "ann") == "nav_at_root")
  }

  @Test func theKeyOfSomebodyWhoSawAnotherScreenIsRefused() throws {
    for name in ["ann", "ben"] { send(.follow(.shared("tour")), by: name) }
    send(.here(.open(link: "numbers/2/4")), by: "ann")
    let seen = try #require(store.state.home(seenBy: "ben").trail.last)
    #expect(send(.here(.back(from: seen.id)), by: "ben") == "taken")
    #expect(send(.here(.back(from: seen.id)), by: "ann") == "nav_conflict")
    #expect(way("ann") == ["menu", "list", "2"])
    let list = store.state.home(seenBy: "ann").trail[1]
    send(.here(.back()), by: "ann")
    #expect(send(.here(.back(from: list.id)), by: "ben") == "taken")
    #expect(send(.here(.back(from: list.id)), by: "ann") == "nav_conflict")
  }

  @Test func theScreenThatIsSeenNeedsNoName() {
    #expect(send(.here(.seen(.menu(.numbers))), by: "ann") == "taken")
    #expect(send(.here(.seen(.number(.list(.picked(4))))), by: "ann") == "taken")
    #expect(send(.here(.seen(.number(.detail(.increment)))), by: "ann") == "taken")
    #expect(way("ann") == ["menu", "list", "5"])
    #expect(send(.here(.seen(.number(.list(.picked(4))))), by: "ann") == "target_gone")
    #expect(send(.here(.seen(.menu(.numbers))), by: "ann") == "target_gone")
    #expect(send(.here(.seen(.step(.final(.submit)))), by: "ann") == "target_gone")
    send(.here(.nav(.goBackToRoot())), by: "ann")
    #expect(send(.here(.seen(.number(.detail(.increment)))), by: "ann") == "target_gone")
    #expect(send(.here(.seen(.menu(.signUp))), by: "ann") == "taken")
    let name = SignUpStep.Action.name(.complete(first: "Ada", last: "Lovelace"))
    #expect(send(.here(.seen(.step(name))), by: "ann") == "taken")
    #expect(way("ann") == ["menu", "name", "dateOfBirth"])
  }

  @Test func oneWatchesWhatTheOtherDoes() {
    send(.here(.open(link: "numbers/2")), by: "ann")
    send(.follow(.client("ann")), by: "ben")
    #expect(way("ben") == ["menu", "list", "2"])
    send(.here(.back()), by: "ann")
    #expect(way("ben") == ["menu", "list"])
    #expect(send(.here(.back()), by: "ben") == "nav_following")
    send(.leave, by: "ann")
    #expect(way("ben") == ["menu"])
  }

  @Test func allIsThereAfterARestart() throws {
    var app = try hosted()
    func send(_ type: JSON, _ payload: JSON) throws {
      let action: JSON = ["type": type, "payload": payload]
      _ = try app.dispatch([try WireAction(action)], DispatchContext(author: "ann"))
    }
    try send("navigators/here/open", ["link": "numbers/2/4"])
    try send("navigators/follow", ["shared": "tour"])
    try send("navigators/here/open", ["link": "signUp/job"])
    var again = try hosted()
    #expect(try again.restore(view: app.view, version: 1).operations.isEmpty)
    #expect(again.state == app.state)
    #expect(again.state.home(seenBy: "ann").way == ["menu", "name", "dateOfBirth", "job"])
    #expect(again.state.navigators.clients[id: "ann"]?.content.way == ["menu", "list", "2", "4"])
  }

  @Test func aStepIsAPatchOfWhatItConcerns() throws {
    var app = try hosted()
    func send(_ type: JSON, _ payload: JSON) throws -> [String] {
      let action: JSON = ["type": type, "payload": payload]
      let step = try app.dispatch([try WireAction(action)], DispatchContext(author: "ann"))
      return step.patch.operations.map(\.path.description)
    }
    _ = try send("navigators/here/open", ["link": "numbers/2"])
    let flow = app.state.home(seenBy: "ann").routes.top.id.rawValue
    let number = try #require(app.state.home(seenBy: "ann").trail.last?.inner?.rawValue)
    let paths = try send(
      "navigators/here/route/numbers/route/detail/increment",
      ["id": .string(flow), "action": ["id": .string(number)]])
    let home = "/navigators/clients/rows/ann/content/routes/above/rows/\(flow)/screen/state"
    #expect(paths == ["\(home)/routes/above/rows/\(number)/screen/state/number"])
  }

  @Test func theDaemonsStartGoesToAllHomes() {
    send(.here(.open(link: "signUp")), by: "ann")
    send(.follow(.shared("tour")), by: "ben")
    #expect(store.dispatch(.started, by: "@duxd").result?.rejection == nil)
    #expect(store.snapshot.seq == 6)
  }

  @Test func aStoreATestStoreAndTheDaemonTakeTheSameSteps() async throws {
    let scenario = Scenario(
      of: NavigatorApp(),
      [
        .init(.navigators(.here(.open(link: "numbers/2/4"))), by: "ann"),
        .init(.navigators(.follow(.client("ann"))), by: "ben"),
        .init(.navigators(.here(.back())), by: "ann"),
        .init(.navigators(.here(.back())), by: "ben"),
      ]
    ) { $0.uuid = .counting() }
    let log = try await scenario.logOfStore()
    #expect(try await scenario.logOfTestStore() == log)
    #expect(try await scenario.logOfHostedApp() == log)
  }

  @Test func theSlicesAreNamed() {
    #expect(ReducerOutline(of: NavigatorApp()).faults.isEmpty)
  }

  private func hosted() throws -> HostedApp<NavigatorApp> {
    try HostedApp(
      NavigatorApp(), limits: StateLimits(maximumDepth: 64, maximumBytes: 1 << 20),
      dependencies: DependencyValues(.test).setting { $0.uuid = .counting() })
  }
}
