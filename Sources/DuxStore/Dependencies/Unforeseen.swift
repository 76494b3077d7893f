/// A dependency was used that no value was given for.
public struct UnforeseenUse: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was used.
  public let dependency: String

  /// Makes the error, and reports nothing.
  public init(dependency: String) {
    self.dependency = dependency
  }

  /// What was used, and what is missing.
  public var description: String {
    "the dependency \"\(dependency)\" is used, and no value was given for it"
  }
}

/// Reports that a dependency is used that no value was given for, and makes the error to throw then:
/// what the functions of a test value do.
///
/// ```swift
/// static let failing = WeatherClient(
///   cities: { _ in throw unforeseen("weather.cities") },
///   report: { _ in throw unforeseen("weather.report") })
/// ```
@discardableResult
public func unforeseen(_ dependency: String) -> UnforeseenUse {
  let use = UnforeseenUse(dependency: dependency)
  reportIssue(use.description)
  return use
}
