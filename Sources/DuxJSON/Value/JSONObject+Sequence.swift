extension JSONObject: Sequence {
  /// A key and its value.
  public typealias Element = (key: String, value: JSON)

  /// Walks the members in ascending order of their keys' bytes.
  public struct Iterator: IteratorProtocol {
    var base: TreeIterator<ObjectKind>

    /// The next member, or nothing after the last.
    public mutating func next() -> (key: String, value: JSON)? {
      guard let member = base.next() else { return nil }
      return (member.key, member.value)
    }
  }

  /// Starts a walk over the members as they are now.
  public func makeIterator() -> Iterator { Iterator(base: TreeIterator(tree)) }

  /// The number of members, exactly.
  public var underestimatedCount: Int { count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object; of equal keys the last counts.
  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(members: elements) }

  /// Makes an object of members in any order; of equal keys the last counts.
  init(members: [(String, JSON)]) {
    self.init()
    for (key, value) in members { self[key] = value }
  }

  /// Makes an object of members whose keys ascend strictly by bytes.
  ///
  /// - Complexity: O(*n*).
  package init(uniqueSorted members: [(key: String, value: JSON)]) {
    let entries = UnsafeMutablePointer<Member>.allocate(capacity: members.count)
    defer { entries.deallocate() }
    for (index, member) in members.enumerated() {
      precondition(
        index == 0 || compareBytes(members[index - 1].key, member.key) < 0, "keys ascend")
      (entries + index).initialize(to: Member(key: member.key, value: member.value))
    }
    tree = Tree(moving: entries, count: members.count)
  }

  /// The length of the canonical text; saturates.
  var encodedByteCount: Int { tree.encodedByteCount }
}
