import Glibc

/// Cuts a stream of bytes into lines, and keeps the line that has not ended.
struct LineCutter {
  private var rest: [UInt8] = []

  /// Bytes of the longest line taken; a longer one is given out in pieces, none of which is a line.
  private static let longestLine = 64 << 20

  /// Takes the next bytes, and hands over each line that ends in them, its line feed left out.
  mutating func cut(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    if !rest.isEmpty {
      guard let feed = Self.feed(in: bytes, from: 0) else { return keep(bytes) }
      rest.append(contentsOf: bytes[..<feed])
      rest.withUnsafeBytes(body)
      rest.removeAll(keepingCapacity: rest.count <= 1 << 16)
      start = feed + 1
    }
    while let feed = Self.feed(in: bytes, from: start) {
      body(UnsafeRawBufferPointer(rebasing: bytes[start..<feed]))
      start = feed + 1
    }
    if start < bytes.count { keep(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    if rest.count > Self.longestLine { rest = [] }
    rest.append(contentsOf: bytes)
  }

  private static func feed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let feed = memchr(base + start, 0x0A, bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(feed) - base
  }
}
