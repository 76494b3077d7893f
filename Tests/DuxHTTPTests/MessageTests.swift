import DuxHTTP
import DuxJSON
import Foundation
import Testing

/// Requests that are refused, and what errors say.
struct MessageTests {
  private struct Page: Decodable {
    struct Movie: Decodable {
      var id: Int
      var title: String
    }
    var results: [Movie]
  }

  private let url = URL(string: "http://ada:pa55word@example.org:81/a%20b?token=s3cr3t#top")

  private func error(
    of response: HTTPResponse, to request: HTTPRequest? = nil
  ) async throws -> HTTPError? {
    let client = HTTPClient.canned(["/a%20b": response])
    let request = HTTPRequest(.get, try #require(url))
    return await #expect(throws: HTTPError.self) {
      try await client.perform(request).json(as: Page.self)
    }
  }

  @Test func anErrorNamesTheURLWithoutItsSecrets() async throws {
    let error = try await error(of: HTTPResponse(status: 503))
    #expect(error?.description == "GET http://example.org:81/a%20b?…: status 503")
    #expect(error?.isTransient == true)
  }

  @Test func anExcerptIsShortAndPrintableAndEchoesNoSecret() async throws {
    let text =
      "no \u{1B}[31m\r\n page s3cr3t for pa55word, " + String(repeating: "x", count: 10_000)
    let error = try await error(of: HTTPResponse(status: 404, body: Data(text.utf8)))
    let description = try #require(error?.description)
    #expect(description.contains("status 404: no [31m page … for …, xxxx"))
    #expect(description.hasSuffix("x…"))
    #expect(description.count < 260)
  }

  @Test func thePasswordThatWasSentIsNotQuotedFromTheAnswer() async throws {
    let client = HTTPClient { (request) throws(HTTPError) in
      HTTPResponse(status: 500, body: request.body ?? Data(), request: request)
    }
    let error = await #expect(throws: HTTPError.self) {
      try await client.post(
        try #require(url), json: ["email": "a@b.example", "password": "correct horse"] as JSON
      ).successful()
    }
    let description = try #require(error?.description)
    #expect(!description.contains("correct horse"))
    #expect(description.contains("status 500"))
  }

  @Test(arguments: [
    ("", "the body is empty"),
    ("<html>", "the body is no JSON (at byte 0: "),
    ("{}", "no Page: expected a member 'results', received an object with no members"),
    ("[1]", "no Page: expected Dictionary<String, Any>, received an array of 1"),
    (
      #"{"results":[{"id":1,"title":"a"},{"id":"hunter2","title":"b"}]}"#,
      "no Page at /results/1/id: expected Int, received a string of 7 bytes"
    ),
    (#"{"results":null,"token":"hunter2"}"#, "no Page at /results: expected"),
  ])
  func anAnswerThatDoesNotFitIsDescribedAndNotQuoted(
    _ body: String, expected: String
  ) async throws {
    let error = try await error(of: HTTPResponse(body: Data(body.utf8)))
    let description = try #require(error?.description)
    #expect(description.contains("status 200, \(expected)"))
    #expect(!description.contains("hunter2"))
  }

  @Test(arguments: ["a\r\nX-Admin: yes", "a\nb", "a\u{0}b", "\u{7F}"])
  func aHeaderThatWouldAddAnotherIsRefused(_ value: String) async throws {
    let request = HTTPRequest(.get, try #require(url), headers: ["X-Name": value])
    let error = await #expect(throws: HTTPError.self) { try await HTTPClient.live.perform(request) }
    #expect(
      error?.reason
        == .invalidRequest("the header 'x-name' has a line break or another control character"))
  }

  @Test(arguments: ["", "a b", "a:", "a\r\nb", "é"])
  func aHeaderWithAnImpossibleNameIsRefused(_ name: String) async throws {
    let request = HTTPRequest(.get, try #require(url), headers: [name: "x"])
    let error = await #expect(throws: HTTPError.self) { try await HTTPClient.live.perform(request) }
    #expect(error?.reason == .invalidRequest("the name of a header is no HTTP token"))
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://example.org/", "/relative", "http:", "data:text/plain,x",
  ])
  func onlyHTTPIsSpoken(_ text: String) async throws {
    let request = HTTPRequest(.get, try #require(URL(string: text)))
    let error = await #expect(throws: HTTPError.self) { try await HTTPClient.live.perform(request) }
    guard case .invalidRequest = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func aRequestThatCannotBeIsRefused() async throws {
    let url = try #require(url)
    for request in [
      HTTPRequest("GET / HTTP/1.1\r\nX:", url), HTTPRequest(.get, url, body: Data("x".utf8)),
      HTTPRequest(.post, url, headers: ["Content-Length": "5"]),
      HTTPRequest(.post, url, headers: ["Transfer-Encoding": "chunked"]),
    ] {
      let error = await #expect(throws: HTTPError.self) {
        try await HTTPClient.live.perform(request)
      }
      guard case .invalidRequest = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func anErrorSurvivesItsWayThroughJSON() throws {
    let request = HTTPRequest(.get, try #require(url))
    let error = HTTPError(request, .timedOut(after: .milliseconds(1_500)))
    let copy = try JSONDecoder().decode(HTTPError.self, from: JSONEncoder().encode(error))
    #expect(copy == error)
  }
}
