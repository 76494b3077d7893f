/// The bytes of a string that lies in memory, found without touching its reference count.
///
/// Nothing for a string that is not held in the usual way. Valid while the string stays there as it
/// is.
@inline(__always)
func bytes(ofStringAt string: UnsafePointer<String>) -> UnsafeRawBufferPointer? {
  guard ShortText.isAsExpected else { return nil }
  let memory = UnsafeRawPointer(string)
  let high = memory.load(fromByteOffset: 8, as: UInt64.self)
  if high & 0x2000_0000_0000_0000 != 0 {
    return UnsafeRawBufferPointer(start: memory, count: Int(truncatingIfNeeded: high &>> 56 & 0xf))
  }
  // Of the other kinds those are usual whose bytes come right behind an object's header.
  let counts = memory.load(as: UInt64.self)
  guard high & 0x5000_0000_0000_0000 == 0, counts & 0x1000_0000_0000_0000 != 0 else { return nil }
  let object = UnsafeRawPointer(bitPattern: UInt(high & 0x0fff_ffff_ffff_ffff))
  return UnsafeRawBufferPointer(
    start: object.map { $0 + ShortText.headerBytes },
    count: Int(truncatingIfNeeded: counts & 0xffff_ffff_ffff))
}

/// A string of at most 15 bytes as two numbers, which are ordered as such strings are by their bytes.
///
/// It is read off the memory of a string: a short one has its bytes there, so that keys are compared
/// and strings are made without a call and without touching a reference count.
struct ShortText {
  /// The first eight bytes, zeros after the end.
  private let first: UInt64
  /// The other bytes, then how many there are in all.
  private let rest: UInt64

  /// The text of so many ASCII bytes, of which the one lowest in a word comes first; zeros after the
  /// end.
  @inline(__always)
  init(ascii low: UInt64, _ high: UInt64, count: Int) {
    first = low.byteSwapped
    rest = high.byteSwapped | UInt64(truncatingIfNeeded: count)
  }

  /// The text of some bytes; nothing for more than 15 and for those that are not all ASCII.
  @inline(__always)
  init?(ascii bytes: UnsafeRawBufferPointer) {
    let count = bytes.count
    guard count < 16, let base = bytes.baseAddress else { return nil }
    var low: UInt64 = 0
    var high: UInt64 = 0
    if count >= 8 {
      low = base.loadUnaligned(as: UInt64.self).littleEndian
      high = base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self).littleEndian
      // The two loads overlap by what they have more than `count` bytes.
      high = count == 8 ? 0 : high &>> UInt64(truncatingIfNeeded: (16 &- count) &* 8)
    } else if count >= 4 {
      let start = base.loadUnaligned(as: UInt32.self).littleEndian
      let end = base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self).littleEndian
      low = UInt64(start) | UInt64(end) &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8)
    } else {
      for index in 0..<count {
        low |= UInt64(bytes[index]) &<< UInt64(truncatingIfNeeded: index &* 8)
      }
    }
    guard (low | high) & 0x8080_8080_8080_8080 == 0 else { return nil }
    self.init(ascii: low, high, count: count)
  }

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
    let short = withUnsafePointer(to: string) { ShortText(ofStringAt: $0) }
    guard let short else { return nil }
    self = short
  }

  /// Less than, equal to or greater than 0 as this comes before, at or after another by bytes.
  @inline(__always)
  func order(to other: ShortText) -> Int {
    if first != other.first { return first < other.first ? -1 : 1 }
    return rest == other.rest ? 0 : rest < other.rest ? -1 : 1
  }

  /// The text of a string in memory; nothing for a longer one, and for all where strings lie otherwise.
  @inline(__always)
  init?(ofStringAt string: UnsafePointer<String>) {
    guard Self.isAsExpected else { return nil }
    self.init(at: UnsafeRawPointer(string))
  }

  /// How many bytes there are.
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: rest & 0xf) }

  /// Whether no byte needs an escape in canonical JSON.
  @inline(__always)
  var isPlain: Bool {
    // Zeros after the end are taken for control characters: blanks cover them.
    let blanks = 0x2020_2020_2020_2020 as UInt64
    let tail = UInt64(truncatingIfNeeded: (count & 7) &* 8)
    let low = count < 8 ? first | blanks &>> tail : first
    let high = (rest & ~0xff) | (count < 8 ? blanks : blanks &>> tail)
    return WordOfBytes.escapes(in: low) | WordOfBytes.escapes(in: high) == 0
  }

  /// Puts the first eight or all bytes into memory with room for whole words, whose rest is of no
  /// meaning afterwards.
  @inline(__always)
  func store(at place: UnsafeMutableRawPointer, words: Int) {
    place.storeBytes(of: first.bigEndian, as: UInt64.self)
    if words > 1 { place.storeBytes(of: rest.bigEndian, toByteOffset: 8, as: UInt64.self) }
  }

  /// The string of a text that is ASCII, where strings lie in memory as this type reads them.
  @inline(__always)
  var asciiString: String {
    var words = (first.byteSwapped, rest.byteSwapped & ~(0xff &<< 56) | (0xe0 | rest & 0xf) &<< 56)
    return withUnsafeMutablePointer(to: &words) { words in
      UnsafeMutableRawPointer(words).assumingMemoryBound(to: String.self).move()
    }
  }

  /// Calls `body` with the bytes.
  @inline(__always)
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    let words = (first.bigEndian, rest.bigEndian)
    return withUnsafeBytes(of: words) { words in
      body(UnsafeRawBufferPointer(rebasing: words[..<count]))
    }
  }

  /// What lies before the bytes of a longer string.
  static var headerBytes: Int { 32 }

  /// Whether strings lie in memory as this type and ``bytes(ofStringAt:)`` read them.
  ///
  /// Told by literals, whose memory the compiler knows: the answer costs nothing.
  @inline(__always)
  static var isAsExpected: Bool {
    MemoryLayout<String>.size == 16
      && words(of: "abcdefghi") == (0x6867_6665_6463_6261, 0xe900_0000_0000_0069)
      && words(of: "é") == (0xa9c3, 0xa200_0000_0000_0000)
      && words(of: "sixteen bytes...").0 & 0x1000_ffff_ffff_ffff == 0x1000_0000_0000_0010
  }

  @inline(__always)
  private static func words(of text: String) -> (UInt64, UInt64) {
    withUnsafeBytes(of: text) { memory in
      (memory.load(as: UInt64.self), memory.load(fromByteOffset: 8, as: UInt64.self))
    }
  }
}
