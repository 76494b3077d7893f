import DuxJSON
import Testing

@testable import DuxStore

/// A row with an optional part of its own, so that scopes nest.
private struct Item: Reducer {
  struct State: Codable, Equatable, Sendable, Identifiable {
    var id: String
    var title = ""
    var detail: Detail.State?
  }
  enum Action: Codable, Equatable, Sendable {
    case rename(String), load, done, removeMe, open, close, fail
    case detail(Detail.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .rename(let title): state.title = title
      case .load: return .send(.done).cancellable("load")
      case .open: state.detail = Detail.State()
      case .close: state.detail = nil
      case .fail:
        state.title = "failing"
        throw Rejection(reason: "no", message: "no")
      case .done, .removeMe, .detail: break
      }
      return .none
    }
    .ifLet(\.detail, action: Action.detail) { Detail() }
  }
}

private struct Detail: Reducer {
  struct State: Codable, Equatable, Sendable { var count = 0 }
  enum Action: Codable, Equatable, Sendable { case add, tick, closeMe }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add:
      state.count += 1
      return .send(.tick).cancellable("tick")
    case .tick, .closeMe: return .none
    }
  }
}

private struct Items: Reducer {
  struct State: Codable, Equatable, Sendable {
    var rows = Table<String, Item.State>()
    var seen: [String] = []
  }
  enum Action: Codable, Equatable, Sendable {
    case add(String), remove(String), clear, replace(String), putBack(String)
    case row(id: String, action: Item.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add(let id): try state.rows.append(Item.State(id: id))
      case .remove(let id): state.rows.remove(id: id)
      case .clear: state.rows.removeAll()
      case .replace(let id):
        state.rows.removeAll()
        try state.rows.append(Item.State(id: id))
      case .putBack(let id):
        if let row = state.rows.remove(id: id) { try state.rows.append(row) }
      case .row(let id, .removeMe): state.rows.remove(id: id)
      case .row(let id, _): state.seen.append(state.rows[id: id]?.title ?? "-")
      }
      return .none
    }
    .forEach(\.rows, action: Action.row(id:action:)) { Item() }
  }
}

@Suite struct ChildrenTests {
  private func items(_ ids: String...) throws -> Stepper<Items> {
    var store = Stepper(Items(), Items.State())
    for id in ids { try store.send(.add(id)) }
    return store
  }

  @Test func rowRunsBeforeItsParent() throws {
    var store = try items("a", "b")
    try store.send(.row(id: "b", action: .rename("new")))
    #expect(store.state.rows[id: "b"]?.title == "new")
    #expect(store.state.rows[id: "a"]?.title == "")
    #expect(store.state.seen == ["new"])
  }

  @Test func parentMayRemoveARowOnItsLastAction() throws {
    var store = try items("a")
    try store.send(.row(id: "a", action: .removeMe))
    #expect(store.state.rows.isEmpty)
    #expect(store.departed == ["rows/a"])
  }

  @Test func actionForAGoneRowIsRejectedByItsId() throws {
    var store = try items("a")
    let rejection = store.refusal(of: .row(id: "x", action: .load))
    #expect(rejection?.reason == "target_gone")
    #expect(rejection?.message == "rows has no row with the id \"x\"")
  }

  @Test func aKnownIdIsRefused() throws {
    var store = try items("a")
    #expect(store.refusal(of: .add("a"))?.reason == "duplicate_id")
  }

  @Test func aRowThatThrowsLeavesNoTrace() throws {
    var store = try items("a")
    #expect(store.refusal(of: .row(id: "a", action: .fail))?.reason == "no")
  }

  @Test func effectsBelongToTheirRow() throws {
    var store = try items("a", "b")
    try store.send(.row(id: "b", action: .load))
    #expect(described(store.effect) == ["rows/b: load = row.b.done"])
    try store.send(.row(id: "b", action: .open))
    try store.send(.row(id: "b", action: .detail(.add)))
    #expect(described(store.effect) == ["rows/b/detail: tick = row.b.detail.tick"])
  }

  @Test(arguments: [
    (Items.Action.remove("a"), ["rows/a"]), (.clear, ["rows/a", "rows/b"]),
    (.replace("c"), ["rows/a", "rows/b"]), (.replace("a"), ["rows/b", "rows/a/detail"]),
    (.putBack("a"), []), (.add("c"), []), (.row(id: "a", action: .close), ["rows/a/detail"]),
    (.row(id: "a", action: .rename("x")), []),
  ])
  fileprivate func tellsWhoIsGone(action: Items.Action, expected: [String]) throws {
    var store = try items("a", "b")
    try store.send(.row(id: "a", action: .open))
    try store.send(action)
    #expect(store.departed == expected)
  }

