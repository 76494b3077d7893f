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
    var slot = position + Self.digitCount(of: rest)
    position = slot
    while rest >= 100 {
      let pair = Int(truncatingIfNeeded: rest % 100) &* 2
      rest /= 100
      slot -= 2
      slot.update(from: Self.pairsOfDigits.utf8Start + pair, count: 2)
    }
    if rest >= 10 {
      slot -= 1
      slot.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    slot -= 1
    slot.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
  }

  @inline(__always)
  mutating func put(_ text: [UInt8]) {
    text.withUnsafeBytes { put($0) }
  }

  @inline(__always)
  mutating func put(_ text: UnsafeRawBufferPointer) {
    precondition(text.count <= end - position, "a piece longer than its room")
    if let base = text.baseAddress {
      UnsafeMutableRawPointer(position).copyMemory(from: base, byteCount: text.count)
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

  private static let pairsOfDigits: StaticString = """
    00010203040506070809101112131415161718192021222324\
    25262728293031323334353637383940414243444546474849\
    50515253545556575859606162636465666768697071727374\
    75767778798081828384858687888990919293949596979899
    """

  private static func digitCount(of number: UInt64) -> Int {
    var count = 1
    var rest = number
    while rest >= 10_000 {
      rest /= 10_000
      count &+= 4
    }
    return count &+ (rest >= 10 ? 1 : 0) &+ (rest >= 100 ? 1 : 0) &+ (rest >= 1_000 ? 1 : 0)
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
