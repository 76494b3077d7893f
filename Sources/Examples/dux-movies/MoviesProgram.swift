import DuxClient
import DuxJSON
import DuxStore
import DuxTerminal
import Movies

/// What a terminal shows of the app `movies`, and what its keys do.
struct MoviesProgram: TerminalProgram {
  typealias State = MoviesApp.State
  typealias Action = MoviesApp.Action

  enum Tab: String, CaseIterable {
    case popular = "Popular"
    case search = "Search"
    case favourites = "Favourites"
  }

  /// The page of a movie as this terminal looks at it.
  struct Page: Equatable {
    let id: Movie.ID
    /// Which of the movies like it is selected.
    var position = ListPosition<Movie.ID>()
  }

  var tab = Tab.popular
  var positions: [Tab: ListPosition<Movie.ID>] = [:]
  /// The pages from the list to the one that is seen: which one that is, nobody else decides.
  var pages: [Page] = []
  /// What is typed into the search; the state has it as ``MovieSearch/State/query``, whoever typed it.
  var query = Draft()
  var isHelpShown = false
  /// The last refusal, until a key is pressed.
  var refusal: String?
  let popular = Connected(PopularList())

  /// More is loaded when so many rows are left.
  private static let reserve = 10
  /// So many pages are told to the others, who may be told only so much.
  private static let toldPages = 50

  /// The pages that are looked at here, so that nobody else closes them.
  var presence: JSONObject {
    let ids = pages.suffix(Self.toldPages).map { JSON.integer(Int64($0.id)) }
    return ["pages": .array(JSONArray(ids))]
  }

  mutating func appear(_ shared: Shared<State>, _ dispatch: Dispatch<Action>) {
    dispatch(.popular(.ensureLoaded))
  }

  /// Often while a spinner turns.
  func redrawInterval(_ shared: Shared<State>) -> Duration? {
    switch shared.status {
    case .live: isLoading(shared.state) ? .milliseconds(Spinner.frameMs) : nil
    case .ended: nil
    case .connecting, .stale, .offline: .seconds(1)
    }
  }

  private func isLoading(_ state: State) -> Bool {
    if let page = pages.last { return state.details[id: page.id]?.isLoading ?? false }
    return switch tab {
    case .popular: state.popular.status == .loading
    case .search: state.search.status == .loading
    case .favourites: false
    }
  }

  mutating func take(
    settled outcome: RemoteOutcome, of actions: [WireAction], _ shared: Shared<State>
  ) -> Reaction {
    guard let problem = outcome.problem else { return .nothing }
    refusal = problem.message
    return .redraw
  }

  mutating func take(
    _ event: InputEvent, _ shared: Shared<State>, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    if case .key = event { refusal = nil }
    if isHelpShown, event != .key(.control("c")) {
      guard case .key = event else { return .nothing }
      isHelpShown = false
      return .redraw
    }
    if let command = keys[event] { return obey(command, shared, dispatch) }
    if let place = shared.layout.clickedRow(of: "tabs", by: event),
      Tab.allCases.indices.contains(place)
    {
      return show(Tab.allCases[place])
    }
    return move(event, shared, dispatch) || type(event, dispatch) ? .redraw : .nothing
  }

  /// The keys of what is seen.
  var keys: KeyMap<MoviesCommand> {
    if !pages.isEmpty { return MoviesKeys.page }
    return tab == .search ? MoviesKeys.typing : MoviesKeys.list
  }
}

/// What is seen of the state.
extension MoviesProgram {
  /// The movies of the list that is seen: that of a tab, or of those like another.
  func rows(_ state: State) -> MovieRows {
    if let page = pages.last {
      return MovieRows(state.details[id: page.id]?.similar ?? [], in: state)
    }
    let ids =
      switch tab {
      case .popular: state.popular.ids
      case .search: state.search.ids
      case .favourites: Array(state.favourites.ids)
      }
    return MovieRows(ids, in: state)
  }

  /// What is selected in the list that is seen.
  var position: ListPosition<Movie.ID> {
    get { pages.last?.position ?? positions[tab, default: ListPosition()] }
    set {
      if let last = pages.indices.last {
        pages[last].position = newValue
      } else {
        positions[tab] = newValue
      }
    }
  }

