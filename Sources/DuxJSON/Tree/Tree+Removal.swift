extension Tree {
  /// Takes out the entry at a path that exists.
  mutating func remove(at path: SlotPath) -> Kind.Entry {
    guard var node = root else { preconditionFailure("a path into an empty tree") }
    root = nil
    let entry = Self.remove(at: path, from: &node)
    while !node.isLeaf, node.slots == 1 { node = node.children[0].node }
    root = node.slots == 0 ? nil : node
    return entry
  }

  private static func remove(at path: SlotPath, from node: inout Node<Kind>) -> Kind.Entry {
    Node.makeUnique(&node, extra: 0)
    let height = node.height
    let slot = path[height]
    precondition(slot < node.slots)
    if height == 0 { return node.removeEntry(at: slot) }
    let child = node.children + slot
    let old = child.pointee.node.head.pointee.size
    let entry = remove(at: path, from: &child.pointee.node)
    node.head.pointee.count -= 1
    node.account(from: old, to: child.pointee.node.head.pointee.size)
    if child.pointee.node.slots < Node<Kind>.minimumSlots {
      node.rebalance(childAt: slot)
    } else {
      Kind.refresh(
        &child.pointee.mark, from: child.pointee.node,
        firstEntryTouched: path.isFirst(below: height))
    }
    return entry
  }
}

extension Node {
  /// Slots two siblings may have together to become one node.
  private var joinedSlots: Int { maximumSlots * 3 / 4 }

  /// Takes an entry out of a leaf and counts it off.
  fileprivate func removeEntry(at slot: Int) -> Kind.Entry {
    let removed = Kind.size(at: entries + slot)
    let entry = (entries + slot).move()
    shiftSlots(from: slot + 1, by: -1)
    head.pointee.slots -= 1
    head.pointee.count -= 1
    account(from: removed, to: .zero)
    return entry
  }

  /// Joins a child that has become small with a sibling, or evens the two out.
  fileprivate func rebalance(childAt slot: Int) {
    guard slots > 1 else {
      if children[0].node.slots == 0 {
        children.deinitialize(count: 1)
        head.pointee.slots = 0
      } else {
        children[0].mark = Kind.mark(of: children[0].node)
      }
      return
    }
    let first = max(slot - 1, 0)
    let left = children + first
    let right = children + first + 1
    let sum = left.pointee.node.slots + right.pointee.node.slots
    let isJoining = sum <= left.pointee.node.joinedSlots
    let target = isJoining ? sum : sum / 2
    Node.makeUnique(&left.pointee.node, extra: max(0, target - left.pointee.node.slots))
    Node.makeUnique(&right.pointee.node, extra: max(0, sum - target - right.pointee.node.slots))
    left.pointee.node.exchangeSlots(with: right.pointee.node, keeping: target)
    left.pointee.mark = Kind.mark(of: left.pointee.node)
    if isJoining {
      right.deinitialize(count: 1)
      shiftSlots(from: first + 2, by: -1)
      head.pointee.slots -= 1
    } else {
      right.pointee.mark = Kind.mark(of: right.pointee.node)
    }
  }

  /// Moves slots between this node and its right sibling until this one has `target`.
  private func exchangeSlots(with right: Node, keeping target: Int) {
    let surplus = slots - target
    if surplus > 0 {
      right.shiftSlots(from: 0, by: surplus)
      moveSlots(target..<slots, to: right, at: 0)
    } else if surplus < 0 {
      right.moveSlots(0..<(-surplus), to: self, at: slots)
      right.shiftSlots(from: -surplus, by: surplus)
    }
    head.pointee.slots = UInt16(truncatingIfNeeded: target)
    right.head.pointee.slots = UInt16(truncatingIfNeeded: right.slots + surplus)
    recount()
    right.recount()
  }
}
