import DuxClient
import DuxStore
import DuxTerminal
import Movies

extension MoviesProgram {
  func view(of shared: Shared<State>, in size: Size) -> some View {
    VStack {
      if let page = pages.last {
        MoviePageView(
          row: MovieRow(page.id, in: shared.state), detail: shared.state.details[id: page.id],
          rows: rows(shared.state), position: page.position, others: others(at: page.id, shared),
          nowMs: shared.nowMs, size: size
        ).filling().priority(1)
      } else {
        header(shared)
        Divider()
        if tab == .search { field }
        list(shared).filling().priority(1)
      }
      if let refusal { Banner(refusal, .failure) }
      KeyHints(keys.help).padding(horizontal: 1)
      StatusLine("dux-movies", shared, who: shared.presence.map(\.client))
    }
    .sheet("Keys") { if isHelpShown { KeyHelp(keys.help) } }
  }

  private func header(_ shared: Shared<State>) -> some View {
    HStack {
      Tabs(Tab.allCases.map(\.rawValue), selected: Tab.allCases.firstIndex(of: tab) ?? 0)
      Spacer()
      RequestLine(status: status(shared.state), idleText: news(shared.state), nowMs: shared.nowMs)
    }
    .padding(horizontal: 1)
  }

  private func status(_ state: State) -> RequestStatus {
    switch tab {
    case .popular: state.popular.status
    case .search: state.search.status
    case .favourites: .idle
    }
  }

  private func news(_ state: State) -> String {
    switch tab {
    case .popular:
      let popular = state.popular
      return popular.pages.map { "page \(popular.page) of \($0)" } ?? ""
    case .search:
      let search = state.search
      return search.query.isEmpty ? "" : "\(search.total) with “\(search.query)”"
    case .favourites: return "\(state.favourites.count)"
    }
  }

  private var field: some View {
    HStack {
      Text("Title:").role(.accent)
      TextField(query, placeholder: "a part of it").priority(1)
    }
    .padding(horizontal: 1)
  }

  @ViewBuilder private func list(_ shared: Shared<State>) -> ViewGroup {
    switch tab {
    case .popular:
      let seen = PopularList.State(shared: shared.state, position: position)
      popular.view(of: seen, dispatch: Dispatch { _ in })
    case .search:
      MovieList(rows: rows(shared.state), position: position, emptyText: searchText(shared.state))
    case .favourites:
      MovieList(
        rows: rows(shared.state), position: position,
        emptyText: "Nobody likes a movie yet. f on a movie changes that.")
    }
  }

  private func searchText(_ state: State) -> String {
    switch state.search.status {
    case .idle: state.search.query.isEmpty ? "" : "None has that in its title."
    case .loading: "…"
    case .failed: "Nothing came. Ctrl-R tries again."
    }
  }
}
