extension Tree {
  /// What is wrong with the structure, or nothing; walks the whole tree.
  func brokenInvariant() -> String? {
    guard let root else { return nil }
    if root.slots == 0 { return "the root has no slots" }
    if !root.isLeaf && root.slots < 2 { return "an inner root has one child" }
    return Self.brokenInvariant(of: root, isRightmost: true)
  }

  private static func brokenInvariant(of node: Node<Kind>, isRightmost: Bool) -> String? {
    if node.slots > node.maximumSlots || node.slots > node.head.pointee.capacity {
      return "\(node.slots) slots in a node at height \(node.height)"
    }
    if node.slots < (isRightmost ? 1 : Node<Kind>.minimumSlots) {
      return "only \(node.slots) slots in a node at height \(node.height)"
    }
    let total = node.total(of: 0..<node.slots)
    if total.count != node.head.pointee.count { return "a count of \(node.head.pointee.count)" }
    if total.size != node.head.pointee.size { return "a size of \(node.head.pointee.size)" }
    guard !node.isLeaf else { return nil }
    for slot in 0..<node.slots {
      let child = node.children[slot]
      if child.node.height != node.height - 1 { return "a child at the wrong height" }
      if !Kind.isMark(child.mark, of: child.node) { return "a stale mark \(child.mark)" }
      let isLast = isRightmost && slot == node.slots - 1
      if let broken = brokenInvariant(of: child.node, isRightmost: isLast) { return broken }
    }
    return nil
  }
}
