/// A string of at most 15 bytes as two numbers, which are ordered as such strings are by their bytes.
///
/// It is read off the memory of a string: a short one has its bytes there, so that keys are compared
/// without a call and without touching a reference count.
struct ShortText {
  /// The first eight bytes, zeros after the end.
  private let first: UInt64
  /// The other bytes, then how many there are in all.
  private let rest: UInt64

  /// The text of a string in memory; nothing for one that has its bytes elsewhere.
  @inline(__always)
  init?(at string: UnsafeRawPointer) {
    let high = string.load(fromByteOffset: 8, as: UInt64.self)
    guard high & 0x2000_0000_0000_0000 != 0 else { return nil }
    first = string.load(as: UInt64.self).bigEndian
    rest = high.bigEndian & ~0xf0
  }

  /// The text of a string; nothing for a longer one, and for all where strings lie otherwise in memory.
  @inline(__always)
  init?(_ string: String) {
    guard Self.isAsExpected else { return nil }
    let short = withUnsafePointer(to: string) { ShortText(at: UnsafeRawPointer($0)) }
    guard let short else { return nil }
    self = short
  }

  /// Less than, equal to or greater than 0 as this comes before, at or after another by bytes.
  @inline(__always)
  func order(to other: ShortText) -> Int {
    if first != other.first { return first < other.first ? -1 : 1 }
    return rest == other.rest ? 0 : rest < other.rest ? -1 : 1
  }

  /// Whether the standard library lays strings out as this type reads them.
  static let isAsExpected =
    MemoryLayout<String>.size == 16
    && [
      ("", 0, 0xe0), ("a", 0x61, 0xe1), ("é", 0xa9c3, 0xa2),
      ("abcdefgh", 0x6867_6665_6463_6261, 0xe8),
    ].allSatisfy { (text: String, low: UInt64, top: UInt64) in
      withUnsafeBytes(of: text) { bytes in
        bytes.load(as: UInt64.self) == low
          && bytes.load(fromByteOffset: 8, as: UInt64.self) == top << 56
      }
    }
    && withUnsafeBytes(of: String(repeating: "a", count: 16)) { bytes in
      bytes.load(fromByteOffset: 8, as: UInt64.self) & 0x2000_0000_0000_0000 == 0
    }
}

/// A key that is looked for in a tree; valid while its bytes are.
struct SoughtKey {
  private let short: ShortText?
  private let bytes: UnsafeRawBufferPointer

  @inline(__always)
  init(_ short: ShortText?, _ bytes: UnsafeRawBufferPointer) {
    self.short = short
    self.bytes = bytes
  }

  /// The order of a string in memory to this key.
  @inline(__always)
  func order(ofStringAt string: UnsafeRawPointer) -> Int {
    if let short, let other = ShortText(at: string) { return other.order(to: short) }
    return longOrder(ofStringAt: string)
  }

  @inline(never)
  private func longOrder(ofStringAt string: UnsafeRawPointer) -> Int {
    withBytes(of: string.assumingMemoryBound(to: String.self).pointee) { compareBytes($0, bytes) }
  }
}
