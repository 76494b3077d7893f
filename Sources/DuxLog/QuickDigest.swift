/// A 64-bit digest of bytes, made to be as quick as reading them, and the same on every machine.
///
/// ``Digest`` goes byte by byte. Here four independent lanes take 8 bytes a step by multiply and
/// rotate. Each step can be undone, so a change within one word always changes the result. The
/// result depends on how the bytes were divided into updates, and is kept on disk: it stays what it
/// is.
package struct QuickDigest: Sendable {
  /// The digest of all that was fed so far.
  package private(set) var value: UInt64

  /// Begins a digest; different seeds give unrelated ones.
  package init(seed: Int64 = 0) {
    value = UInt64(bitPattern: seed) &+ 0x9e37_79b9_7f4a_7c15
  }

  /// The digest as SQLite keeps it.
  package var signedValue: Int64 { Int64(bitPattern: value) }

  /// Feeds a number.
  package mutating func update(_ number: Int64) {
    value = Self.mixed(value, UInt64(bitPattern: number))
  }

  /// Feeds bytes and how many they are, so that none can move to the update after.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var a = Self.mixed(value, UInt64(bytes.count))
    guard let start = bytes.baseAddress else {
      value = Self.mixed(a, 0)
      return
    }
    let count = bytes.count
    var offset = 0
    if count >= 32 {
      var b: UInt64 = 0xc2b2_ae3d_27d4_eb4f
      var c: UInt64 = 0x1656_67b1_9e37_79f9
      var d: UInt64 = 0x27d4_eb2f_1656_67c5
      while offset &+ 32 <= count {
        a = Self.mixed(a, Self.word(start, offset))
        b = Self.mixed(b, Self.word(start, offset &+ 8))
        c = Self.mixed(c, Self.word(start, offset &+ 16))
        d = Self.mixed(d, Self.word(start, offset &+ 24))
        offset &+= 32
      }
      a = Self.mixed(Self.mixed(Self.mixed(a, b), c), d)
    }
    while offset &+ 8 <= count {
      a = Self.mixed(a, Self.word(start, offset))
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < count {
      rest = rest << 8 | UInt64(start.load(fromByteOffset: offset, as: UInt8.self))
      offset &+= 1
    }
    value = Self.mixed(a, rest)
  }

  /// Feeds bytes and how many they are.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Eight bytes that the caller knows to be there.
  @inline(__always)
  private static func word(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let product = (lane ^ word) &* 0x9e37_79b1_85eb_ca87
    return (product << 31) | (product >> 33)
  }
}
