extension Tree {
  /// The path to a position from 0 to `count`, found by the counts of subtrees.
  func path(toPosition position: Int) -> SlotPath {
    var path = SlotPath()
    guard let root else { return path }
    var rest = position
    var node = Unmanaged.passUnretained(root)
    var level = root.height
    while level > 0 {
      node = node._withUnsafeGuaranteedRef { inner in
        var slot = 0
        let last = inner.slots &- 1
        while slot < last {
          let count = inner.count(ofSlot: slot)
          if rest < count { break }
          rest &-= count
          slot &+= 1
        }
        path[level] = slot
        return Unmanaged.passUnretained(inner.children[slot].node)
      }
      level &-= 1
    }
    path[0] = rest
    return path
  }

  /// How many entries lie before a path.
  func position(of path: SlotPath) -> Int {
    guard let root else { return 0 }
    var position = 0
    var node = Unmanaged.passUnretained(root)
    var level = root.height
    while level > 0 {
      node = node._withUnsafeGuaranteedRef { inner in
        let slot = path[level]
        for before in 0..<slot { position &+= inner.count(ofSlot: before) }
        return Unmanaged.passUnretained(inner.children[slot].node)
      }
      level &-= 1
    }
    return position &+ path[0]
  }
}
