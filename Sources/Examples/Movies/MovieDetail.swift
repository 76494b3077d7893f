public import DuxStore
import Foundation

/// The page of one movie: what it is about and, after that, movies like it.
///
/// It is a row of its own in the state, and what it asks for ends when the page is closed.
public struct MovieDetail: Reducer {
  /// What all see of the page.
  public struct State: Codable, Equatable, Sendable, Identifiable {
    /// The movie's.
    public let id: Movie.ID
    /// What it is about, once the catalogue has said so.
    public internal(set) var facts: MovieFacts?
    /// Movies like it; what they are lies in the table of movies.
    public internal(set) var similar: [Movie.ID] = []
    /// When the facts came.
    var loaded: Date?
    /// How the request for the facts stands.
    public internal(set) var factsStatus = RequestStatus.idle
    /// How the request for movies like it stands.
    public internal(set) var similarStatus = RequestStatus.idle

    /// Whether something is on its way.
    public var isLoading: Bool { factsStatus == .loading || similarStatus == .loading }
  }

  /// What may be asked of the page, and what the catalogue answers.
  public enum Action: Codable, Equatable, Sendable {
    /// Loads the page unless it is there and fresh.
    case ensureLoaded
    /// Goes on with what a stop of the daemon broke off.
    case resume
    case loaded(movie: Movie, facts: MovieFacts)
    case failed(CatalogueFailure)
    case foundSimilar(MoviePage)
    case failedSimilar(CatalogueFailure)
  }

  let catalogue: Catalogue
  @Dependency(\.date) private var date

  /// Asks the catalogue, and takes what it answers.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .ensureLoaded where state.isLoading || state.loaded.isFresh(at: date()): return .none
    case .ensureLoaded: return load(&state)
    case .resume where state.isLoading: return load(&state)
    case .resume: return .none
    case .loaded(_, let facts):
      state.facts = facts
      state.loaded = date()
      state.factsStatus = .idle
    case .failed(let failure): state.factsStatus = .failed(failure)
    case .foundSimilar(let page):
      state.similar = page.results.map(\.id)
      state.similarStatus = .idle
    case .failedSimilar(let failure): state.similarStatus = .failed(failure)
    }
    return .none
  }

  private func load(_ state: inout State) -> Effect<Action> {
    state.factsStatus = .loading
    state.similarStatus = .loading
    return .concatenate(loadFacts(of: state.id), loadSimilar(to: state.id))
  }

  private func loadFacts(of id: Movie.ID) -> Effect<Action> {
    .run("facts") { send in
      let (movie, facts) = try await catalogue.movie(id)
      await send(.loaded(movie: movie, facts: facts))
    } catch: { error in
      .failed(CatalogueFailure(error))
    }
  }

  private func loadSimilar(to id: Movie.ID) -> Effect<Action> {
    .run("similar") { send in
      await send(.foundSimilar(try await catalogue.movies(like: id)))
    } catch: { error in
      .failedSimilar(CatalogueFailure(error))
    }
  }
}
