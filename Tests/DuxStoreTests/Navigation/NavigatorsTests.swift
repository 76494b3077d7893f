import DuxJSON
import Testing

@testable import DuxStore

/// Stacks of each client, and those that several share.
struct NavigatorsTests {
  private struct Lobby: Reducer {
    struct State: Codable, Equatable, Sendable { var navigators = Navigators<Tour.State>() }
    enum Action: Codable, Equatable, Sendable { case navigators(NavigatorsAction<Tour.Action>) }

    var body: some Reducer<State, Action> {
      EmptyReducer()
        .forEachNavigator(
          \.navigators, action: Action.navigators,
          initial: Tour.State(routes: Routes(root: .stop(RoutePage.State(number: 1))))
        ) { Tour() }
    }
  }

  private typealias Step = NavigatorsAction<Tour.Action>

  private let world = DependencyValues(.test).setting { $0.uuid = .counting() }
  private let store: Store<Lobby.State, Lobby.Action>

  init() {
    store = Store(initialState: Lobby.State(), dependencies: world) { Lobby() }
  }

  private var navigators: Navigators<Tour.State> { store.state.navigators }

  /// Takes a step, and says `taken` or why it is refused.
  @discardableResult
  private func send(_ step: Step, by author: String) -> String {
    let before = store.state
    guard let rejection = store.dispatch(.navigators(step), by: author).result?.rejection else {
      return "taken"
    }
    return store.state == before ? rejection.reason : "changed"
  }

  private func depth(_ client: String) -> Int? {
    navigators.content(seenBy: client)?.routes.count
  }

  private let push = Step.here(.nav(.push(screen: .stop(RoutePage.State(number: 2)))))
  private let back = Step.here(.nav(.goBack()))

  @Test func eachClientHasAStackOfItsOwn() {
    #expect(send(push, by: "ann") == "taken")
    #expect(send(push, by: "ann") == "taken")
    #expect(send(push, by: "ben") == "taken")
    #expect(send(back, by: "ben") == "taken")
    #expect([depth("ann"), depth("ben"), depth("cleo")] == [2, 0, nil])
    #expect(send(back, by: "ben") == "nav_at_root")
    #expect(navigators.clients.map(\.id) == ["ann", "ben"])
  }

  @Test func aRefusedFirstStepLeavesNoEntry() {
    #expect(send(back, by: "ann") == "nav_at_root")
    #expect(navigators.clients.isEmpty)
    #expect(send(.join, by: "ann") == "taken")
    #expect(send(.join, by: "ann") == "taken")
    #expect(navigators.clients.count == 1)
  }

  @Test func aFollowerSeesWhatSheDoesAndChangesNothing() {
    send(push, by: "ann")
    #expect(send(.follow(.client("ann")), by: "ben") == "taken")
    #expect(depth("ben") == 1)
    send(push, by: "ann")
    #expect(depth("ben") == 2)
    #expect(send(back, by: "ben") == "nav_following")
    #expect(send(.client(id: "ann", action: .nav(.goBack())), by: "ben") == "nav_not_yours")
    #expect(navigators.followers(of: .client("ann")) == ["ben"])
    #expect(send(.unfollow, by: "ben") == "taken")
    #expect(depth("ben") == 0)
    #expect(send(.unfollow, by: "ben") == "taken")
  }

  @Test func whatIsSharedIsGoneByAllWhoFollowIt() {
    #expect(send(.follow(.shared("tour")), by: "ann") == "taken")
    #expect(send(.follow(.shared("tour")), by: "ben") == "taken")
    #expect(send(push, by: "ann") == "taken")
    #expect(send(push, by: "ben") == "taken")
    #expect([depth("ann"), depth("ben")] == [2, 2])
    #expect(send(back, by: "ann") == "taken")
    #expect([depth("ann"), depth("ben")] == [1, 1])
    #expect(navigators.clients.map(\.content.routes.count) == [0, 0])
    #expect(send(.follow(.client("ann")), by: "cleo") == "taken")
    #expect(depth("cleo") == 1)
    #expect(send(back, by: "cleo") == "nav_following")
    #expect(navigators.place(seenBy: "cleo") == .shared("tour"))
  }

  @Test func whoIsFollowedDoesNotFollowBack() {
    for name in ["ann", "ben", "cleo"] { send(.join, by: name) }
    #expect(send(.follow(.client("ann")), by: "ann") == "nav_follow_cycle")
    #expect(send(.follow(.client("ann")), by: "ben") == "taken")
    #expect(send(.follow(.client("ben")), by: "ann") == "nav_follow_cycle")
    #expect(send(.follow(.client("ben")), by: "cleo") == "taken")
    #expect(send(.follow(.client("cleo")), by: "ann") == "nav_follow_cycle")
    #expect(navigators.place(seenBy: "cleo") == .client("ann"))
    #expect(send(.follow(.shared("tour")), by: "ann") == "taken")
    #expect(send(.follow(.client("cleo")), by: "ann") == "nav_follow_cycle")
    #expect(navigators.place(seenBy: "cleo") == .shared("tour"))
    #expect(send(.follow(.client("nobody")), by: "ann") == "nav_no_such_client")
  }

