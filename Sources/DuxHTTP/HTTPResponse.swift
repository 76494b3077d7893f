public import DuxJSON
public import Foundation

/// What a server answered.
public struct HTTPResponse: Hashable, Sendable {
  /// The status, such as 200.
  public var status: Int
  /// What the server told beside the body.
  public var headers: HTTPHeaders
  /// The body, decompressed.
  public var body: Data
  /// The request that was answered, which after redirects is the last one; nothing for an answer
  /// that was made up.
  public var request: HTTPRequest?

  /// Describes an answer.
  public init(
    status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data(), request: HTTPRequest? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.request = request
  }

  /// Makes an answer that carries JSON.
  public static func json(_ value: JSON, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "application/json"], body: Data(value.bytes))
  }

  /// Whether the status is one of success, 200 to 299.
  public var isSuccess: Bool { (200...299).contains(status) }
}

extension HTTPResponse: CustomStringConvertible {
  /// The request, the status and the length: neither headers nor body, which may hold secrets.
  public var description: String {
    "\(request?.description ?? "an answer"): status \(status), \(body.count) bytes"
  }
}
