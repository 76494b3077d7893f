import Glibc

/// Finds the lines in a stream of bytes, however the stream is cut.
///
/// It keeps no bytes: the caller holds what is not consumed and asks again with more behind it.
package struct LineScanner: Sendable {
  /// What stands at the beginning of the bytes.
  package enum Finding: Equatable, Sendable {
    /// A line of `count` bytes, its line feed (and a carriage return before that) left out; the
    /// next line begins at `next`.
    case line(count: Int, next: Int)
    /// No line ends here yet.
    case incomplete
    /// The line is, or will be, longer than allowed.
    case tooLong
  }

  /// Bytes at the beginning that are known to hold no line feed.
  private var scannedBytes = 0

  /// Makes a scanner at the beginning of a line.
  package init() {}

  /// Looks for the first line.
  ///
  /// After ``Finding/incomplete`` the same bytes, with more behind them, must be given next; after
  /// ``Finding/line(count:next:)`` the bytes from `next` on. The longest line allowed is given in bytes
  /// without its line feed.
  ///
  /// - Complexity: O(*n*) over all calls for a line of *n* bytes.
  package mutating func next(
    in bytes: UnsafeRawBufferPointer, maximumLineBytes: Int
  ) -> Finding {
    guard let base = bytes.baseAddress, bytes.count > scannedBytes else { return .incomplete }
    guard let feed = memchr(base + scannedBytes, 0x0A, bytes.count - scannedBytes) else {
      scannedBytes = bytes.count
      return canStillEnd(bytes, maximumLineBytes) ? .incomplete : .tooLong
    }
    scannedBytes = 0
    let length = UnsafeRawPointer(feed) - base
    let isReturned = length > 0 && bytes[length - 1] == 0x0D
    let count = isReturned ? length - 1 : length
    return count > maximumLineBytes ? .tooLong : .line(count: count, next: length + 1)
  }

  /// One byte more than allowed may be the carriage return of a line that is just short enough.
  private func canStillEnd(_ bytes: UnsafeRawBufferPointer, _ maximumLineBytes: Int) -> Bool {
    guard bytes.count > maximumLineBytes else { return true }
    return bytes.count == maximumLineBytes + 1 && bytes.last == 0x0D
  }
}
