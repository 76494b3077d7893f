/// A kind of tree whose entries stand in ascending order of unique keys, by their UTF-8 bytes.
///
/// The key is the first thing in an entry's memory.
protocol KeyedKind: TreeKind where Mark == String {
  /// The key of an entry.
  static func key(of entry: borrowing Entry) -> String
}

extension KeyedKind {
  static func mark(of node: Node<Self>) -> String {
    node.isLeaf ? key(of: node.entries[0]) : node.children[0].mark
  }

  static func isMark(_ mark: String, of node: Node<Self>) -> Bool {
    hasSameBytes(mark, self.mark(of: node))
  }

  static func refresh(_ mark: inout String, from node: Node<Self>, firstEntryTouched: Bool) {
    if firstEntryTouched { mark = self.mark(of: node) }
  }
}

extension Tree where Kind: KeyedKind {
  /// The place of a key that is present.
  @inline(__always)
  func path(to key: String) -> SlotPath? {
    let place = search(key)
    return place.isPresent ? place.path : nil
  }

  /// The place of a key, or the place it would have.
  @inline(__always)
  func search(_ key: String) -> (path: SlotPath, isPresent: Bool) {
    withUnsafePointer(to: key) { search(keyAt: $0) }
  }

  /// The place of a key that lies in memory, or the place it would have.
  func search(keyAt key: UnsafePointer<String>) -> (path: SlotPath, isPresent: Bool) {
    guard let root = root.map({ Unmanaged.passUnretained($0) }) else { return (SlotPath(), false) }
    if let short = ShortText(ofStringAt: key) {
      return Self.search(ShortKey(text: short), below: root)
    }
    return withBytes(of: key.pointee) { Self.search(LongKey(bytes: $0), below: root) }
  }

  @inline(__always)
  private static func search(
    _ key: some SoughtKey, below root: Unmanaged<Node<Kind>>
  ) -> (path: SlotPath, isPresent: Bool) {
    var path = SlotPath()
    var node = root
    var level = node._withUnsafeGuaranteedRef { $0.height }
    while level > 0 {
      let slot = node._withUnsafeGuaranteedRef { $0.childSlot(of: key) }
      path[level] = slot
      node = node._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.children[slot].node) }
      prefetch(node.toOpaque(), bytes: Node<Kind>.fullBytes)
      level &-= 1
    }
    let place = node._withUnsafeGuaranteedRef { $0.entrySlot(of: key) }
    path[0] = place.slot
    return (path, place.isPresent)
  }
}

extension Node where Kind: KeyedKind {
  /// The child that holds a key or would.
  @inline(__always)
  fileprivate func childSlot(of key: some SoughtKey) -> Int {
    let children = children
    var low = 1
    var high = slots
    while low < high {
      let middle = (low &+ high) &>> 1
      let order = withUnsafePointer(to: &children[middle].mark) { mark in
        key.order(ofStringAt: UnsafeRawPointer(mark))
      }
      if order <= 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }

  /// The slot of a key in a leaf, or the slot it would have.
  @inline(__always)
  fileprivate func entrySlot(of key: some SoughtKey) -> (slot: Int, isPresent: Bool) {
    let entries = entries
    var low = 0
    var high = slots
    while low < high {
      let middle = (low &+ high) &>> 1
      let order = key.order(ofStringAt: UnsafeRawPointer(entries + middle))
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return (low, false)
  }
}
