public import DuxStore

/// Looks for movies by their titles, while somebody types.
///
/// The catalogue is asked when the typing pauses, and a new text ends the search for the one before:
/// its reply never arrives.
public struct MovieSearch: Reducer {
  /// What all see of the search.
  public struct State: Codable, Equatable, Sendable {
    /// What is looked for.
    public internal(set) var query = ""
    /// The first of those found.
    public internal(set) var ids: [Movie.ID] = []
    /// How many there are.
    public internal(set) var total = 0
    /// How the request stands.
    public internal(set) var status = RequestStatus.idle
  }

  /// What may be asked of the search, and what the catalogue answers.
  public enum Action: Codable, Equatable, Sendable {
    /// Looks for titles with this text; an empty one clears what was found.
    case query(String)
    /// Goes on with what a stop of the daemon broke off.
    case resume
    case found(MoviePage)
    case failed(CatalogueFailure)
  }

  let catalogue: Catalogue
  /// How long the typing must pause.
  static let pause: Duration = .milliseconds(300)
  private static let longestQuery = 100

  /// Asks the catalogue, and takes what it answers.
  public func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .query(state.query): return .none
    case .query(""):
      state = State()
      return .cancel("search")
    case .query(let text):
      try Self.check(text)
      state.query = text
      state.status = .loading
      return search(text)
    case .resume where state.status == .loading: return search(state.query)
    case .resume: return .none
    case .found(let page):
      state.ids = page.results.map(\.id)
      state.total = page.total
      state.status = .idle
    case .failed(let failure): state.status = .failed(failure)
    }
    return .none
  }

  private func search(_ text: String) -> Effect<Action> {
    .run("search") { send in
      await send(.found(try await catalogue.search(text)))
    } catch: { error in
      .failed(CatalogueFailure(error))
    }
    .debounced("search", for: Self.pause)
  }

  private static func check(_ text: String) throws {
    guard text.count <= longestQuery else {
      throw Rejection(
        reason: "query_too_long",
        message: "a query may have \(longestQuery) characters and has \(text.count)")
    }
  }
}
