import DuxHTTP
import DuxJSON
import ExampleHTTP
import Foundation
import Synchronization
import Testing

/// How the live client follows redirects.
struct RedirectTests {
  /// A server whose `/from/STATUS` leads to `/to`, which tells what arrived.
  private func withRedirects(
    to target: String = "/to", _ body: (URL) async throws -> Void
  ) async throws {
    try await HTTPServer.running { request in
      guard request.path == "/to" else {
        let status = request.segments.last.flatMap { Int($0) } ?? 302
        return ServerResponse(
          status: status, headers: ["Location": target], body: Array("elsewhere".utf8))
      }
      return .json([
        "method": .string(request.method),
        "body": .string(String(decoding: request.body, as: UTF8.self)),
        "authorization": .string(request.headers["authorization"] ?? "none"),
      ])
    } body: { server in
      try await body(server.endpoint)
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func aRedirectOfAGetIsFollowed(_ status: Int) async throws {
    try await withRedirects { url in
      let response = try await HTTPClient.live.get(
        url.appending(path: "from/\(status)"), headers: ["Authorization": "Bearer abc"])
      #expect(response.status == 200)
      #expect(response.request?.url.path() == "/to")
      #expect(try response.json()["authorization"] == "Bearer abc")
    }
  }

  @Test(arguments: [
    (301, "GET", ""), (302, "GET", ""), (303, "GET", ""), (307, "POST", "\"x\""),
    (308, "POST", "\"x\""),
  ])
  func aRedirectOfAPostKeepsItsBodyWhereTheStatusSaysSo(
    _ status: Int, method: String, body: String
  ) async throws {
    try await withRedirects { url in
      let json = try await HTTPClient.live.post(
        url.appending(path: "from/\(status)"), json: "x" as JSON
      ).json()
      #expect(json["method"] == .string(method))
      #expect(json["body"] == .string(body))
    }
  }

  @Test func aLoopIsCut() async throws {
    let count = Mutex(0)
    try await HTTPServer.running { _ in
      count.withLock { $0 += 1 }
      return ServerResponse(status: 302, headers: ["Location": "/again"])
    } body: { server in
      let error = await #expect(throws: HTTPError.self) {
        try await HTTPClient.live.get(server.endpoint)
      }
      #expect(error?.reason == .tooManyRedirects(maximum: 10))
    }
    #expect(count.withLock { $0 } == 11)
  }

  @Test func whatProvesWhoIsAskingStaysWithItsServer() async throws {
    try await withRedirects { other in
      try await withRedirects(to: other.appending(path: "to").absoluteString) { url in
        let json = try await HTTPClient.live.get(url, headers: ["Authorization": "Bearer abc"])
          .json()
        #expect(json["authorization"] == "none")
      }
    }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:alert(1)", "http://"])
  func aRedirectToAnotherKindOfURLIsRefused(_ target: String) async throws {
    try await withRedirects(to: target) { url in
      let error = await #expect(throws: HTTPError.self) { try await HTTPClient.live.get(url) }
      #expect(error?.reason == .refusedRedirect("it leads to no http or https URL"))
    }
  }

  @Test(arguments: [
    "//", "///x", "?", "#", "?a=%ZZ", "%", "/%zz", "http://[::1", "http://a b/", "http:///x", ":",
    "::",
    "//host:99999999/", "http://user:pass@/x", "/\u{7F}", "..//..//x?y#z", "http://%00/",
  ])
  func anOddPlaceCrashesNothing(_ target: String) async throws {
    try await withRedirects(to: target) { url in
      _ = try? await HTTPClient.live.perform(HTTPRequest(.get, url, timeout: .seconds(2)))
    }
  }
}
