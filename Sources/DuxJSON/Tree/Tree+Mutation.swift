extension Tree {
  /// Changes the entry at a path that exists, where it lies if nobody else holds its nodes.
  ///
  /// The body may change what ``TreeKind/valueSize(at:)`` tells of, not a key.
  @inline(__always)
  mutating func update<R, Failure: Error>(
    at path: SlotPath, _ body: (inout Kind.Entry) throws(Failure) -> R
  ) throws(Failure) -> R {
    guard var node = root else { preconditionFailure("a path into an empty tree") }
    root = nil
    let entry = Self.ownedEntry(at: path, in: &node)
    Kind.prefetchValue(at: entry)
    let owned = Unmanaged.passUnretained(node)
    root = consume node
    let old = Kind.valueSize(at: entry)
    defer {
      let new = Kind.valueSize(at: entry)
      if new != old { owned._withUnsafeGuaranteedRef { $0.settle(path, from: old, to: new) } }
    }
    return try body(&entry.pointee)
  }

  /// The entry at a path, held through nodes that nobody else holds.
  private static func ownedEntry(
    at path: SlotPath, in root: inout Node<Kind>
  ) -> UnsafeMutablePointer<Kind.Entry> {
    Node.makeUnique(&root, extra: 0)
    var node = Unmanaged.passUnretained(root)
    var level = root.height
    while level > 0 {
      let slot = path[level]
      node = node._withUnsafeGuaranteedRef { inner in
        precondition(slot < inner.slots)
        let child = inner.children + slot
        Node.makeUnique(&child.pointee.node, extra: 0)
        return Unmanaged.passUnretained(child.pointee.node)
      }
      level &-= 1
    }
    let slot = path[0]
    return node._withUnsafeGuaranteedRef { leaf in
      precondition(slot < leaf.slots)
      return leaf.entries + slot
    }
  }

  /// Puts an entry before the one at `path`, or after the last of the leaf it names.
  mutating func insert(_ entry: consuming Kind.Entry, at path: SlotPath) {
    guard var node = root else {
      let leaf = Node<Kind>.make(height: 0, capacity: 4)
      leaf.insertEntry(entry, at: 0)
      root = leaf
      return
    }
    root = nil
    if let right = Self.insert(entry, at: path, in: &node, edge: .right) {
      let parent = Node<Kind>.make(height: node.head.pointee.height + 1, capacity: 4)
      parent.insertChild(node, at: 0)
      parent.insertChild(right, at: 1)
      parent.head.pointee.count = node.head.pointee.count + right.head.pointee.count
      parent.head.pointee.size = node.head.pointee.size + right.head.pointee.size
      node = parent
    }
    root = node
  }

  /// Whether a node is the last of its level, where an appending writer fills nodes to the brim.
  private enum Edge { case inside, right }

  /// Inserts below `node` and gives back what was split off to its right, if anything.
  private static func insert(
    _ entry: consuming Kind.Entry, at path: SlotPath, in node: inout Node<Kind>, edge: Edge
  ) -> Node<Kind>? {
    let height = node.height
    let slot = path[height]
    if height == 0 {
      let right = makeRoom(in: &node, for: slot, edge: edge)
      let place = place(of: slot, in: node, or: right)
      place.node.insertEntry(entry, at: place.slot)
      return right
    }
    Node.makeUnique(&node, extra: 0)
    let child = node.children + slot
    let old = child.pointee.node.head.pointee.size
    let below: Edge = edge == .right && slot == node.slots - 1 ? .right : .inside
    let split = insert(entry, at: path, in: &child.pointee.node, edge: below)
    Kind.refresh(
      &child.pointee.mark, from: child.pointee.node, firstEntryTouched: path.isFirst(below: height))
    guard let split else {
      node.head.pointee.count += 1
      node.account(from: old, to: child.pointee.node.head.pointee.size)
      return nil
    }
    node.account(from: old, to: child.pointee.node.head.pointee.size + split.head.pointee.size)
    node.head.pointee.count += 1
    return attach(split, at: slot + 1, to: &node, edge: edge)
  }

  /// Makes room for one more slot; a full node is split, and room is where ``place(of:in:or:)`` says.
  private static func makeRoom(
    in node: inout Node<Kind>, for slot: Int, edge: Edge
  ) -> Node<Kind>? {
    guard node.slots >= node.maximumSlots else {
      Node.makeUnique(&node, extra: 1)
      return nil
    }
    Node.makeUnique(&node, extra: 0)
    return node.split(at: edge == .right && slot == node.slots ? slot : node.slots / 2)
  }

  /// Where slot `slot` of a node lies after the node was perhaps split.
  private static func place(
    of slot: Int, in node: Node<Kind>, or right: Node<Kind>?
  ) -> (node: Node<Kind>, slot: Int) {
    guard let right, slot > node.slots || slot >= node.maximumSlots else { return (node, slot) }
    return (right, slot - node.slots)
  }

  /// Adds a child whose entries `node` has counted already.
  private static func attach(
    _ child: Node<Kind>, at slot: Int, to node: inout Node<Kind>, edge: Edge
  ) -> Node<Kind>? {
    let right = makeRoom(in: &node, for: slot, edge: edge)
    let place = place(of: slot, in: node, or: right)
    place.node.insertChild(child, at: place.slot)
    if let right {
      node.recount()
      right.recount()
    }
    return right
  }
}

extension Node {
  /// Brings sizes up to date below this node and in it, after the entry at a path changed.
  fileprivate func settle(_ path: SlotPath, from old: TreeSize, to new: TreeSize) {
    guard old.depth == new.depth, head.pointee.size.bytes != .max, new.bytes != .max else {
      account(path, from: old, to: new)
      return
    }
    // The sum of a tree that is not saturated has room for the sums below it.
    let (rest, growth) = (head.pointee.size.bytes &- old.bytes, new.bytes)
    guard !rest.addingReportingOverflow(growth).overflow else {
      account(path, from: old, to: new)
      return
    }
    var node = Unmanaged.passUnretained(self)
    var level = height
    while true {
      let child = node._withUnsafeGuaranteedRef { node -> Unmanaged<Node>? in
        node.head.pointee.size.bytes = node.head.pointee.size.bytes &- old.bytes &+ new.bytes
        return level == 0 ? nil : Unmanaged.passUnretained(node.children[path[level]].node)
      }
      guard let child else { return }
      node = child
      level &-= 1
    }
  }

  /// The same from the leaf up, where depths change or sums are saturated.
  private func account(_ path: SlotPath, from old: TreeSize, to new: TreeSize) {
    guard height > 0 else {
      account(from: old, to: new)
      return
    }
    let child = children[path[height]].node
    let before = child.head.pointee.size
    child.account(path, from: old, to: new)
    account(from: before, to: child.head.pointee.size)
  }

  /// Puts an entry into a leaf with room for it and counts it.
  func insertEntry(_ entry: consuming Kind.Entry, at slot: Int) {
    shiftSlots(from: slot, by: 1)
    (entries + slot).initialize(to: entry)
    let added = Kind.size(at: entries + slot)
    head.pointee.slots += 1
    head.pointee.count += 1
    head.pointee.size = head.pointee.size + added
  }

  /// Puts a child into an inner node with room for it, without counting its entries.
  func insertChild(_ child: Node, at slot: Int) {
    shiftSlots(from: slot, by: 1)
    (children + slot).initialize(to: Child(node: child, mark: Kind.mark(of: child)))
    head.pointee.slots += 1
  }

  /// Computes count and size anew from the slots.
  func recount() {
    let total = total(of: 0..<slots)
    head.pointee.count = total.count
    head.pointee.size = total.size
  }
}
