import DuxHTTP
import DuxStore
import Foundation

/// The catalogue's server, as effects ask it.
///
/// It speaks through the dependency `http`, so a test or a preview gives canned answers there.
struct Catalogue: Sendable {
  /// Where it is.
  let url: URL
  /// How long an answer may take.
  var patience: Duration = .seconds(10)
  /// For how long, in seconds, what it told is not asked for again.
  static let freshness: TimeInterval = 600

  @Dependency(\.http) private var http

  init(url: URL, patience: Duration = .seconds(10)) {
    self.url = url
    self.patience = patience
  }

  /// A page of all movies.
  func page(_ number: Int) async throws -> MoviePage {
    try await get("movies", ["page": String(number)]).json(as: MoviePage.self)
  }

  /// The movies whose title contains a text, the first page of them.
  func search(_ text: String) async throws -> MoviePage {
    try await get("movies", ["query": text]).json(as: MoviePage.self)
  }

  /// A movie, and what its page tells.
  func movie(_ id: Movie.ID) async throws -> (Movie, MovieFacts) {
    let answer = try await get("movies/\(id)")
    return (try answer.json(as: Movie.self), try answer.json(as: MovieFacts.self))
  }

  /// Movies like one.
  func movies(like id: Movie.ID) async throws -> MoviePage {
    try await get("movies/\(id)/similar").json(as: MoviePage.self)
  }

  private func get(
    _ path: String, _ query: [String: String] = [:]
  ) async throws(HTTPError) -> HTTPResponse {
    var request = HTTPRequest(.get, url.appending(path: path), timeout: patience)
    request.appendQuery(query)
    return try await http.perform(request)
  }
}

/// Why the catalogue gave no answer, as a code that does not change with anybody's wording.
public enum CatalogueFailure: String, Codable, Sendable {
  /// It is down.
  case unreachable
  /// It answered too late.
  case slow
  /// It knows no such movie.
  case missing
  /// It failed by itself.
  case unavailable
  /// What it answered makes no sense.
  case garbled

  init(_ error: any Error) {
    self =
      switch (error as? HTTPError)?.reason {
      case .unreachable: .unreachable
      case .timedOut: .slow
      case .badStatus(404, _): .missing
      case .badStatus: .unavailable
      default: .garbled
      }
  }
}
