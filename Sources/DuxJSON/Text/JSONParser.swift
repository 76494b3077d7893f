/// A parser of one JSON text over raw bytes.
///
/// It calls itself once a level of nesting, which ``JSON/greatestDepth`` bounds.
struct JSONParser: ~Copyable {
  let start: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  var position: UnsafePointer<UInt8>
  /// The length in canonical form of the value or key parsed last.
  var parsedBytes = 0
  /// The depth of the value parsed last.
  var parsedDepth: UInt32 = 0
  /// Whether a string with escapes was parsed since this was last set to false.
  var parsedEscapes = false
  /// Whether all so far is written as in canonical form, but for white space.
  var isSpeltCanonically = true
  /// The first bytes of the key parsed last.
  var parsedPrefix: UInt64 = 0
  /// Whether short strings may be made in registers.
  let canMakeShortTexts = ShortText.isAsExpected
  var elements = ValueStack<JSON>()
  var members: ValueStack<PendingMember>

  /// Makes a parser of some bytes, whose memory outlives it as does the room for the first members.
  init(
    start: UnsafePointer<UInt8>, count: Int, room: UnsafeMutableBufferPointer<PendingMember>
  ) {
    members = ValueStack(in: room)
    self.start = start
    end = start + count
    position = start
  }

  /// Parses the whole text.
  mutating func parseText(maximumDepth: Int) throws(JSONParseError) -> JSON {
    if end - position >= 3, position[0] == 0xef, position[1] == 0xbb, position[2] == 0xbf {
      throw error(.byteOrderMark)
    }
    skipSpace()
    let value = try parseValue(levels: min(maximumDepth, JSON.greatestDepth))
    skipSpace()
    if position != end { throw error(.trailingBytes) }
    return value
  }

  /// Parses a value that starts at the current byte and has at most `levels` containers in one another.
  private mutating func parseValue(levels: Int) throws(JSONParseError) -> JSON {
    guard position < end else { throw error(.unexpectedEnd) }
    parsedDepth = 0
    switch position.pointee {
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "{"): return try parseObject(levels: levels)
    case UInt8(ascii: "["): return try parseArray(levels: levels)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
    case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
    case UInt8(ascii: "n"): return try parseLiteral("null", .null)
    default: throw error(.unexpectedByte(position.pointee))
    }
  }

  private mutating func parseLiteral(
    _ text: StaticString, _ value: JSON
  ) throws(JSONParseError) -> JSON {
    for index in 0..<text.utf8CodeUnitCount {
      guard position < end else { throw error(.unexpectedEnd) }
      guard position.pointee == text.utf8Start[index] else {
        throw error(.unexpectedByte(position.pointee))
      }
      position += 1
    }
    parsedBytes = text.utf8CodeUnitCount
    return value
  }

  /// Steps over an opening bracket and the white space after it.
  private mutating func open(levels: Int) throws(JSONParseError) {
    if levels <= 0 { throw error(.tooDeep) }
    position += 1
    _ = try nextByte()
  }

  private mutating func parseArray(levels: Int) throws(JSONParseError) -> JSON {
    try open(levels: levels)
    let first = elements.count
    var size = TreeSize.zero
    if position.pointee == UInt8(ascii: "]") {
      close(size)
      return .array(JSONArray())
    }
    while true {
      elements.push(try parseValue(levels: levels &- 1))
      size = size + TreeSize(bytes: parsedBytes &+ 1, depth: parsedDepth)
      let byte = try nextByte()
      guard byte == UInt8(ascii: ",") else {
        if byte == UInt8(ascii: "]") { break }
        throw error(.unexpectedByte(byte))
      }
      position += 1
      skipSpace()
    }
    close(size)
    let values = elements.elements(from: first)
    let tree = Tree<ArrayKind>(count: values.count, size: size) { target, range in
      target.moveInitialize(from: values.base + range.lowerBound, count: range.count)
    }
    elements.drop(to: first)
    return .array(JSONArray(tree: tree))
  }

  private mutating func parseObject(levels: Int) throws(JSONParseError) -> JSON {
    try open(levels: levels)
    let first = members.count
    var size = TreeSize.zero
    var areKeysAscending = true
    if position.pointee == UInt8(ascii: "}") {
      close(size)
      return .object(JSONObject())
    }
    while true {
      let offset = position - start
      let key = try parseKey()
      let keyBytes = parsedBytes
      let prefix = parsedPrefix
      if areKeysAscending, members.count > first {
        areKeysAscending = members.top.order(prefix: prefix, key: key) < 0
      }
      let value = try parseValue(levels: levels &- 1)
      members.makeRoom().initialize(key: key, value: value, prefix: prefix, offset: offset)
      members.keepTop()
      size = size + TreeSize(bytes: keyBytes &+ parsedBytes &+ 2, depth: parsedDepth)
      let byte = try nextByte()
      guard byte == UInt8(ascii: ",") else {
        if byte == UInt8(ascii: "}") { break }
        throw error(.unexpectedByte(byte))
      }
      position += 1
      _ = try nextByte()
    }
    close(size)
    return try makeObject(
      from: first, size: size, order: areKeysAscending ? .ascending : .unknown)
  }

  /// Steps over a closing bracket and notes the size of the container.
  private mutating func close(_ size: TreeSize) {
    position += 1
    parsedBytes = size.bytes == 0 ? 2 : size.bytes &+ 1
    parsedDepth = size.depth &+ 1
  }
}

extension JSONParser {
  /// The next byte that is not white space; it stays unread.
  @inline(__always)
  mutating func nextByte() throws(JSONParseError) -> UInt8 {
    skipSpace()
    guard position < end else { throw error(.unexpectedEnd) }
    return position.pointee
  }

  @inline(__always)
  mutating func skipSpace() {
    while position < end, position.pointee <= 0x20 {
      switch position.pointee {
      case 0x20, 0x0a, 0x0d, 0x09: position += 1
      default: return
      }
    }
  }

  /// An error at the current byte.
  @inline(never)
  func error(_ reason: JSONParseError.Reason) -> JSONParseError {
    JSONParseError(offset: position - start, reason: reason)
  }
}
