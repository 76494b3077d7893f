extension JSONParser {
  /// Parses the string that starts at the current byte, a quote.
  ///
  /// Leaves its canonical length in ``parsedBytes``.
  mutating func parseString() throws(JSONParseError) -> String {
    position += 1
    if let short = scanShort() { return short.asciiString }
    let first = position
    let isASCII = scanPlain()
    guard position < end else { throw error(.unexpectedEnd) }
    switch position.pointee {
    case UInt8(ascii: "\""):
      let bytes = UnsafeBufferPointer(start: first, count: position - first)
      position += 1
      parsedBytes = bytes.count &+ 2
      guard isASCII else { return try validated(bytes) }
      return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: true))
    case UInt8(ascii: "\\"): return try parseEscaped(from: first, isASCII: isASCII)
    default: throw error(.controlCharacter)
    }
  }

  /// Moves behind the quote that ends a string of at most 15 plain ASCII bytes, and gives them back;
  /// stays where the string is another.
  @inline(__always)
  private mutating func scanShort() -> ShortText? {
    guard canMakeShortTexts, end - position >= 16 else { return nil }
    let text = UnsafeRawPointer(position)
    var low = text.loadUnaligned(as: UInt64.self).littleEndian
    var high: UInt64 = 0
    var count = 0
    var special = WordOfBytes.escapes(in: low)
    if special != 0 {
      count = special.trailingZeroBitCount / 8
      low = WordOfBytes.prefix(of: low, count: count)
    } else {
      high = text.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
      special = WordOfBytes.escapes(in: high)
      guard special != 0 else { return nil }
      count = special.trailingZeroBitCount / 8
      high = WordOfBytes.prefix(of: high, count: count)
      count &+= 8
    }
    guard position[count] == UInt8(ascii: "\""), (low | high) & 0x8080_8080_8080_8080 == 0 else {
      return nil
    }
    position += count &+ 1
    parsedBytes = count &+ 2
    return ShortText(ascii: low, high, count: count)
  }

  /// Moves to the next quote, backslash or control character, eight bytes at a time.
  ///
  /// - Returns: whether all bytes passed are ASCII.
  @inline(__always)
  private mutating func scanPlain() -> Bool {
    var pairs = SIMD2<UInt64>.zero
    while end - position >= 16 {
      let pair = UnsafeRawPointer(position).loadUnaligned(as: SIMD2<UInt64>.self)
      let special = WordOfBytes.escapes(in: pair)
      if special.x | special.y != 0 { break }
      pairs |= pair
      position += 16
    }
    var bits = pairs.x | pairs.y
    while end - position >= 8 {
      let word = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self).littleEndian
      let special = WordOfBytes.escapes(in: word)
      if special != 0 {
        let shift = special.trailingZeroBitCount & ~7
        position += shift / 8
        bits |= word & ((1 &<< UInt64(truncatingIfNeeded: shift)) &- 1)
        return bits & 0x8080_8080_8080_8080 == 0
      }
      bits |= word
      position += 8
    }
    while position < end, escapeGrowth(of: position.pointee) == 0 {
      bits |= UInt64(position.pointee)
      position += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// Makes a string of bytes that are not all ASCII.
  @inline(never)
  private func validated(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONParseError) -> String {
    if let string = String(validating: bytes, as: UTF8.self) { return string }
    var valid = 0
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&rest) { valid += UTF8.width(scalar) }
    let offset = bytes.baseAddress.map { $0 - start } ?? 0
    throw JSONParseError(offset: offset + valid, reason: .invalidUTF8)
  }

  /// Parses a string with escapes, whose first `\` is the current byte.
  @inline(never)
  private mutating func parseEscaped(
    from first: UnsafePointer<UInt8>, isASCII: Bool
  ) throws(JSONParseError) -> String {
    parsedEscapes = true
    isSpeltCanonically = false
    var bytes: [UInt8] = []
    var run = UnsafeBufferPointer(start: first, count: position - first)
    var isRunASCII = isASCII
    while true {
      if !isRunASCII { _ = try validated(run) }
      bytes.append(contentsOf: run)
      guard position < end else { throw error(.unexpectedEnd) }
      if position.pointee == UInt8(ascii: "\"") { break }
      guard position.pointee == UInt8(ascii: "\\") else { throw error(.controlCharacter) }
      try parseEscape(into: &bytes)
      let start = position
      isRunASCII = scanPlain()
      run = UnsafeBufferPointer(start: start, count: position - start)
    }
    position += 1
    let string = String(decoding: bytes, as: UTF8.self)
    parsedBytes = encodedLength(of: string)
    return string
  }
}
