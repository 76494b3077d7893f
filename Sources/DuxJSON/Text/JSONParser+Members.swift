/// A member of an object whose end is not reached yet.
struct PendingMember {
  var member: Member
  /// The first eight bytes of the key as a number, greatest first, zeros after a shorter key's end.
  var prefix: UInt64
  /// Where the key stands in the text.
  var offset: Int
}

extension UnsafeMutablePointer<PendingMember> {
  /// Less than, equal to or greater than 0 as the key there comes before, at or after another by
  /// bytes; the member is not copied for that.
  @inline(__always)
  func order(prefix: UInt64, key: String) -> Int {
    if pointee.prefix != prefix { return pointee.prefix < prefix ? -1 : 1 }
    return compareBytes(pointee.member.key, key)
  }

  /// Makes a member part by part: as a whole it would be copied on its way.
  @inline(__always)
  func initialize(key: consuming String, value: consuming JSON, prefix: UInt64, offset: Int) {
    let member = UnsafeMutableRawPointer(self)
    member.initializeMemory(as: String.self, to: key)
    (member + MemoryLayout<String>.stride).initializeMemory(as: JSON.self, to: value)
    pointee.prefix = prefix
    pointee.offset = offset
  }
}

extension JSONParser {
  /// What is known of the order of an object's keys.
  enum KeyOrder { case ascending, unknown }

  /// Parses a key and its colon up to the value.
  ///
  /// Leaves the key's canonical length in ``parsedBytes`` and its start in ``parsedPrefix``.
  @inline(__always)
  mutating func parseKey() throws(JSONParseError) -> String {
    guard position.pointee == UInt8(ascii: "\"") else {
      throw error(.unexpectedByte(position.pointee))
    }
    let first = position + 1
    parsedEscapes = false
    let key = try parseString()
    parsedPrefix =
      parsedEscapes
      ? withBytes(of: key) { Self.prefix(of: $0) }
      : prefix(at: first, count: parsedBytes &- 2)
    let byte = try nextByte()
    guard byte == UInt8(ascii: ":") else { throw error(.unexpectedByte(byte)) }
    position += 1
    skipSpace()
    return key
  }

  /// The prefix of a key that lies in the text as it is.
  @inline(__always)
  private func prefix(at first: UnsafePointer<UInt8>, count: Int) -> UInt64 {
    guard end - first >= 8 else {
      return Self.prefix(of: UnsafeRawBufferPointer(start: first, count: count))
    }
    let word = UnsafeRawPointer(first).loadUnaligned(as: UInt64.self).bigEndian
    return count >= 8 ? word : word & ~(UInt64.max >> UInt64(truncatingIfNeeded: count &* 8))
  }

  private static func prefix(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var prefix: UInt64 = 0
    for index in 0..<8 { prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
    return prefix
  }

  /// Makes an object of the members from `first` on.
  mutating func makeObject(
    from first: Int, size: TreeSize, order: KeyOrder
  ) throws(JSONParseError) -> JSON {
    let pending = members.elements(from: first)
    if order == .unknown {
      isSpeltCanonically = false
      Self.sort(pending)
      for index in 1..<pending.count where !Self.ascends(pending.base + index - 1) {
        let (one, other) = (pending.base[index - 1].offset, pending.base[index].offset)
        throw JSONParseError(offset: max(one, other), reason: .duplicateKey)
      }
    }
    let tree = Tree<ObjectKind>(count: pending.count, size: size) { target, range in
      for index in range {
        let member = UnsafeMutableRawPointer(pending.base + index)
          .assumingMemoryBound(to: Member.self)
        (target + (index &- range.lowerBound)).moveInitialize(from: member, count: 1)
      }
    }
    members.drop(to: first)
    return .object(JSONObject(tree: tree))
  }

  /// Whether the key of a member comes before the next one's.
  @inline(__always)
  private static func ascends(_ member: UnsafeMutablePointer<PendingMember>) -> Bool {
    member[0].prefix == member[1].prefix
      ? compareBytes(member[0].member.key, member[1].member.key) < 0
      : member[0].prefix < member[1].prefix
  }

  /// Sorts by keys; few members by moving each to its place.
  private static func sort(_ pending: ValueStack<PendingMember>.Top) {
    let base = pending.base
    guard pending.count <= 24 else {
      var buffer = UnsafeMutableBufferPointer(start: base, count: pending.count)
      buffer.sort {
        $0.prefix == $1.prefix
          ? compareBytes($0.member.key, $1.member.key) < 0 : $0.prefix < $1.prefix
      }
      return
    }
    for index in 1..<pending.count where !ascends(base + index - 1) {
      let member = (base + index).move()
      var slot = index
      repeat {
        (base + slot).moveInitialize(from: base + slot - 1, count: 1)
        slot &-= 1
      } while slot > 0 && (base + slot - 1).order(prefix: member.prefix, key: member.member.key) > 0
      (base + slot).initialize(to: member)
    }
  }
}
