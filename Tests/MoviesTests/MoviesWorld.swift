import DuxHTTP
import DuxJSON
import DuxStore
import DuxTesting
import Foundation
import Testing

@testable import Movies

/// A store of the app for a test, whose catalogue gives these answers.
func moviesStore(
  _ answers: [String: HTTPResponse] = [:], clock: TestClock = TestClock(),
  catalogue: HTTPClient? = nil
) -> TestStore<MoviesApp.State, MoviesApp.Action> {
  TestStore(app: MoviesApp(catalogue: .catalogue)) { world in
    world.http = catalogue ?? .canned(answers)
    world.date = .fixed(.dawn)
    world.clock = clock
  }
}

extension URL {
  /// Where no server is.
  static let catalogue = URL(string: "http://catalogue.test") ?? URL(filePath: "/")
}

extension Date {
  static let dawn = Date(timeIntervalSince1970: 1_800_000_000)
}

extension Movie {
  /// A movie of a test.
  static func sample(_ id: Int) -> Movie {
    Movie(id: id, title: "Movie \(id)", year: 1_999, rating: 7.5, genres: ["comedy"])
  }
}

extension MoviePage {
  /// A page of a test.
  static func sample(_ ids: [Int], page: Int = 1, of pages: Int = 1) -> MoviePage {
    MoviePage(page: page, pages: pages, total: ids.count, results: ids.map { .sample($0) })
  }
}

extension MovieFacts {
  /// What a test tells of any movie.
  static let sample = MovieFacts(
    minutes: 99, director: "Ann", overview: "Something happens.",
    cast: [Role(name: "Ben", character: "The thief")])
}

extension HTTPResponse {
  /// A page of a test as an answer.
  static func page(_ page: MoviePage) throws -> HTTPResponse {
    HTTPResponse(body: try JSONEncoder().encode(page))
  }

  /// A movie's page of a test as an answer.
  static func movie(_ movie: Movie, _ facts: MovieFacts) throws -> HTTPResponse {
    let parts = [try JSONEncoder().encode(movie), try JSONEncoder().encode(facts)]
    var members = JSONObject()
    for part in parts {
      for member in try JSON(parsing: [UInt8](part)).objectValue ?? [:] {
        members[member.key] = member.value
      }
    }
    return .json(.object(members))
  }
}

extension Table where ID == Movie.ID, Row == Movie {
  /// The movies of a test.
  static func samples(_ ids: [Int]) throws -> Table {
    try Table(ids.map { Movie.sample($0) })
  }
}
