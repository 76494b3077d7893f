public import Foundation

/// A request, as a value.
public struct HTTPRequest: Hashable, Sendable {
  /// What to do.
  public var method: HTTPMethod
  /// Where: an `http` or `https` URL.
  public var url: URL
  /// What to tell beside the URL; `Content-Length` and the like are added on the way.
  public var headers: HTTPHeaders
  /// What to send; a `GET` or `HEAD` sends nothing.
  public var body: Data?
  /// How long the whole exchange may take, redirects included.
  public var timeout: Duration
  /// How long the body of the answer may be, decompressed.
  public var maximumBodyBytes: Int

  /// The time a request gets when nobody says otherwise.
  public static let usualTimeout: Duration = .seconds(30)
  /// The length an answer may have when nobody says otherwise: 8 MiB.
  public static let usualMaximumBodyBytes = 8 << 20

  /// Describes a request.
  public init(
    _ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: Data? = nil,
    timeout: Duration = usualTimeout, maximumBodyBytes: Int = usualMaximumBodyBytes
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.maximumBodyBytes = maximumBodyBytes
  }
}

extension HTTPRequest {
  /// Adds parameters behind those that the URL has, in the order of their names.
  ///
  /// Whatever is not a letter, a digit or one of `-._~` is percent-encoded, `+` too, which many
  /// servers take for a space.
  public mutating func appendQuery(_ parameters: [String: String]) {
    guard !parameters.isEmpty,
      var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return }
    let encoded = parameters.sorted { $0.key < $1.key }.map { name, value in
      Self.percentEncoded(name) + "=" + Self.percentEncoded(value)
    }
    let present = components.percentEncodedQuery.flatMap { $0.isEmpty ? nil : $0 }
    components.percentEncodedQuery = ([present].compactMap { $0 } + encoded).joined(separator: "&")
    url = components.url ?? url
  }

  private static func percentEncoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

extension HTTPRequest: CustomStringConvertible {
  /// Method and URL, without what a URL may hide: name, password, query and fragment.
  public var description: String { "\(method.rawValue) \(url.withoutSecrets)" }
}
