/// A 64-bit digest of bytes that is the same in every run and on every machine (FNV-1a).
///
/// It tells damage and mix-ups, not malice: a peer that forges one deceives only itself.
///
/// - Source: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash Algorithm".
public struct Digest: Sendable {
  /// The digest of all bytes fed so far.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  private static let prime: UInt64 = 0x100_0000_01b3

  /// Makes the digest of no bytes.
  public init() {}

  /// Feeds bytes.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var hash = value
    var offset = 0
    // A word at a time: the multiplications wait for one another, nothing else should.
    while bytes.count &- offset >= 8 {
      var word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      for _ in 0..<8 {
        hash = (hash ^ (word & 0xff)) &* Self.prime
        word >>= 8
      }
      offset &+= 8
    }
    while offset < bytes.count {
      hash = (hash ^ UInt64(bytes[offset])) &* Self.prime
      offset &+= 1
    }
    value = hash
  }

  /// Feeds bytes.
  public mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Feeds a number, little endian.
  public mutating func update(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { update($0) }
  }

  /// The digest of one run of bytes.
  public static func of(_ bytes: [UInt8]) -> UInt64 {
    var digest = Digest()
    digest.update(bytes)
    return digest.value
  }
}
