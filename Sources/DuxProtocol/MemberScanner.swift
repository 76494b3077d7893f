import Glibc

/// Walks over the members of an object, from both its ends, as far as they are plain.
///
/// Every step passes the white space before it; one that finds something else leaves the place as it is.
struct MemberScanner {
  /// A member of a request.
  enum RequestMember { case op, n, id, action }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var end: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    end = bytes.count
  }

  /// What is not passed yet.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position..<end]) }

  /// Whether nothing but white space is left.
  var isAtEnd: Bool { rest.allSatisfy(\.isSpace) }

  private mutating func skipSpace() {
    while position < end, bytes[position].isSpace { position += 1 }
  }

  private mutating func dropSpace() {
    while position < end, bytes[end - 1].isSpace { end -= 1 }
  }

  @inline(__always)
  private func holds(_ text: StaticString, at place: Int) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    return memcmp(base + place, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// Passes a text.
  @inline(__always)
  mutating func skip(_ text: StaticString) -> Bool {
    skipSpace()
    guard end - position >= text.utf8CodeUnitCount, holds(text, at: position) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Passes a text at the end.
  @inline(__always)
  mutating func dropLast(_ text: StaticString) -> Bool {
    dropSpace()
    let start = end - text.utf8CodeUnitCount
    guard start >= position, holds(text, at: start) else { return false }
    end = start
    return true
  }

  /// Passes the name of a member, and the colon.
  mutating func requestMember() -> RequestMember? {
    skipSpace()
    guard end - position > 2 else { return nil }
    let (name, member): (StaticString, RequestMember)
    switch bytes[position + 1] {
    case UInt8(ascii: "n"): (name, member) = ("\"n\"", .n)
    case UInt8(ascii: "o"): (name, member) = ("\"op\"", .op)
    case UInt8(ascii: "i"): (name, member) = ("\"id\"", .id)
    case UInt8(ascii: "a"): (name, member) = ("\"action\"", .action)
    default: return nil
    }
    return skip(name) && skip(":") ? member : nil
  }

  /// Passes an integer from 1 up to 18 digits that nothing of a number follows.
  mutating func number() -> Int64? {
    skipSpace()
    var number: Int64 = 0
    let start = position
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      guard position - start < 18 else { return nil }
      number = number &* 10 &+ Int64(digit)
      position += 1
    }
    guard position < end, number > 0, bytes[start] != UInt8(ascii: "0") else { return nil }
    switch bytes[position] {
    case UInt8(ascii: ","), 0x20, 0x09: return number
    default: return nil
    }
  }

  /// Passes a string of one byte or more that are ASCII and need no escapes, and gives what stands
  /// between its quotes.
  mutating func plainText() -> UnsafeRawBufferPointer? {
    skipSpace()
    guard position < end, bytes[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    var place = start
    while place < end, bytes[place].isPlain { place += 1 }
    guard place > start, place < end, bytes[place] == UInt8(ascii: "\"") else { return nil }
    position = place + 1
    return UnsafeRawBufferPointer(rebasing: bytes[start..<place])
  }

  /// Passes such a string at the end.
  mutating func lastPlainText() -> UnsafeRawBufferPointer? {
    dropSpace()
    guard position < end, bytes[end - 1] == UInt8(ascii: "\"") else { return nil }
    let close = end - 1
    var place = close
    while place > position, bytes[place - 1].isPlain { place -= 1 }
    guard place < close, place > position, bytes[place - 1] == UInt8(ascii: "\"") else {
      return nil
    }
    end = place - 1
    return UnsafeRawBufferPointer(rebasing: bytes[place..<close])
  }
}

extension UInt8 {
  /// Whether this is white space within a line.
  fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0D }

  /// Whether this is ASCII and stands for itself in a string.
  fileprivate var isPlain: Bool {
    (0x20...0x7E).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}
