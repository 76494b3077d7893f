import DuxJSON
import Foundation

/// `value` as another type where both types are the same.
@inline(__always)
func identity<Value, Other>(_ value: Value, _ type: Other.Type) -> Other? {
  // A cast asks the runtime, which costs more than the rest of encoding a number; the types are
  // known to be one.
  Value.self == Other.self ? unsafeBitCast(value, to: Other.self) : nil
}

extension ValueEncoder {
  /// The JSON of a value of one of the types that this coder knows by itself.
  func scalar<Value: Encodable>(_ value: Value, at step: PathStep) throws -> JSON? {
    if let value = identity(value, String.self) { return .string(value) }
    if let value = identity(value, Int.self) { return .integer(Int64(value)) }
    if let value = identity(value, Bool.self) { return .bool(value) }
    if let value = identity(value, Double.self) { return try number(value, at: step) }
    if let value = identity(value, JSON.self) { return value }
    if let value = identity(value, UUID.self) { return .string(value.uuidString) }
    if let value = identity(value, Date.self) { return try date(value, at: step) }
    if let value = identity(value, URL.self) { return .string(value.absoluteString) }
    if let value = identity(value, Data.self) { return .string(value.base64EncodedString()) }
    if let value = identity(value, Decimal.self) { return try decimal(value, at: step) }
    return nil
  }

  func number<Number: FixedWidthInteger>(_ value: Number, at step: PathStep) throws -> JSON {
    guard let exact = Int64(exactly: value) else {
      throw unencodable(value, "must fit a signed integer of 64 bits, it is \(value)", at: step)
    }
    return .integer(exact)
  }

  func number<Number: BinaryFloatingPoint>(_ value: Number, at step: PathStep) throws -> JSON {
    guard value.isFinite else {
      throw unencodable(value, "must be finite, it is \(value)", at: step)
    }
    return .double(Double(value))
  }

  private func date(_ date: Date, at step: PathStep) throws -> JSON {
    guard let json = date.millisecondsJSON else {
      throw unencodable(date, "must be a finite date", at: step)
    }
    return json
  }

  private func decimal(_ value: Decimal, at step: PathStep) throws -> JSON {
    guard value.isFinite else { throw unencodable(value, "must be finite, it is NaN", at: step) }
    return .string(value.description)
  }
}

extension Date {
  /// The date that is some milliseconds after 1970 began.
  static func at(milliseconds: Double) -> Date {
    Date.init(timeIntervalSince1970: milliseconds / 1000)
  }

  /// Milliseconds since 1970 as JSON; nothing where they are not finite.
  ///
  /// An integer where a whole number of milliseconds gives this date back or is closer than the
  /// 10,000th part of one, which is less than dates are exact to.
  var millisecondsJSON: JSON? {
    let exact = timeIntervalSince1970 * 1000
    guard exact.isFinite else { return nil }
    let whole = exact.rounded()
    if let integer = Int64(exactly: whole),
      abs(exact - whole) <= 1e-4 || Date.at(milliseconds: whole) == self
    {
      return .integer(integer)
    }
    // The product is rounded, so that the number which gives this date back may be a neighbour.
    let candidates = [exact, exact.nextUp, exact.nextDown]
    return .double(candidates.first { Date.at(milliseconds: $0) == self } ?? exact)
  }
}
