extension Tree {
  /// Moves the entries of a range into the memory of a new leaf.
  typealias LeafFilling = (UnsafeMutablePointer<Kind.Entry>, Range<Int>) -> Void

  /// Builds a tree of `count` entries in order.
  ///
  /// - Parameters:
  ///   - count: how many entries there are.
  ///   - size: the size of all entries together.
  ///   - fill: called once for each range of entries, in order.
  /// - Complexity: O(*n*).
  @inline(__always)
  init(count: Int, size: TreeSize, fill: LeafFilling) {
    guard count > Node<Kind>.maximumEntries else {
      root = count == 0 ? nil : Self.leaf(of: 0..<count, fill: fill)
      root?.head.pointee.size = size
      return
    }
    root = Self.root(above: count, fill: fill)
  }

  /// Builds a tree of entries in order, moving them out of `base`.
  ///
  /// - Complexity: O(*n*).
  init(moving base: UnsafeMutablePointer<Kind.Entry>, count: Int) {
    var size = TreeSize.zero
    for index in 0..<count { size = size + Kind.size(at: base + index) }
    self.init(count: count, size: size) { target, range in
      target.moveInitialize(from: base + range.lowerBound, count: range.count)
    }
  }

  @inline(__always)
  private static func leaf(of range: Range<Int>, fill: LeafFilling) -> Node<Kind> {
    let node = Node<Kind>.make(height: 0, capacity: range.count)
    fill(node.entries, range)
    node.head.pointee.slots = UInt16(truncatingIfNeeded: range.count)
    node.head.pointee.count = range.count
    return node
  }

  private static func root(above count: Int, fill: LeafFilling) -> Node<Kind>? {
    let limit = Node<Kind>.maximumEntries
    var level: [Node<Kind>] = []
    level.reserveCapacity((count + limit - 1) / limit)
    for start in stride(from: 0, to: count, by: limit) {
      let node = leaf(of: start..<min(start + limit, count), fill: fill)
      node.recount()
      level.append(node)
    }
    while level.count > 1 { level = parents(of: level) }
    return level.first
  }

  private static func parents(of level: [Node<Kind>]) -> [Node<Kind>] {
    let limit = Node<Kind>.maximumChildren
    var parents: [Node<Kind>] = []
    for start in stride(from: 0, to: level.count, by: limit) {
      let slice = level[start..<min(start + limit, level.count)]
      let node = Node<Kind>.make(
        height: level[start].head.pointee.height + 1, capacity: slice.count)
      for child in slice { node.insertChild(child, at: node.slots) }
      node.recount()
      parents.append(node)
    }
    return parents
  }
}
