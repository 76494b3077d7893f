/// The fixed part of a tree node.
struct NodeHeader {
  /// Entries of a leaf or children of an inner node.
  var slots: UInt16
  /// Slots there is memory for.
  var capacity: UInt16
  /// 0 for a leaf.
  var height: UInt8
  /// Entries in the subtree.
  var count: Int
  /// The sum over the subtree's entries.
  var size: TreeSize
}

/// A child of an inner node and what its parent keeps of it.
struct Child<Kind: TreeKind> {
  var node: Node<Kind>
  var mark: Kind.Mark
}

/// A node of a persistent B+tree: a leaf of entries or an inner node of children, in one allocation.
///
/// A node is changed in place only while a single reference holds it, and copied otherwise.
/// - Invariant: a leaf's memory holds `slots` entries, an inner node's `slots` children.
final class Node<Kind: TreeKind>: ManagedBuffer<NodeHeader, Kind.Entry> {
  /// The most slots of a leaf.
  static var maximumEntries: Int { 16 }
  /// The most slots of an inner node.
  static var maximumChildren: Int { 16 }
  /// What a leaf of the most slots takes in memory.
  @inline(__always)
  static var fullBytes: Int {
    // In front is what each object has, its type and its references.
    16 &+ MemoryLayout<NodeHeader>.stride &+ maximumEntries &* MemoryLayout<Kind.Entry>.stride
  }
  /// Fewer slots than these make a node look for a sibling to join, after a removal.
  static var minimumSlots: Int { 4 }

  /// Makes a node without slots.
  static func make(height: UInt8, capacity: Int) -> Node {
    var entries = capacity
    if height > 0 {
      let entry = MemoryLayout<Kind.Entry>.stride
      entries = (capacity &* MemoryLayout<Child<Kind>>.stride &+ entry &- 1) / entry
    }
    let buffer = Node.create(minimumCapacity: entries) { _ in
      NodeHeader(
        slots: 0, capacity: UInt16(truncatingIfNeeded: capacity), height: height, count: 0,
        size: .zero)
    }
    return unsafeDowncast(buffer, to: Node.self)
  }

  deinit { Kind.deinitializeSlots(of: self) }

  /// Count, size and form; valid while the node lives.
  ///
  /// Reached by pointer, since the inherited property checks exclusive access at run time.
  @inline(__always)
  var head: UnsafeMutablePointer<NodeHeader> { withUnsafeMutablePointerToHeader { $0 } }

  /// The entries of a leaf; valid while the node lives.
  @inline(__always)
  var entries: UnsafeMutablePointer<Kind.Entry> { withUnsafeMutablePointerToElements { $0 } }

  /// The children of an inner node; valid while the node lives.
  @inline(__always)
  var children: UnsafeMutablePointer<Child<Kind>> {
    UnsafeMutableRawPointer(entries).assumingMemoryBound(to: Child<Kind>.self)
  }

  @inline(__always)
  var slots: Int { Int(head.pointee.slots) }

  @inline(__always)
  var height: Int { Int(head.pointee.height) }

  @inline(__always)
  var isLeaf: Bool { head.pointee.height == 0 }

  /// The most slots a node of this height may have.
  var maximumSlots: Int { isLeaf ? Self.maximumEntries : Self.maximumChildren }

  /// Destroys entries or children, one by one: a bulk operation asks the type for each.
  @inline(__always)
  func deinitializeSlots() {
    if isLeaf {
      for slot in 0..<slots { _ = (entries + slot).move() }
    } else {
      for slot in 0..<slots { _ = (children + slot).move() }
    }
  }

  /// The size of one slot.
  func size(ofSlot slot: Int) -> TreeSize {
    isLeaf ? Kind.size(at: entries + slot) : children[slot].node.head.pointee.size
  }

  /// The entries below one slot.
  func count(ofSlot slot: Int) -> Int { isLeaf ? 1 : children[slot].node.head.pointee.count }

  /// Makes the size right after one slot changed from `old` to `new`.
  ///
  /// Siblings are looked at only when the sum had saturated or the deepest slot became shallower.
  func account(from old: TreeSize, to new: TreeSize) {
    if head.pointee.size.bytes == .max {
      head.pointee.size = total(of: 0..<slots).size
      return
    }
    head.pointee.size.bytes = (head.pointee.size.bytes &- old.bytes).addingSaturating(new.bytes)
    if new.depth >= head.pointee.size.depth {
      head.pointee.size.depth = new.depth
    } else if old.depth == head.pointee.size.depth {
      head.pointee.size.depth = depth(of: 0..<slots)
    }
  }

  /// The greatest depth among some slots.
  func depth(of range: Range<Int>) -> UInt32 {
    var depth: UInt32 = 0
    for slot in range { depth = max(depth, slotDepth(slot)) }
    return depth
  }

  private func slotDepth(_ slot: Int) -> UInt32 {
    isLeaf ? Kind.depth(of: entries[slot]) : children[slot].node.head.pointee.size.depth
  }

  /// Entries and size of some slots.
  func total(of range: Range<Int>) -> (count: Int, size: TreeSize) {
    var count = 0
    var size = TreeSize.zero
    for slot in range {
      count += self.count(ofSlot: slot)
      size = size + self.size(ofSlot: slot)
    }
    return (count, size)
  }
}