  @Test func idsThatUnicodeCallsEqualAreTwoRows() throws {
    var store = try items("\u{e9}", "e\u{301}")
    try store.send(.remove("\u{e9}"))
    #expect(store.departed.map { Array($0.utf8) } == [Array("rows/\u{e9}".utf8)])
  }

  @Test func optionalChildIsReachedOnlyWhileItIsThere() throws {
    var store = try items("a")
    let gone = store.refusal(of: .row(id: "a", action: .detail(.add)))
    #expect(gone?.reason == "target_gone")
    #expect(gone?.message == "detail is not there")
    try store.send(.row(id: "a", action: .open))
    try store.send(.row(id: "a", action: .detail(.add)))
    #expect(store.state.rows[id: "a"]?.detail?.count == 1)
  }

  @Test func oneRowOfManyIsChangedWithoutTouchingTheOthers() throws {
    var state = Items.State()
    state.rows = try Table((0..<20_000).map { Item.State(id: String($0)) })
    var store = Stepper(Items(), state)
    try store.send(.row(id: "12345", action: .rename("new")))
    #expect(store.state.rows[id: "12345"]?.title == "new")
    // The walk steps over what both versions share: what is left is the row's own leaf.
    let differences = store.state.rows.storage.order.differences(from: state.rows.storage.order)
    #expect(Array(differences).count <= 16)
    #expect(store.state.rows.difference(from: state.rows).changed == ["12345"])
  }

  @Test func outlineFollowsRowsAndTheirParts() {
    #expect(ReducerOutline(of: Items()).slices.map(\.description) == ["rows", "rows/detail"])
  }
}

private struct Player: Reducer {
  struct State: Codable, Equatable, Sendable, Identifiable {
    var id: Int
    var plays = 0
  }
  enum Action: Codable, Equatable, Sendable { case play, ended }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.plays += 1
    return .send(.ended).cancellable("play")
  }
}

private struct Room: Reducer {
  struct State: Codable, Equatable, Sendable { var player: Player.State? }
  enum Action: Codable, Equatable, Sendable { case enter(Int), leave, player(Player.Action) }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .enter(let id): state.player = Player.State(id: id)
      case .leave: state.player = nil
      case .player: break
      }
      return .none
    }
    .ifLet(\.player, action: Action.player) { Player() }
  }
}

private struct Screen: Reducer {
  enum State: Codable, Equatable, Sendable { case login(Detail.State), home(Player.State), off }
  enum Action: Codable, Equatable, Sendable {
    case go(State), login(Detail.Action), home(Player.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      if case .go(let next) = action { state = next }
      if case .login(.closeMe) = action { state = .off }
      return .none
    }
    .ifCaseLet(State.login, named: "login", action: Action.login) { Detail() }
    .ifCaseLet(State.home, named: "home", action: Action.home) { Player() }
  }
}

@Suite struct OptionalChildTests {
  @Test func aChildWithAnIdIsAnotherUnderAnotherId() throws {
    var store = Stepper(Room(), Room.State())
    try store.send(.enter(1))
    try store.send(.player(.play))
    #expect(described(store.effect) == ["player/1: play = player.ended"])
    try store.send(.enter(1))
    #expect(store.departed.isEmpty)
    try store.send(.enter(2))
    #expect(store.departed == ["player/1"])
    try store.send(.leave)
    #expect(store.departed == ["player/2"])
  }

  @Test func aCaseOfTheStateIsAChildWhileItLasts() throws {
    var store = Stepper(Screen(), .login(Detail.State()))
    try store.send(.login(.add))
    #expect(store.state == .login(Detail.State(count: 1)))
    #expect(described(store.effect) == ["login: tick = login.tick"])
    #expect(store.refusal(of: .home(.play))?.reason == "target_gone")
    try store.send(.go(.home(Player.State(id: 1))))
    #expect(store.departed == ["login"])
    try store.send(.home(.play))
    #expect(store.state == .home(Player.State(id: 1, plays: 1)))
    try store.send(.go(.login(Detail.State())))
    try store.send(.login(.closeMe))
    #expect(store.state == .off)
    #expect(store.departed == ["login"])
  }
}
