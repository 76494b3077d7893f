/// A path into a JSON value.
///
/// Two pointers are equal when their tokens are byte by byte.
/// - Source: RFC 6901.
public struct JSONPointer: Sendable {
  /// The unescaped keys and indices from the root on.
  public let tokens: [String]

  /// The pointer to the whole value.
  public static let root = JSONPointer(tokens: [])

  /// Makes a pointer of unescaped tokens.
  public init(tokens: [String]) { self.tokens = tokens }

  /// Parses a pointer: nothing, or tokens with a `/` before each, `~` as `~0` and `/` as `~1`.
  ///
  /// - Throws: ``JSONPointerError`` where the slash at the start is missing or a `~` is followed by
  ///   neither 0 nor 1.
  public init(_ text: String) throws(JSONPointerError) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first else {
      tokens = []
      return
    }
    guard first == UInt8(ascii: "/") else {
      throw JSONPointerError(text: text, reason: .missingSlash)
    }
    var tokens: [String] = []
    for token in bytes.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let token = Self.unescape(token) else {
        throw JSONPointerError(text: text, reason: .malformedEscape)
      }
      tokens.append(token)
    }
    self.tokens = tokens
  }

  private static func unescape(_ token: ArraySlice<UInt8>) -> String? {
    guard token.contains(UInt8(ascii: "~")) else { return String(decoding: token, as: UTF8.self) }
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
    JSONPointer(tokens: tokens + [token])
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
