/// A path into a JSON value.
///
/// Two pointers are equal when their tokens are byte by byte.
/// - Source: RFC 6901.
public struct JSONPointer: Sendable {
  /// The unescaped keys and indices from the root on.
  public let tokens: [String]
  /// What was parsed, which is the text of the tokens: there is one way only to write them.
  let text: String?

  /// The pointer to the whole value.
  public static let root = JSONPointer(tokens: [])

  /// Makes a pointer of unescaped tokens.
  public init(tokens: [String]) {
    self.tokens = tokens
    text = nil
  }

  /// Parses a pointer: nothing, or tokens with a `/` before each, `~` as `~0` and `/` as `~1`.
  ///
  /// - Throws: ``JSONPointerError`` where the slash at the start is missing or a `~` is followed by
  ///   neither 0 nor 1.
  public init(_ text: String) throws(JSONPointerError) {
    guard let first = text.utf8.first else {
      self = .root
      return
    }
    guard first == UInt8(ascii: "/") else {
      throw JSONPointerError(text: text, reason: .missingSlash)
    }
    guard let tokens = withBytes(of: text, Self.tokens(of:)) else {
      throw JSONPointerError(text: text, reason: .malformedEscape)
    }
    self.tokens = tokens
    self.text = text
  }

  /// The tokens of a text that begins with a slash; nothing where an escape is none.
  private static func tokens(of text: UnsafeRawBufferPointer) -> [String]? {
    var count = 0
    var hasEscapes = false
    for byte in text {
      count &+= byte == UInt8(ascii: "/") ? 1 : 0
      hasEscapes = hasEscapes || byte == UInt8(ascii: "~")
    }
    var tokens: [String] = []
    tokens.reserveCapacity(count)
    var rest = text
    for _ in 0..<count {
      let token = nextToken(in: &rest)
      guard let string = hasEscapes ? unescape(token) : string(of: token) else { return nil }
      tokens.append(string)
    }
    return tokens
  }

  /// Takes a slash and the token behind it off the front of a text.
  @inline(__always)
  private static func nextToken(in rest: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var end = 1
    while end < rest.count, rest[end] != UInt8(ascii: "/") { end &+= 1 }
    let token = UnsafeRawBufferPointer(rebasing: rest[1..<end])
    rest = UnsafeRawBufferPointer(rebasing: rest[end...])
    return token
  }

  /// The string of a token, which is UTF-8 as it lies between two slashes of a string.
  @inline(__always)
  private static func string(of token: UnsafeRawBufferPointer) -> String {
    if ShortText.isAsExpected, let short = ShortText(ascii: token) { return short.asciiString }
    let bits = token.reduce(0, |)
    let bytes = token.assumingMemoryBound(to: UInt8.self)
    return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: bits < 0x80))
  }

  private static func unescape(_ token: UnsafeRawBufferPointer) -> String? {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in token {
      switch (isEscaped, byte) {
      case (false, UInt8(ascii: "~")): isEscaped = true
      case (false, _): bytes.append(byte)
      case (true, UInt8(ascii: "0")):
        bytes.append(UInt8(ascii: "~"))
        isEscaped = false
      case (true, UInt8(ascii: "1")):
        bytes.append(UInt8(ascii: "/"))
        isEscaped = false
      default: return nil
      }
    }
    return isEscaped ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONPointer {
  /// Whether this points to the whole value.
  public var isRoot: Bool { tokens.isEmpty }

  /// The pointer to the container this points into; nothing for the root.
  public var parent: JSONPointer? {
    tokens.isEmpty ? nil : JSONPointer(tokens: Array(tokens.dropLast()))
  }

  /// The last token; nothing for the root.
  public var last: String? { tokens.last }

  /// The pointer to an entry of what this points to.
  public func appending(_ token: String) -> JSONPointer {
    var extended: [String] = []
    extended.reserveCapacity(tokens.count + 1)
    extended.append(contentsOf: tokens)
    extended.append(token)
    return JSONPointer(tokens: extended)
  }

  /// Whether `other` is this pointer or points inside what this points to.
  public func isPrefix(of other: JSONPointer) -> Bool {
    tokens.count <= other.tokens.count
      && zip(tokens, other.tokens).allSatisfy { hasSameBytes($0, $1) }
  }
}

extension JSONPointer: Hashable, CustomStringConvertible {
  /// Whether the tokens are equal by bytes.
  public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    left.tokens.count == right.tokens.count && left.isPrefix(of: right)
  }

  /// Feeds the tokens' bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tokens.count)
    for token in tokens { hasher.combineBytes(of: token) }
  }

  /// The pointer as RFC 6901 writes it.
  public var description: String {
    if let text { return text }
    guard !tokens.isEmpty else { return "" }
    var bytes: [UInt8] = []
    for token in tokens {
      bytes.append(UInt8(ascii: "/"))
      for byte in token.utf8 {
        switch byte {
        case UInt8(ascii: "~"): bytes.append(contentsOf: "~0".utf8)
        case UInt8(ascii: "/"): bytes.append(contentsOf: "~1".utf8)
        default: bytes.append(byte)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Why a text is no JSON Pointer.
public struct JSONPointerError: Error, Equatable, CustomStringConvertible {
  /// The text refused.
  public let text: String
  /// The rule it breaks.
  public let reason: Reason

  /// A rule of RFC 6901.
  public enum Reason: Equatable, Sendable {
    /// A pointer that is not empty starts with a slash.
    case missingSlash
    /// After a `~` comes 0 or 1.
    case malformedEscape
  }

  /// The text and the rule in words.
  public var description: String {
    switch reason {
    case .missingSlash: "the path \"\(text)\" starts without a slash"
    case .malformedEscape: "the path \"\(text)\" has a ~ that neither 0 nor 1 follows"
    }
  }
}
