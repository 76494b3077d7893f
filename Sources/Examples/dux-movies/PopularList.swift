import DuxStore
import DuxTerminal
import Movies

/// The list of all movies.
///
/// It is made anew only when what it shows has changed, whatever else happens in the state: a search
/// that somebody else types, a page that is opened.
struct PopularList: ConnectedView {
  /// The shared state, and what of it this terminal has selected.
  struct State {
    let shared: MoviesApp.State
    let position: ListPosition<Movie.ID>
  }

  struct Props: Equatable {
    let rows: MovieRows
    let position: ListPosition<Movie.ID>
    let status: RequestStatus
  }

  func map(_ state: State, dispatch: Dispatch<MoviesApp.Action>) -> Props {
    let popular = state.shared.popular
    return Props(
      rows: MovieRows(popular.ids, in: state.shared), position: state.position,
      status: popular.status)
  }

  func body(_ props: Props) -> some View {
    MovieList(rows: props.rows, position: props.position, emptyText: emptyText(props.status))
  }

  private func emptyText(_ status: RequestStatus) -> String {
    switch status {
    case .idle: "No movies were loaded. r loads them."
    case .loading: "…"
    case .failed: "Nothing came. r tries again."
    }
  }
}

/// Movies one below the other, or a word where there are none.
struct MovieList: View {
  let rows: MovieRows
  let position: ListPosition<Movie.ID>
  var name = "movies"
  let emptyText: String

  var body: some View {
    if rows.count == 0 {
      Text(emptyText).role(.secondary).padding(horizontal: 1).filling()
    } else {
      List(rows, position, name: name) { row, _ in MovieLine(row: row) }
    }
  }
}

/// How a request stands, in a few words.
struct RequestLine: View {
  let status: RequestStatus
  /// What is said where nothing is on its way.
  let idleText: String
  let nowMs: Int64

  var body: some View {
    switch status {
    case .idle: Text(idleText).role(.secondary).truncated()
    case .loading:
      HStack {
        Spinner(nowMs: nowMs)
        Text("loading").role(.secondary).truncated()
      }
    case .failed(let failure): Text("✗ \(failure.text)").role(.failure).truncated()
    }
  }
}

extension CatalogueFailure {
  /// The failure for people.
  var text: String {
    switch self {
    case .unreachable: "the catalogue does not answer"
    case .slow: "the catalogue takes too long"
    case .missing: "the catalogue knows no such movie"
    case .unavailable: "the catalogue has a fault"
    case .garbled: "the catalogue's answer makes no sense"
    }
  }
}
