import Testing

@testable import DuxStore

/// A search with a filter beside it and tabs above, as a catalogue has them.
private struct Catalogue: Reducer {
  enum Tab: String, Codable, Sendable { case popular, search }
  struct Filter: Reducer {
    struct State: Codable, Equatable, Sendable {
      var genre = "any"
      var isAscending = false
    }
    enum Action: Codable, Equatable, Sendable { case genre(String), toggleOrder, reset }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .genre(let genre): state.genre = genre
      case .toggleOrder: state.isAscending.toggle()
      case .reset: state = State()
      }
      return .none
    }
  }
  struct State: Codable, Equatable, Sendable {
    var tab = Tab.popular
    var query = ""
    var results: [String] = []
    var isRequesting = false
    var filter = Filter.State()
  }
  enum Action: Codable, Equatable, Sendable {
    case tab(Tab), query(String), search, fetch, fetched([String])
    case filter(Filter.Action)
  }

  var body: some Reducer<State, Action> {
    Scope(\.filter, action: Action.filter) { Filter() }
    Reduce { state, action in
      switch action {
      case .tab(let tab):
        state.tab = tab
        state.query = ""
        state.results = []
        return .cancel("search")
      case .query(let query): state.query = query
      case .search:
        guard !state.query.isEmpty else { return .none }
        state.tab = .search
        return .send(.fetched([state.query])).cancellable("search", .takeLatest)
      case .fetch, .filter:
        guard !state.isRequesting else { return .none }
        state.isRequesting = true
        return .send(.fetched([state.filter.genre])).cancellable("fetch")
      case .fetched(let results):
        state.isRequesting = false
        state.results = results
      }
      return .none
    }
  }
}

@Suite struct SearchFlowTests {
  private var store = Stepper(Catalogue(), Catalogue.State())

  @Test mutating func anEmptyQueryChangesNothing() throws {
    try store.send(.search)
    #expect(store.state == Catalogue.State())
    #expect(store.effect.isNone)
  }

  @Test mutating func aRequestThatRunsIsNotStartedAgain() throws {
    try store.send(.fetch)
    let running = store.state
    #expect(described(store.effect).count == 1)
    try store.send(.fetch)
    #expect(store.state == running)
    #expect(store.effect.isNone)
    try store.send(.fetched(["a"]))
    try store.send(.fetch)
    #expect(!store.effect.isNone)
  }

  @Test(arguments: [
    Catalogue.Filter.Action.genre("new"), .toggleOrder, .reset,
  ])
  fileprivate mutating func anyActionOfTheFilterFetchesWithWhatTheFilterMadeOfIt(
    action: Catalogue.Filter.Action
  ) throws {
    try store.send(.filter(action))
    let genre = action == .genre("new") ? "new" : "any"
    #expect(described(store.effect) == [#": fetch = fetched.["\#(genre)"]"#])
  }

  @Test mutating func searchingMovesToItsTabAndLeavingItEndsTheSearch() throws {
    try store.send(.query("dune"))
    try store.send(.search)
    #expect(store.state.tab == .search)
    try store.send(.tab(.popular))
    #expect(store.state == Catalogue.State())
    #expect(described(store.effect) == [": cancel search"])
  }
}

/// Branches that hold branches.
private struct Branch: Reducer {
  struct State: Codable, Equatable, Sendable, Identifiable {
    var id: Int
    var name = ""
    var branches = Table<Int, State>()
  }
  indirect enum Action: Codable, Equatable, Sendable {
    case rename(String), grow(Int), cut(Int), rustle
    case branch(id: Int, action: Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .rename(let name): state.name = name
      case .grow(let id): try state.branches.append(State(id: id))
      case .cut(let id): state.branches.remove(id: id)
      case .rustle: return .send(.rename("rustling")).cancellable("rustle")
      case .branch: break
      }
      return .none
    }
    .forEach(\.branches, action: Action.branch(id:action:)) { Branch() }
  }
}

@Suite struct RecursionTests {
  private var store = Stepper(Branch(), Branch.State(id: 0))

  @Test mutating func aReducerMayHoldItself() throws {
    try store.send(.grow(1))
    try store.send(.branch(id: 1, action: .grow(2)))
    try store.send(.branch(id: 1, action: .branch(id: 2, action: .rename("twig"))))
    #expect(store.state.branches[id: 1]?.branches[id: 2]?.name == "twig")
    try store.send(.branch(id: 1, action: .branch(id: 2, action: .rustle)))
    #expect(
      described(store.effect) == [
        "branches/1/branches/2: rustle = branch.1.branch.2.rename.rustling"
      ])
    try store.send(.branch(id: 1, action: .cut(2)))
    #expect(store.departed == ["branches/1/branches/2"])
    try store.send(.cut(1))
    #expect(store.departed == ["branches/1"])
    #expect(store.refusal(of: .branch(id: 1, action: .grow(3)))?.reason == "target_gone")
  }

  @Test func outlineEndsThough() {
    #expect(
      ReducerOutline(of: Branch()).slices.map(\.description) == ["branches", "branches/branches"])
  }
}
