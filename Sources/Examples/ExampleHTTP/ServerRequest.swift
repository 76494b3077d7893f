package import DuxJSON

/// A request as a server gets it.
package struct ServerRequest: Sendable {
  /// The method, in capitals.
  package let method: String
  /// The path, percent-decoded, without the query.
  package let path: String
  /// The parameters of the query, decoded; of two with one name, the last.
  package let query: [String: String]
  /// The headers, their names in lower case.
  package let headers: [String: String]
  /// The body.
  package let body: [UInt8]

  /// Describes a request.
  package init(
    method: String, path: String, query: [String: String] = [:], headers: [String: String] = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The parts of the path between slashes, empty ones left out.
  package var segments: [String] { path.split(separator: "/").map { String($0) } }

  /// The body as JSON.
  ///
  /// - Throws: what is wrong with it.
  package func json() throws(JSONParseError) -> JSON { try JSON(parsing: body) }
}
