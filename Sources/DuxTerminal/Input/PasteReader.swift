/// Takes up a bracketed paste: a text for whoever reads it, whatever its bytes are.
///
/// - Invariant: `text` has at most ``limitBytes`` bytes; what is longer is cut there.
struct PasteReader: Sendable {
  /// The longest text that a paste gives, in bytes of UTF-8.
  static let limitBytes = 1 << 20

  /// What ends a paste.
  private static let end: [UInt8] = Array("\u{1B}[201~".utf8)

  private var text = String.UnicodeScalarView()
  private var byteCount = 0
  private var assembler = ScalarAssembler()
  private var wasReturn = false
  /// How much of the end has come.
  private var matched = 0

  /// Takes a byte.
  ///
  /// - Returns: whether it was the last one of the paste.
  mutating func take(_ byte: UInt8) -> Bool {
    if byte == Self.end[matched] {
      matched += 1
      return matched == Self.end.count
    }
    // What looked like the end was text. No end begins within it, for only its first byte is ESC.
    for byte in Self.end[..<matched] { append(byte) }
    matched = 0
    if byte == Self.end[0] {
      matched = 1
    } else {
      append(byte)
    }
    return false
  }

  /// The text so far.
  var pasted: String { String(text) }

  private mutating func append(_ byte: UInt8) {
    switch assembler.take(byte) {
    case .scalar(let scalar): append(scalar)
    case .incomplete, .invalid: break
    case .again: append(byte)
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    // CR LF is one end of a line, and CR, which terminals put for LF, as well.
    defer { wasReturn = scalar == "\r" }
    if scalar == "\n", wasReturn { return }
    let kept: Unicode.Scalar = scalar == "\r" ? "\n" : scalar
    if kept.properties.generalCategory == .control, kept != "\n", kept != "\t" { return }
    let count = UTF8.width(kept)
    guard byteCount + count <= Self.limitBytes else {
      // Nothing shorter is taken either, lest the text have a hole.
      byteCount = Self.limitBytes
      return
    }
    byteCount += count
    text.append(kept)
  }
}
