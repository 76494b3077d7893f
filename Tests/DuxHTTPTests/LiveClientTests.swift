import DuxHTTP
import DuxJSON
import ExampleHTTP
import Foundation
import Synchronization
import Testing

/// The live client against a real server.
struct LiveClientTests {
  struct Movie: Codable, Equatable, Sendable {
    var id: Int
    var title: String
  }

  private func withEcho(_ body: (URL) async throws -> Void) async throws {
    try await HTTPServer.running { request in
      .json([
        "method": .string(request.method), "path": .string(request.path),
        "query": .object(JSONObject(request.query)),
        "headers": .object(JSONObject(request.headers)),
        "body": .string(String(decoding: request.body, as: UTF8.self)),
      ])
    } body: { server in
      try await body(server.endpoint)
    }
  }

  @Test func aGetArrivesWithItsQueryAndHeadersAndIsDecoded() async throws {
    try await withEcho { url in
      let json = try await HTTPClient.live.get(
        url.appending(path: "a/b"), query: ["q": "x+y & z=ü/🎬", "page": "2"],
        headers: ["Accept-Language": "tr"]
      ).json()
      #expect(json["method"] == "GET")
      #expect(json["path"] == "/a/b")
      #expect(json["query"] == ["q": "x+y & z=ü/🎬", "page": "2"])
      #expect(json["headers"]?["accept-language"] == "tr")
    }
  }

  @Test func aPostSendsJSONAndSaysSo() async throws {
    try await withEcho { url in
      let movie = Movie(id: 7, title: "Ölüm \"ve\" 🎬\r\nX: y")
      let json = try await HTTPClient.live.post(url, json: movie).json()
      #expect(json["headers"]?["content-type"] == "application/json")
      let body = Data((json["body"]?.stringValue ?? "").utf8)
      #expect(try JSONDecoder().decode(Movie.self, from: body) == movie)
    }
  }

  @Test func aPathBeyondASCIIArrivesAsItIs() async throws {
    try await withEcho { url in
      let json = try await HTTPClient.live.get(url.appending(path: "çay/100% ☕️")).json()
      #expect(json["path"] == "/çay/100% ☕️")
    }
  }

  @Test(arguments: ["PUT", "PATCH", "DELETE"] as [HTTPMethod])
  func otherMethodsCarryTheirBody(_ method: HTTPMethod) async throws {
    try await withEcho { url in
      let request = HTTPRequest(method, url, body: Data("abc".utf8))
      let json = try await HTTPClient.live.perform(request).json()
      #expect(json["method"] == .string(method.rawValue))
      #expect(json["body"] == "abc")
    }
  }

  @Test func aHeadHasHeadersAndNoBody() async throws {
    try await withEcho { url in
      let response = try await HTTPClient.live.perform(
        HTTPRequest(.head, url, maximumBodyBytes: 0))
      #expect(response.status == 200)
      #expect(response.body.isEmpty)
      #expect(response.headers["Content-Length"] != nil)
    }
  }

  @Test func aStatusOfRefusalIsAnAnswerAndAsJSONAnError() async throws {
    try await HTTPServer.running { _ in
      .error("there is no movie 9", status: 404)
    } body: { server in
      let response = try await HTTPClient.live.get(server.endpoint)
      #expect(response.status == 404)
      #expect(try response.decoded(as: [String: String].self) == ["error": "there is no movie 9"])
      let error = #expect(throws: HTTPError.self) { try response.json(as: Movie.self) }
      #expect(
        error?.description
          == "GET \(server.endpoint): status 404: {\"error\":\"there is no movie 9\"}")
    }
  }

  @Test func aDemandForCredentialsIsAnAnswerToo() async throws {
    try await HTTPServer.running { _ in
      var response = ServerResponse.error("who are you", status: 401)
      response.headers["WWW-Authenticate"] = "Basic realm=\"here\""
      return response
    } body: { server in
      for _ in 0..<20 {
        let response = try await HTTPClient.live.get(server.endpoint)
        #expect(response.status == 401)
        #expect(try response.decoded(as: [String: String].self) == ["error": "who are you"])
      }
    }
  }

  @Test func cookiesAreNeitherKeptNorSentBack() async throws {
    let cookies = Mutex<[String?]>([])
    try await HTTPServer.running { request in
      cookies.withLock { $0.append(request.headers["cookie"]) }
      return ServerResponse(headers: ["Set-Cookie": "a=b; Path=/"])
    } body: { server in
      for _ in 0..<3 { try await HTTPClient.live.get(server.endpoint).successful() }
    }
    #expect(cookies.withLock { $0 } == [nil, nil, nil])
  }

  @Test func manyRequestsRunAtATime() async throws {
    try await withEcho { url in
      let found = try await withThrowingTaskGroup(of: String?.self) { group in
        for number in 0..<100 {
          group.addTask {
            try await HTTPClient.live.get(url, query: ["n": "\(number)"]).json()["query"]?["n"]?
              .stringValue
          }
        }
        return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(found == Set((0..<100).map { "\($0)" }))
    }
  }
}

extension HTTPServer {
  /// Where the server is reached, as a URL.
  var endpoint: URL { URL(string: url + "/") ?? URL(filePath: "/") }
}

extension JSONObject {
  fileprivate init(_ texts: [String: String]) {
    self.init()
    for (name, text) in texts { self[name] = .string(text) }
  }
}
