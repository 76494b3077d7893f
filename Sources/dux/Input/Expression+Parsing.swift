import DuxJSON

extension Expression {
  /// Reads an expression.
  ///
  /// - Throws: a failure that shows the place.
  init(_ text: String) throws(Failure) {
    var parser = ExpressionParser(text)
    self = try parser.parse()
  }
}

/// The reading of one expression.
private struct ExpressionParser {
  private let bytes: [UInt8]
  private var next = 0
  private var depth = 0

  /// Levels of parentheses and `not`: more is no expression that somebody wrote.
  private static let greatestDepth = 100

  private static let tests = "exists, missing, ==, !=, <, >, <=, >= or contains"

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func parse() throws(Failure) -> Expression {
    let expression = try any()
    skipSpace()
    guard next == bytes.count else {
      throw failure(
        bytes[next] == UInt8(ascii: ")")
          ? "there is no ( before this )" : "expected and, or, or the end")
    }
    return expression
  }

  private mutating func any() throws(Failure) -> Expression {
    var parts = [try all()]
    while take(word: "or") { parts.append(try all()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func all() throws(Failure) -> Expression {
    var parts = [try part()]
    while take(word: "and") { parts.append(try part()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func part() throws(Failure) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.greatestDepth else { throw failure("too many levels") }
    if take(word: "not") { return .not(try part()) }
    guard take(byte: "(") else {
      let path = try path()
      return .test(path, try test(isAfterPath: !path.isRoot))
    }
    let inner = try any()
    guard take(byte: ")") else { throw failure("expected ) here") }
    return inner
  }

  private mutating func path() throws(Failure) -> JSONPointer {
    skipSpace()
    guard next < bytes.count, bytes[next] == UInt8(ascii: "/") else {
      return JSONPointer(tokens: [])
    }
    let start = next
    let word = takeBareWord()
    do throws(JSONPointerError) {
      return try JSONPointer(word)
    } catch {
      throw failure("not a path: a ~ is written ~0, and a slash inside a name ~1", at: start)
    }
  }

  private mutating func test(isAfterPath: Bool) throws(Failure) -> Expression.Test {
    skipSpace()
    if take(word: "exists") { return .exists }
    if take(word: "missing") { return .missing }
    if take(word: "contains") { return .contains(try value(after: "contains")) }
    if take(sign: "==") { return .equals(try value(after: "==")) }
    if take(sign: "!=") { return .differs(try value(after: "!=")) }
    for comparison in [.lessOrEqual, .greaterOrEqual, .less, .greater] as [Expression.Comparison]
    where take(sign: comparison.rawValue) {
      return .compares(comparison, try value(after: comparison.rawValue))
    }
    if next < bytes.count, bytes[next] == UInt8(ascii: "=") {
      throw failure("equality is written ==")
    }
    throw failure("expected \(isAfterPath ? "" : "a path, ")\(Self.tests)")
  }

  /// Reads JSON, or a bare word.
  private mutating func value(after sign: String) throws(Failure) -> JSON {
    skipSpace()
    guard next < bytes.count, bytes[next] != UInt8(ascii: ")") else {
      throw failure("expected a value after \(sign)")
    }
    let start = next
    switch bytes[next] {
    case UInt8(ascii: "\""): skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): skipBrackets()
    default: return try bareValue()
    }
    let text = Array(bytes[start..<next])
    do throws(JSONParseError) {
      return try JSON(parsing: text, maximumDepth: .max)
    } catch {
      throw failure(error.reason.text, at: start + min(max(0, error.offset), text.count))
    }
  }

  private mutating func bareValue() throws(Failure) -> JSON {
    let start = next
    let word = takeBareWord()
    do throws(JSONParseError) {
      return try JSON(parsing: word, maximumDepth: .max)
    } catch {
      guard error.reason != .numberOutOfRange else {
        throw failure("a number that JSON can't hold exactly", at: start)
      }
      return .string(word)
    }
  }

  // What the text is made of.

  private mutating func takeBareWord() -> String {
    let start = next
    while next < bytes.count, !Self.isSpace(bytes[next]), bytes[next] != UInt8(ascii: ")") {
      next += 1
    }
    return String(decoding: bytes[start..<next], as: UTF8.self)
  }

  /// Moves behind a string, or to the end where it is not closed.
  private mutating func skipString() {
    next += 1
    while next < bytes.count {
      let byte = bytes[next]
      next += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    next = bytes.count
  }

  /// Moves behind an array or object, or to the end where it is not closed.
  private mutating func skipBrackets() {
    var open = 0
    while next < bytes.count {
      switch bytes[next] {
      case UInt8(ascii: "\""):
        skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
      default: break
      }
      next += 1
      if open == 0 { return }
    }
  }

  private mutating func skipSpace() {
    while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
  }

  /// Takes a word that is not the beginning of a longer one.
  private mutating func take(word: String) -> Bool {
    skipSpace()
    guard bytes[next...].starts(with: word.utf8) else { return false }
    let end = next + word.utf8.count
    if end < bytes.count, !Self.isSpace(bytes[end]), !Self.isSign(bytes[end]) { return false }
    next = end
    return true
  }

  private mutating func take(sign: String) -> Bool {
    guard bytes[next...].starts(with: sign.utf8) else { return false }
    next += sign.utf8.count
    return true
  }

  private mutating func take(byte: Unicode.Scalar) -> Bool {
    skipSpace()
    return take(sign: String(byte))
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  /// Whether a word ends before it without a space.
  private static func isSign(_ byte: UInt8) -> Bool { "()\"{[".utf8.contains(byte) }

  private func failure(_ problem: String, at place: Int? = nil) -> Failure {
    let place = min(place ?? next, bytes.count)
    let before = String(decoding: bytes[max(0, place - 30)..<place], as: UTF8.self)
    let after = String(decoding: bytes[place..<min(bytes.count, place + 30)], as: UTF8.self)
    return Failure(
      .usage,
      "the expression can't be read at byte \(place), where the mark is:"
        + " \(before.printable)▸\(after.printable) (\(problem.printable))")
  }
}
