public import DuxJSON
public import Foundation

/// A client of HTTP servers, as a value that effects depend on.
///
/// ```swift
/// @Dependency(\.http) var http
/// let page = try await http.get(url, query: ["page": "2"]).json(as: Page.self)
/// ```
///
/// `live` speaks over the network, ``canned(_:)`` answers from a list, ``unprepared`` fails.
public struct HTTPClient: Sendable {
  /// Sends a request and waits for the whole answer, whatever its status.
  ///
  /// Cancelling the task that waits ends the exchange at once.
  public var perform: @Sendable (HTTPRequest) async throws(HTTPError) -> HTTPResponse

  /// Makes a client of a function.
  public init(
    perform: @escaping @Sendable (HTTPRequest) async throws(HTTPError) -> HTTPResponse
  ) {
    self.perform = perform
  }

  /// Reads from a URL, with `query` added to it.
  public func get(
    _ url: URL, query: [String: String] = [:], headers: HTTPHeaders = [:]
  ) async throws(HTTPError) -> HTTPResponse {
    var request = HTTPRequest(.get, url, headers: headers)
    request.appendQuery(query)
    return try await perform(request)
  }

  /// Submits a value as JSON; equal values are sent as the same bytes, by which a server may know a
  /// request that is repeated.
  public func post(
    _ url: URL, json value: some Encodable, headers: HTTPHeaders = [:]
  ) async throws(HTTPError) -> HTTPResponse {
    var request = HTTPRequest(.post, url, headers: Self.jsonHeaders.merging(headers))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      request.body = try encoder.encode(value)
    } catch {
      // The error may quote the value, which may be a password.
      throw HTTPError(request, .invalidRequest("\(type(of: value)) has no form in JSON"))
    }
    return try await perform(request)
  }

  /// Submits a tree.
  public func post(
    _ url: URL, json value: JSON, headers: HTTPHeaders = [:]
  ) async throws(HTTPError) -> HTTPResponse {
    try await perform(
      HTTPRequest(
        .post, url, headers: Self.jsonHeaders.merging(headers), body: Data(value.bytes)))
  }

  private static let jsonHeaders: HTTPHeaders = [
    "accept": "application/json", "content-type": "application/json",
  ]
}
