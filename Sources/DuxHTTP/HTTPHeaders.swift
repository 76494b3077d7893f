/// The headers of a request or a response: one value for each name, whose case does not matter.
///
/// Names are kept in lower case. Headers that a server sent more than once are one value here,
/// joined by commas as RFC 9110 §5.3 allows.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  private var values: [String: String] = [:]

  /// Makes no headers.
  public init() {}

  /// Makes headers; of two with one name, the last counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a header; setting nothing removes it.
  public subscript(name: String) -> String? {
    get { values[name.lowercased()] }
    set { values[name.lowercased()] = newValue }
  }

  /// The names, in ascending order.
  public var names: [String] { values.keys.sorted() }

  /// These headers, with those of `other` in place of their namesakes.
  public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
    var merged = self
    merged.values.merge(other.values) { $1 }
    return merged
  }
}
