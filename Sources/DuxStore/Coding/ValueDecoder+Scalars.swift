import DuxJSON
import Foundation

extension ValueDecoder {
  /// Reads a value of a type that this coder knows by itself, any other as `otherwise` does.
  @inline(__always)
  func scalar<Value>(
    _ type: Value.Type, _ json: JSON, at step: PathStep, otherwise: () throws -> Value
  ) throws -> Value {
    if type == String.self { return same(try string(json, at: step)) }
    if type == Int.self { return same(try integer(Int.self, json, at: step)) }
    if type == Bool.self { return same(try bool(json, at: step)) }
    if type == Double.self { return same(try double(json, at: step)) }
    if type == JSON.self { return same(json) }
    if type == UUID.self { return same(try uuid(json, at: step)) }
    if type == Date.self { return same(try date(json, at: step)) }
    if type == URL.self { return same(try url(json, at: step)) }
    if type == Data.self { return same(try data(json, at: step)) }
    if type == Decimal.self { return same(try decimal(json, at: step)) }
    return try otherwise()
  }

  /// A value as its own type under another name; the caller has compared the types.
  @inline(__always)
  private func same<Known, Value>(_ value: Known) -> Value {
    // A cast, or an optional of a type known at run time only, would ask the runtime for metadata.
    unsafeBitCast(value, to: Value.self)
  }

  func bool(_ json: JSON, at step: PathStep) throws -> Bool {
    guard case .bool(let value) = json else {
      throw mismatch(Bool.self, "a boolean", json, at: step)
    }
    return value
  }

  func string(_ json: JSON, at step: PathStep) throws -> String {
    guard case .string(let value) = json else {
      throw mismatch(String.self, "a string", json, at: step)
    }
    return value
  }

  func integer<Number: FixedWidthInteger>(
    _ type: Number.Type, _ json: JSON, at step: PathStep
  ) throws -> Number {
    switch json {
    case .integer(let value):
      guard let number = Number(exactly: value) else {
        throw unfit("must fit \(type), it is \(value)", at: step)
      }
      return number
    case .double(let value): throw unfit("must be an integer, it is \(value)", at: step)
    default: throw mismatch(type, "an integer", json, at: step)
    }
  }

  func double(_ json: JSON, at step: PathStep) throws -> Double {
    switch json {
    case .double(let value): return value
    case .integer(let value):
      guard let number = Double(exactly: value) else {
        throw unfit("must be a number that a Double holds exactly, it is \(value)", at: step)
      }
      return number
    default: throw mismatch(Double.self, "a number", json, at: step)
    }
  }

  /// Reads a number of half the width, rounded as all decimal fractions are.
  func float(_ json: JSON, at step: PathStep) throws -> Float {
    let number = try double(json, at: step)
    guard Float(number).isFinite else { throw unfit("must fit Float, it is \(number)", at: step) }
    return Float(number)
  }

  private func date(_ json: JSON, at step: PathStep) throws -> Date {
    switch json {
    case .integer(let value): return .at(milliseconds: Double(value))
    case .double(let value): return .at(milliseconds: value)
    default: throw mismatch(Date.self, "milliseconds since 1970", json, at: step)
    }
  }

  private func uuid(_ json: JSON, at step: PathStep) throws -> UUID {
    let text = try string(json, at: step)
    guard let value = UUID(uuidString: text) else {
      throw unfit("must be a UUID, it is \(quoted(clipped(text)))", at: step)
    }
    return value
  }

  private func url(_ json: JSON, at step: PathStep) throws -> URL {
    let text = try string(json, at: step)
    guard let value = URL(string: text) else {
      throw unfit("must be a URL, it is \(quoted(clipped(text)))", at: step)
    }
    return value
  }

  private func data(_ json: JSON, at step: PathStep) throws -> Data {
    let text = try string(json, at: step)
    guard let value = Data(base64Encoded: text) else {
      throw unfit("must be base64, it is \(quoted(clipped(text)))", at: step)
    }
    return value
  }

  private func decimal(_ json: JSON, at step: PathStep) throws -> Decimal {
    let text = try string(json, at: step)
    guard text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil, let value = Decimal(string: text),
      value.isFinite
    else { throw unfit("must be a decimal number, it is \(quoted(clipped(text)))", at: step) }
    return value
  }
}
