/// The method of a request, such as `GET`.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral
{
  /// The method as it is sent; case matters.
  public let rawValue: String

  /// Names a method.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Names a method.
  public init(stringLiteral value: String) { rawValue = value }

  /// Reads.
  public static let get: HTTPMethod = "GET"
  /// Reads the headers alone.
  public static let head: HTTPMethod = "HEAD"
  /// Submits.
  public static let post: HTTPMethod = "POST"
  /// Replaces.
  public static let put: HTTPMethod = "PUT"
  /// Changes in part.
  public static let patch: HTTPMethod = "PATCH"
  /// Removes.
  public static let delete: HTTPMethod = "DELETE"
}
