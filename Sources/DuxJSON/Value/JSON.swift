/// A JSON value of RFC 8259 within the bounds of I-JSON (RFC 7493).
///
/// Containers are persistent: copies share storage, and a change copies only the path to it.
/// Integers and doubles are different values: `1` is not `1.0`. A double that is not finite is
/// outside JSON: the parser never makes one, and the writer puts `null` in its place.
///
/// Writing, comparing, merging and releasing a value takes call stack in proportion to its depth,
/// which parser and patches keep at 1,000 or less.
public enum JSON: Sendable {
  /// The literal `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number written without fraction and exponent.
  case integer(Int64)
  /// A number written with a fraction or an exponent.
  case double(Double)
  /// A string.
  case string(String)
  /// An array.
  case array(JSONArray)
  /// An object.
  case object(JSONObject)
}

extension JSON {
  /// The object, if this is one.
  @inlinable
  public var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The array, if this is one.
  @inlinable
  public var arrayValue: JSONArray? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The string, if this is one.
  @inlinable
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The integer, if this is one; a double never is.
  @inlinable
  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The truth value, if this is one.
  @inlinable
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The member of an object; nothing where this is no object or has no such key.
  public subscript(key: String) -> JSON? {
    if case .object(let value) = self { value[key] } else { nil }
  }

  /// Whether both are certainly the same value, found without walking a container.
  func isTriviallyIdentical(to other: JSON) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)): hasSameBytes(a, b)
    case (.array(let a), .array(let b)): a.isIdentical(to: b)
    case (.object(let a), .object(let b)): a.isIdentical(to: b)
    default: false
    }
  }
}
