/// Writes canonical text into memory whose room is checked before each run.
///
/// What has no room is left out, and ``isFull`` says so.
struct JSONWriter {
  /// Whether something had no room.
  private(set) var isFull = false
  private var position: UnsafeMutablePointer<UInt8>
  private let end: UnsafeMutablePointer<UInt8>

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    position = buffer.baseAddress.unsafelyUnwrapped
    end = position + buffer.count
  }

  /// The bytes still free.
  var room: Int { end - position }

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    guard position < end else { return isFull = true }
    position.pointee = byte
    position += 1
  }

  @inline(__always)
  private mutating func put(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard count <= end - position else { return isFull = true }
    position.update(from: bytes, count: count)
    position += count
  }

  mutating func put(_ text: StaticString) {
    put(text.utf8Start, count: text.utf8CodeUnitCount)
  }

  mutating func write(_ value: JSON) {
    withUnsafePointer(to: value) { write($0) }
  }

  /// Writes a value where it lies.
  private mutating func write(_ value: UnsafePointer<JSON>) {
    switch PlacedJSON(value).form {
    case .null: put("null")
    case .bool(true): put("true")
    case .bool(false): put("false")
    case .integer(let value): write(value)
    case .double(let value): write(value)
    case .string(let text): write(text)
    case .array(let root): write(root)
    case .object(let root): write(root)
    }
  }

  private mutating func write(_ array: Unmanaged<Node<ArrayKind>>?) {
    guard let array else { return put("[]") }
    var opening = UInt8(ascii: "[")
    Tree.forEach(below: array) { element in
      put(opening)
      opening = UInt8(ascii: ",")
      write(element)
    }
    put(UInt8(ascii: "]"))
  }

  private mutating func write(_ object: Unmanaged<Node<ObjectKind>>?) {
    guard let object else { return put("{}") }
    var opening = UInt8(ascii: "{")
    Tree.forEach(below: object) { member in
      put(opening)
      opening = UInt8(ascii: ",")
      write(member.key)
      put(UInt8(ascii: ":"))
      write(member.value)
    }
    put(UInt8(ascii: "}"))
  }

  mutating func write(_ value: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = value.magnitude
      var slot = 20
      repeat {
        slot -= 1
        digits[slot] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        slot -= 1
        digits[slot] = UInt8(ascii: "-")
      }
      if let base = digits.baseAddress { put(base + slot, count: 20 - slot) }
    }
  }

  private mutating func write(_ value: Double) {
    guard value.isFinite else {
      put("null")
      return
    }
    withBytes(of: value.description) { bytes in
      let text = bytes.assumingMemoryBound(to: UInt8.self)
      if let base = text.baseAddress { put(base, count: text.count) }
    }
  }

  mutating func write(_ string: String) {
    withUnsafePointer(to: string) { write($0) }
  }

  /// Writes a string where it lies.
  private mutating func write(_ string: UnsafePointer<String>) {
    if let short = ShortText(ofStringAt: string), write(short) { return }
    if let bytes = bytes(ofStringAt: string) { return write(bytes) }
    withBytes(of: string.pointee) { write($0) }
  }

  /// Writes a short string out of registers, if it is plain and there is ample room.
  @inline(__always)
  private mutating func write(_ text: ShortText) -> Bool {
    let words = text.count <= 8 ? 1 : 2
    guard end - position >= 8 &* words &+ 2, text.isPlain else { return false }
    position[0] = UInt8(ascii: "\"")
    text.store(at: position + 1, words: words)
    position[text.count &+ 1] = UInt8(ascii: "\"")
    position += text.count &+ 2
    return true
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) {
    put(UInt8(ascii: "\""))
    if isCertainlyPlain(bytes), let base = bytes.baseAddress {
      put(base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    } else {
      for byte in bytes { writeByte(byte) }
    }
    put(UInt8(ascii: "\""))
  }

  /// Writes a byte of a string.
  @inline(__always)
  private mutating func writeByte(_ byte: UInt8) {
    if escapeGrowth(of: byte) == 0 { put(byte) } else { writeEscape(byte) }
  }

  @inline(never)
  private mutating func writeEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): put("\\\"")
    case UInt8(ascii: "\\"): put("\\\\")
    case 0x08: put("\\b")
    case 0x09: put("\\t")
    case 0x0a: put("\\n")
    case 0x0c: put("\\f")
    case 0x0d: put("\\r")
    default:
      put("\\u00")
      put(UInt8(ascii: "0") + byte >> 4)
      let low = byte & 0xf
      put(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    }
  }
}
