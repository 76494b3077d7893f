extension JSON {
  /// The length of the canonical text in bytes; saturates at `Int.max`.
  ///
  /// - Complexity: O(1) for a container, O(length) for a string.
  public var encodedByteCount: Int {
    withUnsafePointer(to: self) { PlacedJSON($0).size.bytes }
  }

  /// How deep the value nests: 0 for a scalar, one more than the deepest entry for a container.
  ///
  /// - Complexity: O(1).
  public var depth: Int {
    Int(sizeDepth)
  }

  var sizeDepth: UInt32 {
    switch self {
    case .array(let value): value.tree.size.depth.addingSaturating(1)
    case .object(let value): value.tree.size.depth.addingSaturating(1)
    default: 0
    }
  }
}

extension UInt32 {
  /// The sum, or the greatest integer where that would overflow.
  func addingSaturating(_ other: UInt32) -> UInt32 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension Tree {
  /// The length of the container's canonical text: entries with a comma each, less one, and brackets.
  var encodedByteCount: Int { root == nil ? 2 : size.bytes.addingSaturating(1) }
}

/// The number of characters of a decimal integer, its sign included.
func decimalLength(_ value: Int64) -> Int {
  var rest = value.magnitude
  var length = value < 0 ? 2 : 1
  while rest >= 10 {
    rest /= 10
    length += 1
  }
  return length
}

/// The number of characters of a double in canonical form.
func textLength(of value: Double) -> Int {
  guard value.isFinite else { return 4 }
  let magnitude = value.magnitude
  if magnitude < 1e15, magnitude == magnitude.rounded(.down) {
    let sign = value.sign == .minus ? 1 : 0
    return decimalLength(Int64(magnitude)) + 2 + sign
  }
  return value.description.utf8.count
}