  @Test func whoLeavesTakesTheirStackAlongAndTheirFollowersGoHome() {
    for name in ["ann", "ben"] { send(push, by: name) }
    send(push, by: "ann")
    send(.follow(.client("ann")), by: "ben")
    #expect(send(.leave, by: "ann") == "taken")
    #expect(navigators.clients.map(\.id) == ["ben"])
    #expect(navigators.clients.first?.following == nil)
    #expect(depth("ben") == 1)
    #expect(send(.leave, by: "ann") == "taken")
    #expect(send(.remove(client: "ben"), by: "ops") == "taken")
    #expect(send(.remove(client: "ben"), by: "ops") == "nav_no_such_client")
    #expect(navigators.clients.isEmpty)
  }

  @Test func whatIsSharedIsClosedForAll() {
    for name in ["ann", "ben"] { send(.follow(.shared("tour")), by: name) }
    #expect(send(.close(shared: "tour"), by: "ann") == "taken")
    #expect(navigators.clients.allSatisfy { $0.following == nil })
    #expect(send(.close(shared: "tour"), by: "ann") == "nav_no_such_shared")
    #expect(
      send(.shared(id: "tour", action: .nav(.goBackToRoot())), by: "ann") == "nav_no_such_shared")
  }

  @Test func thereIsRoomForSoMany() {
    for number in 0..<256 { send(.join, by: "client \(number)") }
    #expect(send(push, by: "one more") == "nav_full")
    #expect(send(.follow(.client("client 0")), by: "one more") == "nav_full")
    #expect(send(push, by: "client 7") == "taken")
    #expect(send(.remove(client: "client 3"), by: "ops") == "taken")
    #expect(send(push, by: "one more") == "taken")
    for number in 0..<64 { send(.follow(.shared("\(number)")), by: "client 0") }
    #expect(send(.follow(.shared("one more")), by: "client 0") == "nav_full")
    #expect(navigators.shared.count == 64)
  }

  @Test func effectsAnswerToTheStackTheyBeganOn() throws {
    var steps = Stepper(Lobby(), Lobby.State())
    let load = Step.here(.route(id: .root, action: .stop(.load)))
    try steps.send(.navigators(load), by: "ann")
    #expect(
      described(steps.effect).first?.hasPrefix("navigators/clients/ann/routes/root/stop: load 1")
        == true)
    guard case .send(let answer)? = firstPart(steps.effect.node) else {
      Issue.record("no follow-up")
      return
    }
    try steps.send(.navigators(.follow(.shared("tour"))), by: "ann")
    try steps.send(answer, by: "ann")
    #expect(steps.state.navigators.clients[id: "ann"]?.content.loads == 1)
    #expect(steps.state.navigators.shared[id: "tour"]?.content.loads == 0)
    try steps.send(.navigators(load), by: "ann")
    #expect(described(steps.effect).first?.hasPrefix("navigators/shared/tour/") == true)
    try steps.send(.navigators(.close(shared: "tour")), by: "ann")
    #expect(steps.departed == ["navigators/shared/tour"])
    try steps.send(.navigators(.leave), by: "ann")
    #expect(steps.departed == ["navigators/clients/ann"])
  }

  @Test func aRouteThatGoesTakesItsEffectsFromItsNavigatorAlone() throws {
    var steps = Stepper(Lobby(), Lobby.State())
    try steps.send(.navigators(.join), by: "ann")
    let replace = NavigationAction<Stop>.replace(
      id: .root, screen: .stop(RoutePage.State(number: 3)))
    try steps.send(.navigators(.here(.nav(replace))))
    #expect(steps.departed == ["navigators/clients/ann/routes/root"])
  }

  @Test func whoFollowsWhomIsInTheState() throws {
    send(.follow(.shared("tour")), by: "ann")
    send(.follow(.client("ann")), by: "ben")
    let json = try StateCoder.encode(navigators)
    #expect(json.value(at: try JSONPointer("/clients/rows/ann/following")) == ["shared": "tour"])
    #expect(json.value(at: try JSONPointer("/clients/rows/ben/following")) == ["client": "ann"])
    #expect(try StateCoder.decode(Navigators<Tour.State>.self, from: json) == navigators)
  }

  @Test func aCycleThatAStateCameWithEnds() throws {
    send(.join, by: "ann")
    send(.follow(.client("ann")), by: "ben")
    var json = try StateCoder.encode(navigators)
    let following = try JSONPointer("/clients/rows/ann/following")
    try JSONPatch(operations: [.add(path: following, value: ["client": "ben"])]).apply(to: &json)
    let read = try StateCoder.decode(Navigators<Tour.State>.self, from: json)
    #expect(read.place(seenBy: "ann") == .client("ann"))
    #expect(read.content(seenBy: "ben") != nil)
  }

  @Test func theWireNamesTheWay() throws {
    let wire = try ActionCoder.encode(Lobby.Action.navigators(back))
    #expect(wire.type == "navigators/here/nav/goBack")
    let follow = try ActionCoder.encode(Lobby.Action.navigators(.follow(.client("ann"))))
    #expect(follow.type == "navigators/follow" && follow.payload == ["client": "ann"])
    let read = try ActionCoder.decode(
      Lobby.Action.self, type: "navigators/client/nav/pop",
      payload: ["id": "ann", "action": ["count": 2]])
    #expect(read == .navigators(.client(id: "ann", action: .nav(.pop(count: 2)))))
  }

  /// The innermost node of an effect that has one part.
  private func firstPart(_ node: Effect<Lobby.Action>.Node) -> Effect<Lobby.Action>.Node? {
    switch node {
    case .scoped(let node, _), .controlled(let node, _, _): firstPart(node)
    default: node
    }
  }
}

extension Tour.State {
  fileprivate var loads: Int {
    if case .stop(let page) = routes.root.screen { page.loads } else { -1 }
  }
}
