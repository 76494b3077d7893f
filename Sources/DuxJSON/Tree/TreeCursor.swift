/// A place in a tree between items: an entry, or a subtree of any height that is not opened yet.
///
/// Two cursors walked together meet nodes that both trees share and step over them unopened.
///
/// The cursor does not keep the tree alive: whoever walks does.
struct TreeCursor<Kind: TreeKind> {
  /// The node whose slot is the current item; nothing at the end, or before the root is opened.
  private var node: Unmanaged<Node<Kind>>?
  private var slot = 0
  /// The nodes above, each with the slot to go on with.
  private var ancestors: [(node: Unmanaged<Node<Kind>>, slot: Int)] = []
  /// The root before it is opened.
  private var unopened: Unmanaged<Node<Kind>>?

  init(_ tree: borrowing Tree<Kind>) {
    unopened = tree.root.map { Unmanaged.passUnretained($0) }
  }

  /// Whether nothing is left.
  @inline(__always)
  var isAtEnd: Bool { node == nil && unopened == nil }

  /// Whether the item is an entry.
  @inline(__always)
  var isAtEntry: Bool { node?._withUnsafeGuaranteedRef { $0.isLeaf } ?? false }

  /// The entry at the cursor, which must be one.
  @inline(__always)
  var entry: UnsafeMutablePointer<Kind.Entry> {
    guard let node else { preconditionFailure("no entry at the end") }
    return node._withUnsafeGuaranteedRef { $0.entries } + slot
  }

  /// The height of the subtree at the cursor; -1 for an entry.
  @inline(__always)
  var height: Int {
    if let unopened { return unopened._withUnsafeGuaranteedRef { $0.height } }
    return node.map { $0._withUnsafeGuaranteedRef { $0.height } - 1 } ?? -1
  }

  /// The mark of the subtree at the cursor; nothing at an entry and at the end.
  @inline(__always)
  var mark: Kind.Mark? {
    if let unopened { return unopened._withUnsafeGuaranteedRef { Kind.mark(of: $0) } }
    return node?._withUnsafeGuaranteedRef { $0.isLeaf ? nil : $0.children[slot].mark }
  }

  /// The subtree at the cursor; nothing at an entry and at the end.
  @inline(__always)
  private var subtree: Unmanaged<Node<Kind>>? {
    if let unopened { return unopened }
    return node?._withUnsafeGuaranteedRef {
      $0.isLeaf ? nil : Unmanaged.passUnretained($0.children[slot].node)
    }
  }

  /// Goes into the subtree at the cursor, to its first item.
  mutating func open() {
    guard let subtree else { return }
    if let node { ancestors.append((node, slot &+ 1)) }
    unopened = nil
    node = subtree
    slot = 0
  }

  /// Steps over the item at the cursor.
  @inline(__always)
  mutating func advance() {
    unopened = nil
    slot &+= 1
    settle()
  }

  /// Leaves nodes whose slots are used up.
  @inline(__always)
  private mutating func settle() {
    while let current = node, slot >= current._withUnsafeGuaranteedRef({ $0.slots }) {
      let above = ancestors.popLast()
      node = above?.node
      slot = above?.slot ?? 0
    }
  }

  /// Steps over the items that come next on both sides and are the very same.
  ///
  /// - Returns: whether there were any.
  mutating func skipShared(with other: inout TreeCursor) -> Bool {
    if unopened != nil || other.unopened != nil {
      guard let mine = subtree, let others = other.subtree,
        mine.toOpaque() == others.toOpaque()
      else { return false }
      advance()
      other.advance()
      return true
    }
    guard let node, let otherNode = other.node else { return false }
    let count = node._withUnsafeGuaranteedRef { a in
      otherNode._withUnsafeGuaranteedRef { b in
        a.isLeaf == b.isLeaf ? a.sharedSlots(from: slot, with: b, from: other.slot) : 0
      }
    }
    if count == 0 { return false }
    slot &+= count
    other.slot &+= count
    settle()
    other.settle()
    return true
  }
}

extension Node {
  /// How many slots from `slot` on are the very same in another node, a leaf or none as this one is.
  fileprivate func sharedSlots(from slot: Int, with other: Node, from otherSlot: Int) -> Int {
    let limit = min(slots &- slot, other.slots &- otherSlot)
    var count = 0
    if isLeaf {
      let left = UnsafeRawPointer(entries + slot)
      let right = UnsafeRawPointer(other.entries + otherSlot)
      let stride = MemoryLayout<Kind.Entry>.stride
      while count < limit, Self.hasSameBits(left + count &* stride, right + count &* stride) {
        count &+= 1
      }
    } else {
      let left = children + slot
      let right = other.children + otherSlot
      while count < limit, left[count].node === right[count].node { count &+= 1 }
    }
    return count
  }

  /// Whether two entries are the same bit by bit: then they are the same value; if not, they may be.
  @inline(__always)
  private static func hasSameBits(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    let size = MemoryLayout<Kind.Entry>.size
    var offset = 0
    while size &- offset >= 8 {
      let a = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if a != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
      offset &+= 8
    }
    while offset < size {
      let a = left.load(fromByteOffset: offset, as: UInt8.self)
      if a != right.load(fromByteOffset: offset, as: UInt8.self) { return false }
      offset &+= 1
    }
    return true
  }
}

extension Tree {
  /// Whether both hold equal entries in the same order; nodes that both share are not opened.
  func isEqual(
    to other: Tree, by isEqual: (borrowing Kind.Entry, borrowing Kind.Entry) -> Bool
  ) -> Bool {
    if isIdentical(to: other) { return true }
    guard count == other.count else { return false }
    return withExtendedLifetime((self, other)) {
      var left = TreeCursor(self)
      var right = TreeCursor(other)
      while !left.isAtEnd, !right.isAtEnd {
        if left.skipShared(with: &right) { continue }
        if left.isAtEntry && right.isAtEntry {
          guard isEqual(left.entry.pointee, right.entry.pointee) else { return false }
          left.advance()
          right.advance()
        } else {
          let heights = (left.height, right.height)
          if heights.0 >= heights.1 { left.open() }
          if heights.1 >= heights.0 { right.open() }
        }
      }
      return left.isAtEnd && right.isAtEnd
    }
  }
}
