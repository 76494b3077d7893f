public import DuxStore
import Foundation

/// All movies, page by page.
///
/// While a page is on its way nothing else is asked for, and only the page that was asked for is
/// taken, so no page is fetched twice.
public struct PopularMovies: Reducer {
  /// What all see of the list.
  public struct State: Codable, Equatable, Sendable {
    /// The movies of all pages so far; what they are lies in the table of movies.
    public internal(set) var ids: [Movie.ID] = []
    /// The last page that came.
    public internal(set) var page = 0
    /// How many there are.
    public internal(set) var pages: Int?
    /// The page that was asked for last.
    var requested = 0
    /// When the first page came.
    var loaded: Date?
    /// How the request for a page stands.
    public internal(set) var status = RequestStatus.idle

    /// Whether all pages are there.
    public var isComplete: Bool { pages.map { page >= $0 } ?? false }
  }

  /// What may be asked of the list, and what the catalogue answers.
  public enum Action: Codable, Equatable, Sendable {
    /// Loads the first page unless it is there and fresh: what a screen asks for when it appears.
    case ensureLoaded
    /// Begins anew.
    case reload
    case loadMore
    /// Goes on with what a stop of the daemon broke off.
    case resume
    case loaded(MoviePage)
    case failed(CatalogueFailure)
  }

  let catalogue: Catalogue
  @Dependency(\.date) private var date

  /// Asks the catalogue, and takes what it answers.
  public func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .ensureLoaded where state.loaded.isFresh(at: date()): return .none
    case .ensureLoaded where state.status == .loading: return .none
    case .ensureLoaded, .reload: return load(page: 1, &state)
    case .loadMore where state.status == .loading || state.isComplete: return .none
    case .loadMore: return load(page: state.page + 1, &state)
    case .resume where state.status == .loading: return load(page: state.requested, &state)
    case .resume: return .none
    case .loaded(let page): try take(page, &state)
    case .failed(let failure): state.status = .failed(failure)
    }
    return .none
  }

  private func load(page: Int, _ state: inout State) -> Effect<Action> {
    state.requested = page
    state.status = .loading
    return .run("page \(page)") { send in
      await send(.loaded(try await catalogue.page(page)))
    } catch: { error in
      .failed(CatalogueFailure(error))
    }
    .cancellable("page", .takeLatest)
  }

  private func take(_ page: MoviePage, _ state: inout State) throws {
    guard state.status == .loading, page.page == state.requested else {
      throw Rejection(
        reason: "unexpected_page", message: "page \(page.page) was not asked for")
    }
    if page.page == 1 {
      state.ids = []
      state.loaded = date()
    }
    let known = Set(state.ids)
    state.ids += page.results.map(\.id).filter { !known.contains($0) }
    state.page = page.page
    state.pages = page.pages
    state.status = .idle
  }
}

extension Date? {
  /// Whether what was loaded then need not be loaded again.
  func isFresh(at now: Date) -> Bool {
    map { now.timeIntervalSince($0) < Catalogue.freshness } ?? false
  }
}
