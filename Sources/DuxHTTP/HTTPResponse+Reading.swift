public import DuxJSON
public import Foundation

extension HTTPResponse {
  /// Passes an answer on if its status is one of success.
  ///
  /// - Throws: `badStatus`, with the beginning of the body.
  @discardableResult
  public func successful() throws(HTTPError) -> HTTPResponse {
    guard isSuccess else { throw HTTPError(self, .badStatus(status, excerpt: excerpt)) }
    return self
  }

  /// Decodes the body of a successful answer.
  ///
  /// - Throws: `badStatus`, or `garbage` naming the place that does not fit.
  public func json<Value: Decodable>(
    as type: Value.Type, decoder: JSONDecoder = JSONDecoder()
  ) throws(HTTPError) -> Value {
    try successful().decoded(as: type, decoder: decoder)
  }

  /// Decodes the body, whatever the status: for servers that explain a refusal in JSON.
  ///
  /// - Throws: `garbage` naming the place that does not fit. What is found there is described, not
  ///   quoted: an answer of another shape may hold a token anywhere.
  public func decoded<Value: Decodable>(
    as type: Value.Type, decoder: JSONDecoder = JSONDecoder()
  ) throws(HTTPError) -> Value {
    do {
      return try decoder.decode(type, from: body)
    } catch let error as DecodingError {
      throw garbage(error, as: "\(type)")
    } catch {
      throw HTTPError(self, .garbage("status \(status), the body is no \(type)"))
    }
  }

  /// The body of a successful answer as a tree.
  ///
  /// - Throws: `badStatus`, or `garbage` for a body that is no JSON of RFC 7493.
  public func json() throws(HTTPError) -> JSON {
    try successful()
    do throws(JSONParseError) {
      return try JSON(parsing: [UInt8](body))
    } catch {
      throw notJSON(because: error.description)
    }
  }

  private func garbage(_ error: DecodingError, as type: String) -> HTTPError {
    let (path, expectation) = error.placeAndExpectation
    let received: JSON
    do throws(JSONParseError) {
      received = try JSON(parsing: [UInt8](body))
    } catch {
      return notJSON(because: error.description)
    }
    let place = path.isEmpty ? "" : " at /" + path.joined(separator: "/")
    let found =
      JSONPointer(tokens: path).isRoot ? received : received.value(at: .init(tokens: path))
    let description = found.map { $0.outline } ?? "nothing"
    return HTTPError(
      self,
      .garbage("status \(status), no \(type)\(place): \(expectation), received \(description)"))
  }

  private func notJSON(because reason: String) -> HTTPError {
    let text = body.isEmpty ? "the body is empty" : "the body is no JSON (\(reason)): \(excerpt)"
    return HTTPError(self, .garbage("status \(status), \(text)"))
  }
}

extension DecodingError {
  /// Where decoding stopped, and what was wanted there.
  fileprivate var placeAndExpectation: (path: [String], expectation: String) {
    switch self {
    case .typeMismatch(let type, let context):
      (Self.tokens(context), "expected \(type)")
    case .valueNotFound(let type, let context):
      (Self.tokens(context), "expected \(type)")
    case .keyNotFound(let key, let context):
      (Self.tokens(context), "expected a member '\(key.stringValue)'")
    case .dataCorrupted(let context):
      (Self.tokens(context), "expected another value")
    @unknown default:
      ([], "expected another value")
    }
  }

  private static func tokens(_ context: Context) -> [String] {
    context.codingPath.map { $0.intValue.map { String($0) } ?? $0.stringValue }
  }
}

extension JSON {
  /// What kind of value this is, without its content.
  fileprivate var outline: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .integer: "an integer"
    case .double: "a number"
    case .string(let text): "a string of \(text.utf8.count) bytes"
    case .array(let elements): "an array of \(elements.count)"
    case .object(let members): "an object with \(Self.keys(of: members))"
    }
  }

  private static func keys(of members: JSONObject) -> String {
    guard !members.isEmpty else { return "no members" }
    let shown = members.prefix(10).map { String($0.key.prefix(40)).printable }
    let more = members.count > shown.count ? " and more" : ""
    return "the members " + shown.joined(separator: ", ") + more
  }
}
