extension Node {
  /// Makes `node` safe to change in place, with room for `extra` more slots.
  ///
  /// A shared node is copied; one without room moves its slots to a greater allocation.
  @inline(__always)
  static func makeUnique(_ node: inout Node, extra: Int) {
    if isKnownUniquelyReferenced(&node), node.slots &+ extra <= Int(node.head.pointee.capacity) {
      return
    }
    reallocate(&node, extra: extra)
  }

  @inline(never)
  private static func reallocate(_ node: inout Node, extra: Int) {
    let needed = node.slots + extra
    let limit = node.maximumSlots
    let capacity =
      extra == 0 ? needed : min(max(needed, roundedCapacity(needed)), max(limit, needed))
    let copy = make(height: node.head.pointee.height, capacity: capacity)
    if isKnownUniquelyReferenced(&node) {
      copy.head.pointee.size.depth = node.head.pointee.size.depth
      node.moveSlots(0..<node.slots, to: copy, at: 0)
      node.head.pointee.slots = 0
    } else {
      // Reads each child once before any is retained: the reads run side by side, while atomic
      // retains would wait for memory one after another.
      copy.head.pointee.size.depth = node.depth(of: 0..<node.slots)
      node.copySlots(0..<node.slots, to: copy, at: 0)
    }
    copy.head.pointee.slots = UInt16(truncatingIfNeeded: needed - extra)
    copy.head.pointee.count = node.head.pointee.count
    copy.head.pointee.size.bytes = node.head.pointee.size.bytes
    node = copy
  }

  private static func roundedCapacity(_ slots: Int) -> Int {
    var capacity = 4
    while capacity < slots { capacity *= 2 }
    return capacity
  }

  /// Moves slots into uninitialized memory of a node of the same height; counts stay as they were.
  func moveSlots(_ range: Range<Int>, to target: Node, at slot: Int) {
    if isLeaf {
      (target.entries + slot).moveInitialize(from: entries + range.lowerBound, count: range.count)
    } else {
      (target.children + slot).moveInitialize(
        from: children + range.lowerBound, count: range.count)
    }
  }

  /// Copies slots one by one into uninitialized memory of a node of the same height.
  func copySlots(_ range: Range<Int>, to target: Node, at slot: Int) {
    if isLeaf {
      let source = entries + range.lowerBound
      let copy = target.entries + slot
      for index in 0..<range.count { (copy + index).initialize(to: source[index]) }
    } else {
      let source = children + range.lowerBound
      let copy = target.children + slot
      for index in 0..<range.count { (copy + index).initialize(to: source[index]) }
    }
  }

  /// Moves the slots from `slot` on by `distance`, leaving a gap or closing one.
  func shiftSlots(from slot: Int, by distance: Int) {
    let count = slots - slot
    if isLeaf {
      (entries + slot + distance).moveInitialize(from: entries + slot, count: count)
    } else {
      (children + slot + distance).moveInitialize(from: children + slot, count: count)
    }
  }

  /// Cuts the slots from `slot` on off into a new node to the right.
  ///
  /// - Precondition: the node is uniquely referenced.
  func split(at slot: Int) -> Node {
    let range = slot..<slots
    let right = Node.make(height: head.pointee.height, capacity: maximumSlots)
    let total = total(of: range)
    moveSlots(range, to: right, at: 0)
    right.head.pointee.slots = UInt16(truncatingIfNeeded: range.count)
    right.head.pointee.count = total.count
    right.head.pointee.size = total.size
    head.pointee.slots = UInt16(truncatingIfNeeded: slot)
    head.pointee.count -= total.count
    if head.pointee.size.bytes == .max || total.size.depth == head.pointee.size.depth {
      head.pointee.size = self.total(of: 0..<slot).size
    } else {
      head.pointee.size.bytes -= total.size.bytes
    }
    return right
  }
}
