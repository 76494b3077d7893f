import CatalogueServer
import DuxHTTP
import DuxJSON
import ExampleHTTP
import Foundation
import Testing

/// What the catalogue answers.
struct CatalogueServerTests {
  private let server = CatalogueServer()

  private func get(_ path: String, _ query: [String: String] = [:]) -> ServerResponse {
    server.respond(to: ServerRequest(method: "GET", path: path, query: query))
  }

  private func json(_ path: String, _ query: [String: String] = [:]) throws -> JSON {
    let response = get(path, query)
    #expect(response.status == 200)
    return try JSON(parsing: response.body)
  }

  @Test func thePagesHoldAllMoviesOnce() throws {
    var ids: [Int64] = []
    for page in 1...10 {
      let json = try json("/movies", ["page": "\(page)"])
      #expect(json["page"] == .integer(Int64(page)))
      #expect(json["pages"] == 10)
      #expect(json["total"] == 200)
      ids += json["results"]?.arrayValue?.compactMap { $0["id"]?.integerValue } ?? []
    }
    #expect(ids == Array(1...200))
    #expect(try json("/movies", ["page": "11"])["results"] == [])
  }

  @Test func titlesAreUniqueAndNoFieldIsEmpty() throws {
    let movies = Catalogue().movies
    #expect(Set(movies.map(\.title)).count == movies.count)
    for movie in movies {
      #expect(!movie.overview.isEmpty && movie.cast.count >= 3 && !movie.genres.isEmpty)
      #expect((1...10).contains(movie.rating))
    }
  }

  @Test func theCatalogueIsTheSameInEveryProcess() throws {
    #expect(Catalogue().movies == Catalogue().movies)
    #expect(Catalogue().movie(1)?.title == "The Lantern of Lower Brindle")
    #expect(try json("/weather", ["city": "osthavn"])["now"]?["temperature"] == 15)
  }

  @Test(arguments: ["lighthouse", "LIGHTHOUSE", " lighthouse "])
  func aSearchFindsTitlesInAnyCase(_ query: String) throws {
    let json = try json("/movies", ["query": query])
    let titles = json["results"]?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
    #expect(!titles.isEmpty)
    #expect(titles.allSatisfy { $0.contains("Lighthouse") })
  }

  @Test func aSearchNeedsNoAccents() throws {
    let accented = Catalogue().movies(matching: "Søren").count
    #expect(Catalogue().movies(matching: "Zoe") == Catalogue().movies(matching: "Zoé"))
    #expect(!Catalogue().movies(matching: "Zoe").isEmpty)
    #expect(accented > 0)
  }

  @Test func aSearchWithoutFindsIsEmpty() throws {
    let json = try json("/movies", ["query": "no such title"])
    #expect(json == ["page": 1, "pages": 0, "total": 0, "results": []])
  }

  @Test func aMovieHasDetails() throws {
    let json = try json("/movies/7")
    #expect(json["id"] == 7)
    #expect(json["overview"]?.stringValue?.isEmpty == false)
    #expect(json["cast"]?.arrayValue?.isEmpty == false)
  }

  @Test(arguments: [
    ("/movies/201", 404), ("/movies/0", 404), ("/movies/abc", 404), ("/movies/1/x", 404),
    ("/movies/99999999999999999999", 404), ("/", 404), ("/weather", 400), ("/peoplé", 404),
  ])
  func whatIsNotThereIsAnErrorInJSON(_ path: String, status: Int) throws {
    let response = get(path)
    #expect(response.status == status)
    #expect(try JSON(parsing: response.body)["error"]?.stringValue?.isEmpty == false)
  }

  @Test(arguments: ["0", "-1", "x", "1.5", "", "9223372036854775807"])
  func aPageThatIsNoneIsRefused(_ page: String) {
    #expect(get("/movies", ["page": page]).status == 400)
  }

  @Test func onlyReadingIsAllowed() {
    #expect(server.respond(to: ServerRequest(method: "POST", path: "/movies")).status == 405)
  }

  @Test func placesAreFoundAndHaveWeather() throws {
    let found = try json("/cities", ["query": "port"])["results"]?.arrayValue
    #expect(found?[0]["name"] == "Port Quill")
    let all = try #require(try json("/cities")["results"]?.arrayValue)
    #expect(all.count == City.all.count)
    #expect(Set(all.compactMap { $0["id"]?.stringValue }).count == all.count)
    for city in all {
      let weather = try json("/weather", ["city": city["id"]?.stringValue ?? ""])
      #expect(weather["city"] == city)
      #expect(weather["days"]?.arrayValue?.count == City.forecastDays)
    }
    #expect(get("/weather", ["city": "london"]).status == 404)
  }

  @Test func itServesOverHTTPAndFailsOnPurposeAsOftenAsItIsTold() async throws {
    let server = try CatalogueServer.start(temper: .init(failurePercent: 50, seed: 7))
    let url = try #require(URL(string: server.url))
    var statuses: [Int] = []
    for _ in 0..<40 {
      statuses.append(try await HTTPClient.live.get(url.appending(path: "movies/1")).status)
    }
    await server.stop()
    #expect(Set(statuses) == [200, 503])
    let again = try CatalogueServer.start(temper: .init(failurePercent: 50, seed: 7))
    let other = try #require(URL(string: again.url))
    for status in statuses {
      let repeated = try await HTTPClient.live.get(other.appending(path: "movies/1")).status
      #expect(repeated == status)
    }
    await again.stop()
  }

  @Test func aSlowServerCanBeStopped() async throws {
    let server = try CatalogueServer.start(temper: .init(latency: .seconds(3_600)))
    let url = try #require(URL(string: server.url))
    let task = Task { () throws(HTTPError) in
      try await HTTPClient.live.perform(HTTPRequest(.get, url, timeout: .milliseconds(300)))
    }
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error?.reason == .timedOut(after: .milliseconds(300)))
    await server.stop()
  }
}
