import DuxJSON
package import ExampleHTTP
import Foundation
import Synchronization

/// The back end of the examples `movies` and `weather`.
///
/// `GET /movies?page=N` and `/movies?query=TEXT&page=N` list, `/movies/ID` tells all,
/// `/movies/ID/similar` lists movies like it, `/cities?query=TEXT` finds places,
/// `/weather?city=ID` forecasts. A refusal is `{"error": …}` with a status of 400, 404, 405 or, when
/// it fails on purpose, 503.
package struct CatalogueServer: Sendable {
  /// How well it serves.
  package struct Temper: Sendable {
    /// How long each answer takes.
    package var latency: Duration
    /// How many of a hundred requests fail.
    package var failurePercent: Int
    /// What decides which ones: the same seed, the same ones.
    package var seed: UInt64

    /// Describes a temper; that of a server which answers at once and always by default.
    package init(latency: Duration = .zero, failurePercent: Int = 0, seed: UInt64 = 1) {
      self.latency = latency
      self.failurePercent = failurePercent
      self.seed = seed
    }
  }

  private let catalogue = Catalogue()

  /// Makes a server that does not serve yet.
  package init() {}

  /// Starts serving.
  package static func start(
    host: String = "127.0.0.1", port: UInt16 = 0, temper: Temper = Temper()
  ) throws(ListeningError) -> HTTPServer {
    let server = CatalogueServer()
    let moods = Moods(temper)
    return try HTTPServer(host: host, port: port) { request in
      let fails = moods.nextFails()
      if temper.latency > .zero { try? await Task.sleep(for: temper.latency) }
      return fails
        ? .error("the catalogue fails on purpose, try again", status: 503)
        : server.respond(to: request)
    }
  }

  /// The answer to a request.
  package func respond(to request: ServerRequest) -> ServerResponse {
    guard ["GET", "HEAD"].contains(request.method) else {
      return .error("the catalogue is only read: GET, not \(request.method)", status: 405)
    }
    let segments = request.segments
    switch (segments.first, segments.count) {
    case ("movies", 1): return movies(request)
    case ("movies", 2): return movie(segments[1])
    case ("movies", 3) where segments[2] == "similar": return movies(like: segments[1])
    case ("cities", 1): return cities(request)
    case ("weather", 1): return weather(request)
    default: return .error("there is nothing at \(request.path)", status: 404)
    }
  }

  private func movies(_ request: ServerRequest) -> ServerResponse {
    let text = request.query["page"] ?? "1"
    guard let page = Int(text), (1...1_000_000).contains(page) else {
      return .error("page is a number from 1 on, not '\(text)'", status: 400)
    }
    let found = catalogue.movies(matching: request.query["query"] ?? "")
    let shown = found.dropFirst((page - 1) * Catalogue.pageSize).prefix(Catalogue.pageSize)
    let pages = (found.count + Catalogue.pageSize - 1) / Catalogue.pageSize
    return .json([
      "page": .integer(Int64(page)), "pages": .integer(Int64(pages)),
      "total": .integer(Int64(found.count)), "results": .array(JSONArray(shown.map(\.summary))),
    ])
  }

  private func movie(_ text: String) -> ServerResponse {
    guard let movie = Int(text).flatMap({ catalogue.movie($0) }) else {
      return .error("there is no movie '\(text)'", status: 404)
    }
    return .json(movie.details)
  }

  private func movies(like text: String) -> ServerResponse {
    guard let movie = Int(text).flatMap({ catalogue.movie($0) }) else {
      return .error("there is no movie '\(text)'", status: 404)
    }
    let found = catalogue.movies(like: movie).prefix(Catalogue.pageSize)
    return .json([
      "page": 1, "pages": 1, "total": .integer(Int64(found.count)),
      "results": .array(JSONArray(found.map(\.summary))),
    ])
  }

  private func cities(_ request: ServerRequest) -> ServerResponse {
    let found = catalogue.cities(matching: request.query["query"] ?? "")
    return .json(["results": .array(JSONArray(found.map(\.summary)))])
  }

  private func weather(_ request: ServerRequest) -> ServerResponse {
    guard let id = request.query["city"] else {
      return .error("city is missing: /weather?city=ID, as /cities tells them", status: 400)
    }
    guard let city = catalogue.city(id) else {
      return .error("there is no city '\(id)'", status: 404)
    }
    return .json(city.weather)
  }
}

/// Which requests fail.
private final class Moods: Sendable {
  private let percent: Int
  private let generator: Mutex<SeededGenerator>

  init(_ temper: CatalogueServer.Temper) {
    percent = temper.failurePercent
    generator = Mutex(SeededGenerator(seed: temper.seed))
  }

  func nextFails() -> Bool {
    generator.withLock { Int.random(in: 0..<100, using: &$0) < percent }
  }
}
