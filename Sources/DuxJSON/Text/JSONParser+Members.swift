/// A member of an object whose end is not reached yet.
struct PendingMember {
  var member: Member
  /// The first eight bytes of the key as a number, greatest first, zeros after a shorter key's end.
  var prefix: UInt64
  /// Where the key stands in the text.
  var offset: Int

  /// Whether this key's bytes come before another's.
  @inline(__always)
  func isBefore(prefix other: UInt64, key: String) -> Bool {
    prefix == other ? compareBytes(member.key, key) < 0 : prefix < other
  }

  /// Whether this key's bytes come before another's.
  @inline(__always)
  func isBefore(_ other: PendingMember) -> Bool {
    isBefore(prefix: other.prefix, key: other.member.key)
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
      Self.sort(pending)
      for index in 1..<pending.count where !pending.base[index - 1].isBefore(pending.base[index]) {
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

  /// Sorts by keys; few members by moving each to its place.
  private static func sort(_ pending: ValueStack<PendingMember>.Top) {
    let base = pending.base
    guard pending.count <= 24 else {
      var buffer = UnsafeMutableBufferPointer(start: base, count: pending.count)
      buffer.sort { $0.isBefore($1) }
      return
    }
    for index in 1..<pending.count where base[index].isBefore(base[index - 1]) {
      let member = (base + index).move()
      var slot = index
      repeat {
        (base + slot).moveInitialize(from: base + slot - 1, count: 1)
        slot &-= 1
      } while slot > 0 && member.isBefore(base[slot - 1])
      (base + slot).initialize(to: member)
    }
  }
}
