/// Collects the members of an object in any order and makes the object at once.
package struct JSONObjectBuilder {
  private var members: ContiguousArray<Member> = []

  /// Makes a builder without members.
  package init() {}

  /// The number of members so far, those of equal keys each for itself.
  package var count: Int { members.count }

  /// Makes room for some members.
  package mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// Adds a member; of equal keys the last counts.
  package mutating func append(_ value: JSON, forKey key: String) {
    members.append(Member(key: key, value: value))
  }

  /// The value of a member by the order of adding; the index must exist.
  package subscript(index: Int) -> JSON {
    get { members[index].value }
    set { members[index].value = newValue }
  }

  /// The key of a member by the order of adding; the index must exist.
  package func key(at index: Int) -> String { members[index].key }

  /// Takes a member away; the index must exist.
  package mutating func remove(at index: Int) { members.remove(at: index) }

  /// The object of the members added; the builder is empty afterwards.
  ///
  /// - Complexity: O(*n* log *n*).
  package mutating func build() -> JSONObject {
    sort()
    dropRepeated()
    let object = members.withUnsafeBufferPointer { buffer in
      var size = TreeSize.zero
      if let base = buffer.baseAddress {
        for index in buffer.indices { size = size + ObjectKind.size(at: base + index) }
      }
      let tree = Tree<ObjectKind>(count: buffer.count, size: size) { target, range in
        for index in range { (target + (index &- range.lowerBound)).initialize(to: buffer[index]) }
      }
      return JSONObject(tree: tree)
    }
    members.removeAll()
    return object
  }

  /// Sorts by keys and keeps the order of equal ones; few members by moving each to its place.
  private mutating func sort() {
    guard members.count <= 24 else {
      members.sort { compareBytes($0.key, $1.key) < 0 }
      return
    }
    members.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for index in 1..<max(buffer.count, 1)
      where compareBytes(base[index].key, base[index - 1].key) < 0 {
        let member = (base + index).move()
        var slot = index
        repeat {
          (base + slot).moveInitialize(from: base + slot - 1, count: 1)
          slot &-= 1
        } while slot > 0 && compareBytes(member.key, base[slot - 1].key) < 0
        (base + slot).initialize(to: member)
      }
    }
  }

  private mutating func dropRepeated() {
    var index = 1
    while index < members.count {
      if hasSameBytes(members[index - 1].key, members[index].key) {
        members.remove(at: index - 1)
      } else {
        index += 1
      }
    }
  }
}
