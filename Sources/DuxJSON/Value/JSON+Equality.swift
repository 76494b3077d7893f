extension JSON: Hashable {
  /// Whether both have the same canonical bytes: `1` is not `1.0`, `0.0` is not `-0.0`.
  ///
  /// - Complexity: O(size), without the parts that both share.
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: left.isTriviallyIdentical(to: right)
    }
  }

  /// Feeds what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value ? 1 as UInt8 : 2)
    case .integer(let value):
      hasher.combine(3 as UInt8)
      hasher.combine(value)
    case .double(let value):
      hasher.combine(4 as UInt8)
      hasher.combine(value.bitPattern)
    case .string(let value):
      hasher.combine(5 as UInt8)
      hasher.combineBytes(of: value)
    case .array(let value):
      hasher.combine(6 as UInt8)
      value.hash(into: &hasher)
    case .object(let value):
      hasher.combine(7 as UInt8)
      value.hash(into: &hasher)
    }
  }

  /// Whether both are equal as the `test` operation of RFC 6902 wants it.
  ///
  /// As ``==(_:_:)``, but numbers are equal by their exact value: `1` matches `1.0`, `0.0` matches
  /// `-0.0`, and 2^53 + 1 matches no double.
  public func matches(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.integer(let a), .double(let b)): Int64(exactly: b) == a
    case (.double(let a), .integer(let b)): Int64(exactly: a) == b
    case (.double(let a), .double(let b)): a == b
    case (.array(let a), .array(let b)):
      a.tree.isEqual(to: b.tree) { $0.matches($1) }
    case (.object(let a), .object(let b)):
      a.tree.isEqual(to: b.tree) { hasSameBytes($0.key, $1.key) && $0.value.matches($1.value) }
    default: isTriviallyIdentical(to: other)
    }
  }
}

extension JSONArray: Hashable {
  /// Whether both have equal elements in the same order.
  public static func == (left: JSONArray, right: JSONArray) -> Bool {
    left.tree.size == right.tree.size && left.tree.isEqual(to: right.tree) { $0 == $1 }
  }

  /// Feeds the elements.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { element.hash(into: &hasher) }
  }
}

extension JSONObject: Hashable {
  /// Whether both have equal values for the same keys.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.tree.size == right.tree.size
      && left.tree.isEqual(to: right.tree) { hasSameBytes($0.key, $1.key) && $0.value == $1.value }
  }

  /// Feeds the members in the order of their keys.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for (key, value) in self {
      hasher.combineBytes(of: key)
      value.hash(into: &hasher)
    }
  }
}
