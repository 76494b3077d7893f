package import DuxJSON

/// What a server answers.
package struct ServerResponse: Sendable, Equatable {
  /// The status, such as 200.
  package var status: Int
  /// The headers.
  package var headers: [String: String]
  /// The body.
  package var body: [UInt8]

  /// Describes an answer.
  package init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Makes an answer of JSON.
  package static func json(_ value: JSON, status: Int = 200) -> ServerResponse {
    ServerResponse(
      status: status, headers: ["Content-Type": "application/json; charset=utf-8"],
      body: value.bytes)
  }

  /// Makes a refusal, `{"error": …}`.
  package static func error(_ message: String, status: Int) -> ServerResponse {
    json(["error": .string(message)], status: status)
  }
}
