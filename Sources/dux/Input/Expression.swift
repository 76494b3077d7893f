import DuxJSON

/// What `dux wait --until` waits for: a question about a value that may be absent.
///
/// ```
/// EXPR       = AND *("or" AND)
/// AND        = NOT *("and" NOT)
/// NOT        = "not" NOT / "(" EXPR ")" / [PATH] TEST
/// TEST       = "exists" / "missing" / ("==" / "!=" / "<" / ">" / "<=" / ">=" / "contains") VALUE
/// ```
///
/// PATH is a JSON Pointer below the value, VALUE is JSON or a bare word, which is a string.
indirect enum Expression: Equatable {
  case all([Expression])
  case any([Expression])
  case not(Expression)
  /// A test of the value at a path below the one asked about.
  case test(JSONPointer, Test)

  enum Test: Equatable {
    case exists
    case missing
    case equals(JSON)
    case differs(JSON)
    case compares(Comparison, JSON)
    case contains(JSON)
  }

  enum Comparison: String, CaseIterable {
    case less = "<"
    case greater = ">"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
  }

  /// Whether it holds for a value; `nil` for none.
  func holds(for value: JSON?) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.holds(for: value) }
    case .any(let parts): parts.contains { $0.holds(for: value) }
    case .not(let part): !part.holds(for: value)
    case .test(let path, let test): test.holds(for: value?.value(at: path))
    }
  }
}

extension Expression.Test {
  fileprivate func holds(for value: JSON?) -> Bool {
    guard let value else {
      switch self {
      case .missing, .differs: return true
      case .exists, .equals, .compares, .contains: return false
      }
    }
    return switch self {
    case .exists: true
    case .missing: false
    case .equals(let other): value.matches(other)
    case .differs(let other): !value.matches(other)
    case .compares(let comparison, let other):
      Order.of(value, other).map { comparison.allows($0) } ?? false
    case .contains(let other): value.contains(other)
    }
  }
}

extension Expression.Comparison {
  fileprivate func allows(_ order: Order) -> Bool {
    switch self {
    case .less: order == .before
    case .greater: order == .after
    case .lessOrEqual: order != .after
    case .greaterOrEqual: order != .before
    }
  }
}

/// How two values lie to each other.
private enum Order {
  case before
  case same
  case after

  /// Numbers by their exact value, strings by their bytes; `nil` for what has no order.
  static func of(_ left: JSON, _ right: JSON) -> Order? {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): of(a, b)
    case (.double(let a), .double(let b)): of(a, b)
    case (.integer(let a), .double(let b)): of(integer: a, double: b)
    case (.double(let a), .integer(let b)): of(integer: b, double: a).turned
    default: ofStrings(left, right)
    }
  }

  private static func ofStrings(_ left: JSON, _ right: JSON) -> Order? {
    guard let a = left.stringValue, let b = right.stringValue else { return nil }
    if a.utf8.elementsEqual(b.utf8) { return .same }
    return a.utf8.lexicographicallyPrecedes(b.utf8) ? .before : .after
  }

  private static func of<Value: Comparable>(_ a: Value, _ b: Value) -> Order {
    a < b ? .before : a > b ? .after : .same
  }

  /// Without turning the integer into a double, which not all of them can be.
  private static func of(integer: Int64, double: Double) -> Order {
    guard double < 0x1p63 else { return .before }
    guard double >= -0x1p63 else { return .after }
    let floor = double.rounded(.down)
    let whole = Int64(floor)
    return integer == whole ? (double > floor ? .before : .same) : of(integer, whole)
  }

  private var turned: Order {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }
}

extension JSON {
  /// Whether an array has an element, an object a member, or a string a part like this.
  fileprivate func contains(_ other: JSON) -> Bool {
    switch self {
    case .array(let array):
      return array.contains { $0.matches(other) }
    case .object(let object):
      return other.stringValue.map { object[$0] != nil } ?? false
    default:
      guard let text = stringValue, let part = other.stringValue else { return false }
      return part.utf8.isEmpty || Array(text.utf8).contains(Array(part.utf8))
    }
  }
}
