import Glibc

/// Calls `body` with the UTF-8 bytes of a string.
@inline(__always)
func withBytes<R>(of string: String, _ body: (UnsafeRawBufferPointer) -> R) -> R {
  if let result = string.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) })
  {
    return result
  }
  return ContiguousArray(string.utf8).withUnsafeBytes(body)
}

/// Less than, equal to or greater than 0 as `left` comes before, at or after `right` by bytes.
///
/// Short runs are compared in words of the sizes in which the standard library has just stored
/// them: `memcmp` would load them whole and wait for the stores.
@inline(__always)
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let common = min(left.count, right.count)
  guard common > 0, let a = left.baseAddress, let b = right.baseAddress else {
    return left.count &- right.count
  }
  if common >= 32 {
    let order = memcmp(a, b, common)
    return order == 0 ? left.count &- right.count : Int(order)
  }
  var offset = 0
  while common &- offset >= 8 {
    let order = compareWords(a, b, at: offset, as: UInt64.self)
    if order != 0 { return order }
    offset &+= 8
  }
  if common & 4 != 0 {
    let order = compareWords(a, b, at: offset, as: UInt32.self)
    if order != 0 { return order }
    offset &+= 4
  }
  while offset < common {
    let order =
      Int(a.load(fromByteOffset: offset, as: UInt8.self))
      &- Int(b.load(fromByteOffset: offset, as: UInt8.self))
    if order != 0 { return order }
    offset &+= 1
  }
  return left.count &- right.count
}

/// The order of one word of bytes at the same place in both.
@inline(__always)
private func compareWords<Word: FixedWidthInteger & BitwiseCopyable>(
  _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, at offset: Int, as: Word.Type
) -> Int {
  let left = a.loadUnaligned(fromByteOffset: offset, as: Word.self).bigEndian
  let right = b.loadUnaligned(fromByteOffset: offset, as: Word.self).bigEndian
  return left == right ? 0 : left < right ? -1 : 1
}

/// The order of two strings by UTF-8 bytes, never by Unicode equivalence.
@inline(__always)
func compareBytes(_ left: String, _ right: String) -> Int {
  withBytes(of: left) { a in withBytes(of: right) { b in compareBytes(a, b) } }
}

/// Whether two strings are equal byte by byte.
package func hasSameBytes(_ left: String, _ right: String) -> Bool {
  withUnsafePointer(to: left) { left in
    withUnsafePointer(to: right) { right in
      guard let a = bytes(ofStringAt: left), let b = bytes(ofStringAt: right) else {
        return compareBytes(left.pointee, right.pointee) == 0
      }
      return a.count == b.count && compareBytes(a, b) == 0
    }
  }
}

extension Hasher {
  /// Feeds a string by its UTF-8 bytes, so that no two strings with other bytes are the same.
  mutating func combineBytes(of string: String) {
    withBytes(of: string) { bytes in combine(bytes: bytes) }
    combine(0xff as UInt8)
  }
}
