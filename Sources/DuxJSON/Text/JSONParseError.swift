/// Why a text is not taken as JSON, and where.
public struct JSONParseError: Error, Equatable, CustomStringConvertible {
  /// The byte, counted from 0, at which the rule is broken.
  public let offset: Int
  /// The rule that is broken.
  public let reason: Reason

  /// A rule of JSON, of I-JSON or of this parser.
  public enum Reason: Equatable, Sendable {
    /// The text ends inside a value, or holds none.
    case unexpectedEnd
    /// A byte that cannot stand here.
    case unexpectedByte(UInt8)
    /// Something after the value.
    case trailingBytes
    /// A byte order mark at the start.
    case byteOrderMark
    /// A number with a leading zero, a lone sign, or no digit after the point or in the exponent.
    case malformedNumber
    /// A number beyond 64 signed bits, or a double that is not finite.
    case numberOutOfRange
    /// A control character in a string that is not escaped.
    case controlCharacter
    /// A backslash before something that is no escape.
    case malformedEscape
    /// An escaped surrogate without its other half.
    case loneSurrogate
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// A key that the object has already; keys compare by bytes after unescaping.
    case duplicateKey
    /// More nested containers than allowed.
    case tooDeep
  }

  /// The offset and the rule in words.
  public var description: String { "at byte \(offset): \(reason.text)" }
}

extension JSONParseError.Reason {
  /// The rule in words.
  package var text: String {
    switch self {
    case .unexpectedEnd: "the text ends where JSON goes on"
    case .unexpectedByte(let byte): "the byte 0x\(String(byte, radix: 16)) cannot stand here"
    case .trailingBytes: "only white space may follow the value"
    case .byteOrderMark: "a text starts without byte order mark"
    case .malformedNumber: "a number needs digits, no leading zero and no leading plus"
    case .numberOutOfRange: "integers have 64 signed bits and doubles are finite"
    case .controlCharacter: "control characters in strings are escaped"
    case .malformedEscape: "after a backslash comes one of \"\\/bfnrt or u and four hex digits"
    case .loneSurrogate: "surrogates come in pairs"
    case .invalidUTF8: "a text is UTF-8"
    case .duplicateKey: "the keys of an object are unique"
    case .tooDeep: "containers are nested too deep"
    }
  }
}
