import DuxHTTP
import DuxJSON
import DuxStore
import Foundation
import Synchronization
import Testing

/// The clients that answer without a network.
struct CannedClientTests {
  private let client = HTTPClient.canned([
    "/movies": .json(["any"]), "GET /movies?page=2": .json(["two"]),
    "POST /movies": .json(["made"], status: 201),
  ])
  private let url = URL(string: "http://example.org/movies")

  @Test func theKeyThatSaysMostWins() async throws {
    let url = try #require(url)
    #expect(try await client.get(url).json() == ["any"])
    #expect(try await client.get(url, query: ["page": "2"]).json() == ["two"])
    #expect(try await client.get(url, query: ["page": "3"]).json() == ["any"])
    #expect(try await client.post(url, json: [:] as JSON).status == 201)
  }

  @Test func equalValuesAreSentAsTheSameBytes() async throws {
    let bodies = Mutex<Set<Data?>>([])
    let client = HTTPClient { request throws(HTTPError) in
      bodies.withLock { _ = $0.insert(request.body) }
      return HTTPResponse()
    }
    for _ in 1...20 {
      let members = (0..<10).map { ("\($0)", $0) }.shuffled()
      let value = Dictionary(uniqueKeysWithValues: members)
      _ = try await client.post(try #require(url), json: value)
    }
    #expect(bodies.withLock { $0.count } == 1)
  }

  @Test func whatIsNotInTheListFailsAndNamesTheList() async throws {
    let url = try #require(URL(string: "http://example.org/people"))
    let error = await #expect(throws: HTTPError.self) { try await client.get(url) }
    #expect(
      error?.description
        == "GET http://example.org/people: no canned answer (there are: /movies, "
        + "GET /movies?page=2, POST /movies)")
  }

  @Test func theDependencyHasAValueForEachMode() async throws {
    let url = try #require(url)
    let issues = Mutex<[String]>([])
    var values = DependencyValues(.test)
    values.issueListener = { text in issues.withLock { $0.append(text) } }
    let error = await DependencyValues.$current.withValue(values) {
      @Dependency(\.http) var http
      return await #expect(throws: HTTPError.self) { try await http.get(url) }
    }
    let description = try #require(error?.description)
    #expect(issues.withLock { $0 } == [description])
    let preview = await #expect(throws: HTTPError.self) {
      try await DependencyValues(.preview).http.get(url)
    }
    guard case .unprepared = preview?.reason else {
      Issue.record("\(String(describing: preview))")
      return
    }
  }
}
