import DuxJSON

/// A run of bytes being written at the end of a buffer that has room for it.
///
/// The lines that each step costs are written through it: one check of the buffer for many members.
struct LinePiece: ~Copyable {
  private var position: UnsafeMutablePointer<UInt8>
  private let end: UnsafeMutablePointer<UInt8>

  fileprivate init(_ room: UnsafeMutableBufferPointer<UInt8>) {
    position = room.baseAddress.unsafelyUnwrapped
    end = position + room.count
  }

  fileprivate var room: Int { end - position }

  @inline(__always)
  mutating func put(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    precondition(count <= end - position, "a piece longer than its room")
    position.update(from: text.utf8Start, count: count)
    position += count
  }

  /// The most bytes that a number takes.
  static let numberBytes = 20

  @inline(__always)
  mutating func put(_ number: Int64) {
    precondition(Self.numberBytes <= end - position, "a piece longer than its room")
    var rest = number.magnitude
    if number < 0 {
      position.pointee = UInt8(ascii: "-")
      position += 1
    }
    let count = Self.digitCount(of: rest)
    var slot = position + count
    position = slot
    repeat {
      slot -= 1
      slot.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
  }

  @inline(__always)
  mutating func put(_ text: [UInt8]) {
    precondition(text.count <= end - position, "a piece longer than its room")
    text.withUnsafeBufferPointer { text in
      if let base = text.baseAddress { position.update(from: base, count: text.count) }
    }
    position += text.count
  }

  /// Puts a string in its quotes, unless something in it has to be escaped.
  ///
  /// - Returns: whether it did; nothing was written if not.
  @inline(__always)
  mutating func put(plain text: UnsafeBufferPointer<UInt8>) -> Bool {
    precondition(text.count &+ 2 <= end - position, "a piece longer than its room")
    for byte in text where byte < 0x20 || byte == 0x22 || byte == 0x5c { return false }
    position.pointee = 0x22
    position += 1
    if let base = text.baseAddress { position.update(from: base, count: text.count) }
    position += text.count
    position.pointee = 0x22
    position += 1
    return true
  }

  private static func digitCount(of number: UInt64) -> Int {
    var count = 1
    var power: UInt64 = 10
    while number >= power {
      count &+= 1
      if count == 20 { break }
      power &*= 10
    }
    return count
  }
}

extension [UInt8] {
  /// Appends a string as JSON text.
  mutating func append(string: String) {
    var string = string
    let isWritten = string.withUTF8 { text in
      appendIfTaken(upTo: text.count + 2) { $0.put(plain: text) }
    }
    if !isWritten { JSON.write(string: string, into: &self) }
  }

  /// Appends what `body` writes, at most `count` bytes.
  @inline(__always)
  mutating func append(upTo count: Int, _ body: (inout LinePiece) -> Void) {
    _ = appendIfTaken(upTo: count) { piece in
      body(&piece)
      return true
    }
  }

  /// Appends what `body` writes, at most `count` bytes, or nothing if it gives up.
  ///
  /// - Returns: what `body` returned: whether its bytes are to stay.
  @inline(__always)
  mutating func appendIfTaken(
    upTo count: Int, _ body: (inout LinePiece) -> Bool
  ) -> Bool {
    var isWritten = false
    append(addingCapacity: count) { (span: inout OutputSpan<UInt8>) in
      span.withUnsafeMutableBufferPointer { buffer, initializedCount in
        let free = UnsafeMutableBufferPointer(rebasing: buffer[initializedCount...])
        var piece = LinePiece(free)
        isWritten = body(&piece)
        if isWritten { initializedCount = buffer.count - piece.room }
      }
    }
    return isWritten
  }
}
