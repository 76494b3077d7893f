import DuxLog

/// The checksum that ends each page of the database file.
///
/// SQLite keeps none, so a flipped bit can hide rows or misdirect a write. The page's number goes
/// in, to find a page in a wrong place.
enum PageChecksum {
  /// Bytes of a page, the checksum included.
  static let pageSize = 4096
  /// Bytes at a page's end that SQLite leaves to us.
  static let reservedSize = 8

  /// Tells whether a whole page carries its checksum.
  ///
  /// A page of zeros passes: the file may have holes where free pages were never written, and a
  /// page in use is never all zeros.
  static func matches(_ page: UnsafeRawBufferPointer, number: Int64) -> Bool {
    let stored = UInt64(
      littleEndian: page.loadUnaligned(
        fromByteOffset: pageSize - reservedSize, as: UInt64.self))
    return stored == compute(page, number: number) || (stored == 0 && page.allSatisfy { $0 == 0 })
  }

  /// Writes a page's checksum at its end.
  static func stamp(_ page: UnsafeMutableRawBufferPointer, number: Int64) {
    let value = compute(UnsafeRawBufferPointer(page), number: number)
    page.storeBytes(
      of: value.littleEndian, toByteOffset: pageSize - reservedSize, as: UInt64.self)
  }

  private static func compute(_ page: UnsafeRawBufferPointer, number: Int64) -> UInt64 {
    precondition(page.count == pageSize, "a checksum is of a whole page")
    var digest = QuickDigest(seed: number)
    digest.update(UnsafeRawBufferPointer(rebasing: page[..<(pageSize - reservedSize)]))
    return digest.value
  }
}