  /// Who else has a page open, seen or further back.
  func others(at id: Movie.ID, _ shared: Shared<State>) -> [String] {
    shared.presence.filter { other in
      other.client != shared.client
        && other.state?["pages"]?.arrayValue?.contains { $0.integerValue == Int64(id) } == true
    }.map(\.client)
  }
}

/// What keys do.
extension MoviesProgram {
  private mutating func obey(
    _ command: MoviesCommand, _ shared: Shared<State>, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    switch command {
    case .open:
      guard let id = position.selection(in: rows(shared.state)) else { return .nothing }
      pages.append(Page(id: id))
      dispatch(.open(id))
    case .back:
      if pages.isEmpty { enter(Draft(), dispatch) } else { close(shared, dispatch) }
    case .favourite:
      guard let id = pages.last?.id ?? position.selection(in: rows(shared.state)) else {
        return .nothing
      }
      dispatch(.toggleFavourite(id))
    case .again: load(shared.state, dispatch)
    case .nextTab: return show(tab.next(1))
    case .previousTab: return show(tab.next(Tab.allCases.count - 1))
    case .search: return show(.search)
    case .help: isHelpShown = true
    case .quit:
      // Without a daemon nobody knows of the pages yet, or of their end.
      while case .live = shared.status, !pages.isEmpty { close(shared, dispatch) }
      return .quit
    }
    return .redraw
  }

  private mutating func show(_ tab: Tab) -> Reaction {
    self.tab = tab
    return .redraw
  }

  private mutating func close(_ shared: Shared<State>, _ dispatch: Dispatch<Action>) {
    guard let page = pages.popLast() else { return }
    let isOpen = pages.contains { $0.id == page.id } || !others(at: page.id, shared).isEmpty
    if !isOpen { dispatch(.close(page.id)) }
  }

  /// Loads what is seen, once more if it is there.
  private func load(_ state: State, _ dispatch: Dispatch<Action>) {
    if let id = pages.last?.id {
      // A page that is there counts as fresh; one that is opened anew does not.
      if state.details[id: id]?.facts != nil { dispatch(.close(id)) }
      return dispatch(.open(id))
    }
    switch tab {
    case .popular:
      let isMore = if case .failed = state.popular.status { state.popular.page > 0 } else { false }
      dispatch(.popular(isMore ? .loadMore : .reload))
    case .search:
      let query = state.search.query
      guard !query.isEmpty else { return }
      dispatch(.search(.query("")))
      dispatch(.search(.query(query)))
    case .favourites: return
    }
  }

  /// Moves the selection, and has more loaded when it nears the end.
  private mutating func move(
    _ event: InputEvent, _ shared: Shared<State>, _ dispatch: Dispatch<Action>
  ) -> Bool {
    if pages.isEmpty, tab == .search, case .key(let key) = event, !key.isVertical { return false }
    let rows = rows(shared.state)
    guard position.take(event, in: rows, shared.layout, name: "movies") else { return false }
    let list = shared.state.popular
    if pages.isEmpty, tab == .popular, list.status == .idle, !list.isComplete,
      let index = position.index(in: rows), index >= rows.count - Self.reserve
    {
      dispatch(.popular(.loadMore))
    }
    return true
  }

  /// Takes what is typed into the search.
  private mutating func type(_ event: InputEvent, _ dispatch: Dispatch<Action>) -> Bool {
    guard pages.isEmpty, tab == .search else { return false }
    var draft = query
    guard draft.take(event) else { return false }
    enter(draft, dispatch)
    return true
  }

  /// Looks for a text; the app waits for the next key before it asks anybody.
  private mutating func enter(_ draft: Draft, _ dispatch: Dispatch<Action>) {
    let isChanged = draft.text != query.text
    query = draft
    if isChanged { dispatch(.search(.query(draft.text))) }
  }
}

extension MoviesProgram.Tab {
  fileprivate func next(_ distance: Int) -> Self {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + distance) % all.count]
  }
}

extension Key {
  /// Whether it leads up or down in a list, and nowhere in a text.
  fileprivate var isVertical: Bool {
    switch code {
    case .up, .down, .pageUp, .pageDown: true
    default: false
    }
  }
}
