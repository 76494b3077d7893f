public import DuxStore
public import Foundation

/// A catalogue of movies that many front ends leaf through together: lists, pages of movies, a search
/// and favourites, with data from an HTTP server.
///
/// Each movie is there once, in a table, and everything else refers to it by its id. The slices load
/// what they need by themselves; what comes is kept by the app, which sees each action after the
/// slice that it is for. All that is on its way is in the state, so when the daemon comes back
/// after a crash it knows what to ask for again.
public struct MoviesApp: App {
  /// What all see.
  public struct State: Codable, Equatable, Sendable {
    /// Each movie that any list or page has told of.
    public internal(set) var movies = Table<Movie.ID, Movie>()
    /// All movies, as far as they have been leafed through.
    public internal(set) var popular = PopularMovies.State()
    /// What is looked for.
    public internal(set) var search = MovieSearch.State()
    /// The pages that are open.
    public internal(set) var details = Table<Movie.ID, MovieDetail.State>()
    /// The movies that somebody likes.
    public internal(set) var favourites = Table<Movie.ID, Favourite>()
  }

  /// What may be asked.
  public enum Action: Codable, Equatable, Sendable {
    case popular(PopularMovies.Action)
    case search(MovieSearch.Action)
    /// Opens the page of a movie.
    case open(Movie.ID)
    case close(Movie.ID)
    case detail(id: Movie.ID, action: MovieDetail.Action)
    case toggleFavourite(Movie.ID)
    /// The daemon has started.
    case started
  }

  /// `movies`.
  public let name = "movies"
  /// Nothing was loaded.
  public let initialState = State()
  /// Goes on with what was on its way.
  public let startAction: Action? = .started

  private let catalogue: Catalogue

  /// Makes the app.
  ///
  /// - Parameter catalogue: where the catalogue's server is.
  public init(catalogue: URL) {
    self.init(catalogue: Catalogue(url: catalogue))
  }

  init(catalogue: Catalogue) {
    self.catalogue = catalogue
  }

  /// The slices, then what keeps what they found.
  public var body: some Reducer<State, Action> {
    Scope(\.popular, action: Action.popular) { PopularMovies(catalogue: catalogue) }
    Scope(\.search, action: Action.search) { MovieSearch(catalogue: catalogue) }
    Favourites()
    Reduce(open)
      .forEach(\.details, action: Action.detail(id:action:)) { MovieDetail(catalogue: catalogue) }
    Reduce(keep)
  }
}

extension MoviesApp {
  /// Opens and closes pages, and sees to it that all goes on after a start.
  @Sendable private func open(_ state: inout State, _ action: Action) throws -> Effect<Action> {
    switch action {
    case .open(let id):
      if !state.details.contains(id) { try state.details.append(MovieDetail.State(id: id)) }
      return .send(.detail(id: id, action: .ensureLoaded))
    case .close(let id):
      state.details.remove(id: id)
      return .none
    case .started:
      return .merge(
        [.send(.popular(.resume)), .send(.search(.resume))]
          + state.details.ids.map { .send(.detail(id: $0, action: .resume)) })
    case .popular, .search, .detail, .toggleFavourite: return .none
    }
  }

  /// Keeps every movie that a slice was told of.
  @Sendable private func keep(_ state: inout State, _ action: Action) -> Effect<Action> {
    for movie in action.movies { state.movies.upsert(movie) }
    return .none
  }
}

extension MoviesApp.Action {
  /// The movies that came with this action.
  fileprivate var movies: [Movie] {
    switch self {
    case .popular(.loaded(let page)): page.results
    case .search(.found(let page)): page.results
    case .detail(_, .foundSimilar(let page)): page.results
    case .detail(_, .loaded(let movie, _)): [movie]
    default: []
    }
  }
}
