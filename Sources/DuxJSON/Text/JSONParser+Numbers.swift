extension JSONParser {
  /// Parses the number that starts at the current byte, a digit or a minus.
  mutating func parseNumber() throws(JSONParseError) -> JSON {
    let first = position
    let isNegative = position.pointee == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let digits = position
    var magnitude: UInt64 = 0
    var isLarge = false
    while let digit = currentDigit() {
      let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
      isLarge = isLarge || overflow || carry
      magnitude = sum
      position += 1
    }
    let count = position - digits
    if count == 0 { throw error(position < end ? .malformedNumber : .unexpectedEnd) }
    if count > 1, digits.pointee == UInt8(ascii: "0") {
      position = digits
      throw error(.malformedNumber)
    }
    if position < end {
      switch position.pointee {
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        let value = try parseFraction(
          from: first, magnitude: isLarge ? nil : magnitude, isNegative: isNegative)
        parsedBytes = textLength(of: value)
        isSpeltCanonically = false
        return .double(value)
      default: break
      }
    }
    return try integer(magnitude, isNegative: isNegative, isLarge: isLarge, from: first)
  }

  @inline(__always)
  private mutating func integer(
    _ magnitude: UInt64, isNegative: Bool, isLarge: Bool, from first: UnsafePointer<UInt8>
  ) throws(JSONParseError) -> JSON {
    let limit = UInt64(Int64.max) &+ (isNegative ? 1 : 0)
    if isLarge || magnitude > limit {
      throw JSONParseError(offset: first - start, reason: .numberOutOfRange)
    }
    parsedBytes = position - first
    if isNegative {
      guard magnitude > 0 else {
        parsedBytes = 4
        isSpeltCanonically = false
        return .double(-0.0)
      }
      return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
    return .integer(Int64(truncatingIfNeeded: magnitude))
  }

  @inline(__always)
  private func currentDigit() -> UInt8? {
    guard position < end else { return nil }
    let digit = position.pointee &- UInt8(ascii: "0")
    return digit < 10 ? digit : nil
  }

  /// Parses the rest of a double, from the point or the exponent on.
  ///
  /// `magnitude` is what the digits before the point give, if they fit.
  private mutating func parseFraction(
    from first: UnsafePointer<UInt8>, magnitude: UInt64?, isNegative: Bool
  ) throws(JSONParseError) -> Double {
    var significand = magnitude
    var exponent = 0
    if position.pointee == UInt8(ascii: ".") {
      position += 1
      let digits = position
      while let digit = currentDigit() {
        if let value = significand {
          significand = value < 100_000_000_000_000_000 ? value * 10 + UInt64(digit) : nil
        }
        position += 1
      }
      exponent = digits - position
      if exponent == 0 { throw error(position < end ? .malformedNumber : .unexpectedEnd) }
    }
    if position < end, position.pointee | 0x20 == UInt8(ascii: "e") {
      exponent += try parseExponent()
    }
    if let significand, let value = Self.exactly(significand, timesTenTo: exponent) {
      return isNegative ? -value : value
    }
    return try slowDouble(from: first)
  }

  /// Parses an exponent; a giant one is cut where it makes no difference.
  private mutating func parseExponent() throws(JSONParseError) -> Int {
    position += 1
    var isNegative = false
    if position < end,
      position.pointee == UInt8(ascii: "+") || position.pointee == UInt8(ascii: "-")
    {
      isNegative = position.pointee == UInt8(ascii: "-")
      position += 1
    }
    let digits = position
    var exponent = 0
    while let digit = currentDigit() {
      exponent = min(exponent * 10 + Int(digit), 1_000_000_000)
      position += 1
    }
    if position == digits { throw error(position < end ? .malformedNumber : .unexpectedEnd) }
    return isNegative ? -exponent : exponent
  }

  /// The correctly rounded value where one exact operation gives it (Clinger's fast path).
  private static func exactly(_ significand: UInt64, timesTenTo exponent: Int) -> Double? {
    guard significand <= 1 << 53, exponent >= -22, exponent <= 22 else { return nil }
    let power = powersOfTen[abs(exponent)]
    return exponent < 0 ? Double(significand) / power : Double(significand) * power
  }

  /// Powers of ten that a double holds exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Leaves rounding to the standard library, which knows no locale.
  private func slowDouble(from first: UnsafePointer<UInt8>) throws(JSONParseError) -> Double {
    let text = String(
      decoding: UnsafeBufferPointer(start: first, count: position - first), as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw JSONParseError(offset: first - start, reason: .numberOutOfRange)
    }
    return value
  }
}
