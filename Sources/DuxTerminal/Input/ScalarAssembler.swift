/// Puts scalars together from UTF-8 that comes byte by byte, and drops what is none.
///
/// A broken sequence is dropped alone: the byte that broke it is looked at anew.
struct ScalarAssembler: Sendable {
  /// What a byte led to.
  enum Step: Equatable, Sendable {
    /// A scalar is whole.
    case scalar(Unicode.Scalar)
    /// More bytes are needed.
    case incomplete
    /// The byte can be no part of a text.
    case invalid
    /// What came before was broken off; the byte has not been looked at.
    case again
  }

  private var value: UInt32 = 0
  private var missing = 0
  /// The least value that needs as many bytes as announced: a longer form of a smaller one is invalid.
  private var least: UInt32 = 0

  /// Whether a sequence has begun and is not whole.
  var isPartial: Bool { missing > 0 }

  /// Takes a byte.
  mutating func take(_ byte: UInt8) -> Step {
    guard missing > 0 else { return begin(byte) }
    guard byte & 0xC0 == 0x80 else {
      missing = 0
      return .again
    }
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    guard missing == 0 else { return .incomplete }
    guard value >= least, let scalar = Unicode.Scalar(value) else { return .invalid }
    return .scalar(scalar)
  }

  /// Forgets what has begun.
  mutating func reset() {
    missing = 0
  }

  private mutating func begin(_ byte: UInt8) -> Step {
    switch byte {
    case 0..<0x80: return .scalar(Unicode.Scalar(byte))
    case 0xC2...0xDF: expect(1, from: byte & 0x1F, least: 0x80)
    case 0xE0...0xEF: expect(2, from: byte & 0x0F, least: 0x800)
    case 0xF0...0xF4: expect(3, from: byte & 0x07, least: 0x10000)
    default: return .invalid
    }
    return .incomplete
  }

  private mutating func expect(_ count: Int, from bits: UInt8, least: UInt32) {
    missing = count
    value = UInt32(bits)
    self.least = least
  }
}
