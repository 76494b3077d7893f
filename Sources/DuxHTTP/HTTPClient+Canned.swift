import DuxStore
import Foundation

extension HTTPClient {
  /// A client that answers from a list, for previews and tests.
  ///
  /// ```swift
  /// .canned(["GET /movies?page=1": .json(["results": []]), "/movies/7": .json(["id": 7])])
  /// ```
  ///
  /// A key is a path, with a query or without, behind a method or not; host and port don't matter.
  /// The key that says most wins. A request that no key fits fails as `unprepared`.
  public static func canned(_ answers: [String: HTTPResponse]) -> HTTPClient {
    HTTPClient { (request) throws(HTTPError) in
      try request.checkValidity()
      for key in request.cannedKeys {
        guard var answer = answers[key] else { continue }
        answer.request = request
        return answer
      }
      let known = answers.keys.sorted().joined(separator: ", ")
      throw HTTPError(
        request,
        .unprepared("no canned answer (there are: \(known.isEmpty ? "none" : known))"))
    }
  }

  /// A client that fails when it is used, so that a test notices a request it did not expect.
  public static let unprepared = HTTPClient { (request) throws(HTTPError) in
    let error = HTTPError(
      request, .unprepared("'http' is used and has no value; set it to HTTPClient.canned(…)"))
    reportIssue(error.description)
    throw error
  }
}

extension HTTPRequest {
  /// The keys that fit this request, the one that says most first.
  fileprivate var cannedKeys: [String] {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return [] }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    let places = [parts.percentEncodedQuery.map { path + "?" + $0 }, path].compactMap { $0 }
    return places.map { method.rawValue + " " + $0 } + places
  }
}
