extension JSON {
  /// The value a pointer leads to; nothing where it leads nowhere.
  ///
  /// Array indices are digits without leading zeros; `-`, the place after the last element, is no value.
  /// - Complexity: O(tokens × log *n*).
  public func value(at pointer: JSONPointer) -> JSON? {
    var value = self
    for token in pointer.tokens {
      guard let next = value.entry(token) else { return nil }
      value = next
    }
    return value
  }

  /// The entry of this container that a token names.
  func entry(_ token: String) -> JSON? {
    switch self {
    case .object(let object): return object[token]
    case .array(let array):
      guard let index = arrayIndex(token), index < array.count else { return nil }
      return array[index]
    default: return nil
    }
  }
}

/// The array index that a token is, if it is one: digits without leading zero that fit an `Int`.
func arrayIndex(_ token: String) -> Int? {
  withBytes(of: token) { bytes in
    guard let first = bytes.first, bytes.count <= 18 else { return nil }
    if first == UInt8(ascii: "0"), bytes.count > 1 { return nil }
    var index = 0
    for byte in bytes {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      index = index &* 10 &+ Int(digit)
    }
    return index
  }
}
