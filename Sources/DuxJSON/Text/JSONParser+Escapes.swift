extension JSONParser {
  /// Parses one escape, which starts at the current byte, and appends what it stands for.
  mutating func parseEscape(into bytes: inout [UInt8]) throws(JSONParseError) {
    guard end - position >= 2 else {
      position = end
      throw error(.unexpectedEnd)
    }
    let escape = position
    position += 2
    switch escape[1] {
    case UInt8(ascii: "\""): bytes.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): bytes.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0c)
    case UInt8(ascii: "n"): bytes.append(0x0a)
    case UInt8(ascii: "r"): bytes.append(0x0d)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"):
      let scalar = try parseScalar(escapedAt: escape)
      UTF8.encode(scalar) { bytes.append($0) }
    default:
      position = escape
      throw error(.malformedEscape)
    }
  }

  /// Parses the digits after `\u`, and a second escape after a high surrogate.
  private mutating func parseScalar(
    escapedAt escape: UnsafePointer<UInt8>
  ) throws(JSONParseError) -> Unicode.Scalar {
    let unit = try parseHex(escapedAt: escape)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xdc00, end - position >= 2, position[0] == UInt8(ascii: "\\"),
      position[1] == UInt8(ascii: "u")
    else {
      position = escape
      throw error(.loneSurrogate)
    }
    let second = position
    position += 2
    let low = try parseHex(escapedAt: second)
    let pair = 0x10000 + (UInt32(unit & 0x3ff) << 10 | UInt32(low & 0x3ff))
    guard low >= 0xdc00, low < 0xe000, let scalar = Unicode.Scalar(pair) else {
      position = escape
      throw error(.loneSurrogate)
    }
    return scalar
  }

  private mutating func parseHex(
    escapedAt escape: UnsafePointer<UInt8>
  ) throws(JSONParseError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard position < end else { throw error(.unexpectedEnd) }
      switch position.pointee {
      case let byte where byte &- UInt8(ascii: "0") < 10:
        unit = unit << 4 | UInt16(byte &- UInt8(ascii: "0"))
      case let byte where (byte | 0x20) &- UInt8(ascii: "a") < 6:
        unit = unit << 4 | UInt16((byte | 0x20) &- UInt8(ascii: "a") &+ 10)
      default:
        position = escape
        throw error(.malformedEscape)
      }
      position += 1
    }
    return unit
  }
}
