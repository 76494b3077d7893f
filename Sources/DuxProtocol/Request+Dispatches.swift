import DuxJSON
import Glibc

extension Request {
  /// A dispatch read straight from its line.
  struct PlainDispatch {
    var id: RequestID?
    var dispatch: Dispatch
  }

  /// Reads a line of the form that nearly all lines have: a dispatch of one action without conditions,
  /// the action its last member.
  ///
  /// Only the action becomes a value. Whatever is not of this form, faults too, is left to the
  /// general reading, which knows what to say of it.
  ///
  /// - Returns: what ``decode(_:limits:)`` would, or `nil`.
  /// - Complexity: O(*n*), *n* = `line.count`.
  static func plainDispatch(
    _ line: UnsafeRawBufferPointer, limits: Limits
  ) -> PlainDispatch? {
    var scanner = MemberScanner(line)
    guard scanner.skip(UInt8(ascii: "{")) else { return nil }
    var isDispatch = false
    var id: RequestID?
    var n: Int64?
    while let member = scanner.name() {
      switch member {
      case .op where !isDispatch:
        guard scanner.skip("\"dispatch\"") else { return nil }
        isDispatch = true
      case .n where n == nil:
        n = scanner.number()
        guard n != nil else { return nil }
      case .id where id == nil:
        id = scanner.number().map { .integer($0) }
        guard id != nil else { return nil }
      case .action where isDispatch:
        guard let text = scanner.lastValue(),
          let action = try? JSON(
            parsing: text, maximumDepth: limits.maximumDepth + Limits.requestDepth - 1)
        else { return nil }
        return PlainDispatch(id: id, dispatch: Dispatch(action, n: n))
      default: return nil
      }
      guard scanner.skip(UInt8(ascii: ",")) else { return nil }
    }
    return nil
  }
}

/// Walks over the members of a line as far as they are plain.
private struct MemberScanner {
  enum Name { case op, n, id, action }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position].isSpace { position += 1 }
  }

  /// Passes a byte, and space before it.
  mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Passes a text, and space before it.
  mutating func skip(_ text: StaticString) -> Bool {
    skipSpace()
    return skipHere(text)
  }

  private mutating func skipHere(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard let base = bytes.baseAddress, bytes.count - position >= count,
      memcmp(base + position, text.utf8Start, count) == 0
    else { return false }
    position += count
    return true
  }

  /// Passes the name of a member, and the colon.
  mutating func name() -> Name? {
    skipSpace()
    let name: Name
    if skipHere("\"n\"") {
      name = .n
    } else if skipHere("\"op\"") {
      name = .op
    } else if skipHere("\"id\"") {
      name = .id
    } else if skipHere("\"action\"") {
      name = .action
    } else {
      return nil
    }
    return skip(UInt8(ascii: ":")) ? name : nil
  }

  /// Passes an integer from 1 up to 18 digits that nothing of a number follows.
  mutating func number() -> Int64? {
    skipSpace()
    var number: Int64 = 0
    let start = position
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      guard position - start < 18 else { return nil }
      number = number &* 10 &+ Int64(digit)
      position += 1
    }
    guard position < bytes.count, number > 0, bytes[start] != UInt8(ascii: "0") else { return nil }
    switch bytes[position] {
    case UInt8(ascii: ","), 0x20, 0x09: return number
    default: return nil
    }
  }

  /// What stands between here and the brace that ends the line.
  func lastValue() -> UnsafeRawBufferPointer? {
    var end = bytes.count
    while end > position, bytes[end - 1].isSpace { end -= 1 }
    guard end > position, bytes[end - 1] == UInt8(ascii: "}") else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<end - 1])
  }
}

extension UInt8 {
  /// Whether this is white space within a line.
  fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
