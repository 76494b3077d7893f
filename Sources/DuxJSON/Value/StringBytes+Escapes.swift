/// The number of bytes of a string in canonical form, its quotes included.
func encodedLength(of string: String) -> Int {
  withBytes(of: string) { bytes in bytes.count &+ 2 &+ escapeGrowth(of: bytes) }
}

/// The same for a string where it lies in memory.
@inline(__always)
func encodedLength(ofStringAt string: UnsafePointer<String>) -> Int {
  guard let bytes = bytes(ofStringAt: string) else { return encodedLength(of: string.pointee) }
  return bytes.count &+ 2 &+ escapeGrowth(of: bytes)
}

/// How many bytes more than its own count a run takes in canonical form.
@inline(__always)
private func escapeGrowth(of bytes: UnsafeRawBufferPointer) -> Int {
  isCertainlyPlain(bytes) ? 0 : countedGrowth(of: bytes)
}

/// Whether no byte of a run needs an escape; not told of fewer than four bytes.
@inline(__always)
func isCertainlyPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let base = bytes.baseAddress, bytes.count >= 4 else { return false }
  guard bytes.count >= 8 else {
    let first = base.loadUnaligned(as: UInt32.self)
    let last = base.loadUnaligned(fromByteOffset: bytes.count &- 4, as: UInt32.self)
    return WordOfBytes.escapes(in: UInt64(first) << 32 | UInt64(last)) == 0
  }
  // Without a branch for each word the compiler tests several at once; the last one may overlap.
  var found = WordOfBytes.escapes(
    in: base.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self))
  for word in 0..<bytes.count / 8 {
    found |= WordOfBytes.escapes(
      in: base.loadUnaligned(fromByteOffset: word &* 8, as: UInt64.self))
  }
  return found == 0
}

private func countedGrowth(of bytes: UnsafeRawBufferPointer) -> Int {
  var growth = 0
  for byte in bytes { growth &+= escapeGrowth(of: byte) }
  return growth
}

/// How many bytes more than one a byte of a string takes in canonical form.
@inline(__always)
func escapeGrowth(of byte: UInt8) -> Int {
  if byte >= 0x20 { return byte == 0x22 || byte == 0x5c ? 1 : 0 }
  switch byte {
  case 0x08, 0x09, 0x0a, 0x0c, 0x0d: return 1
  default: return 5
  }
}

/// Tests on eight bytes at once.
///
/// A test marks the high bit of each byte it is true for; marks above the lowest may be wrong.
enum WordOfBytes {

  /// Marks quotes, backslashes and control characters, exactly up to the lowest mark.
  @inline(__always)
  static func escapes(in word: UInt64) -> UInt64 {
    let quotes = word ^ 0x2222_2222_2222_2222
    let backslashes = word ^ 0x5c5c_5c5c_5c5c_5c5c
    let found =
      (quotes &- 0x0101_0101_0101_0101) & ~quotes
      | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes
      | (word &- 0x2020_2020_2020_2020) & ~word
    return found & 0x8080_8080_8080_8080
  }

  /// The same for two words at once.
  @inline(__always)
  static func escapes(in words: SIMD2<UInt64>) -> SIMD2<UInt64> {
    let ones = SIMD2(repeating: 0x0101_0101_0101_0101 as UInt64)
    let quotes = words ^ (ones &* 0x22)
    let backslashes = words ^ (ones &* 0x5c)
    let found =
      (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
      | (words &- (ones &* 0x20)) & ~words
    return found & (ones &* 0x80)
  }

  /// The lowest bytes of a word, fewer than eight, and zeros for the others.
  @inline(__always)
  static func prefix(of word: UInt64, count: Int) -> UInt64 {
    word & ((1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1)
  }
}
