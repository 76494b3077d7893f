/// Names a route, whatever stands above or below it and whichever screen it shows.
///
/// It is minted where the step is reduced, from the dependency `uuid`, so the same screen may stand on a
/// stack twice and a replay gives the same ids. The root of a stack that an app begins with is `root`.
public struct RouteID: RawRepresentable, TableID, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The text on the wire.
  public let rawValue: String

  /// Takes a text as it is.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Takes a literal as it is.
  public init(stringLiteral value: String) { rawValue = value }

  /// The root that a stack begins with.
  public static let root: RouteID = "root"

  /// A new id, from the dependency `uuid` in force.
  public static func minted() -> RouteID {
    RouteID(rawValue: DependencyValues.current.uuid().tableKey)
  }

  /// The text.
  public var description: String { rawValue }
}
