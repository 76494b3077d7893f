/// The number of bytes of a string in canonical form, its quotes included.
func encodedLength(of string: String) -> Int {
  withBytes(of: string) { bytes in bytes.count &+ 2 &+ escapeGrowth(of: bytes) }
}

/// How many bytes more than its own count a run takes in canonical form.
@inline(__always)
private func escapeGrowth(of bytes: UnsafeRawBufferPointer) -> Int {
  guard let base = bytes.baseAddress else { return 0 }
  var offset = 0
  var growth = 0
  while bytes.count &- offset >= 8 {
    let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    if WordOfBytes.escapes(in: word) != 0 {
      for index in offset..<offset &+ 8 { growth &+= escapeGrowth(of: bytes[index]) }
    }
    offset &+= 8
  }
  while offset < bytes.count {
    growth &+= escapeGrowth(of: bytes[offset])
    offset &+= 1
  }
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
}
