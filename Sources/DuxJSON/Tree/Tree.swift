/// A persistent sequence of entries in a B+tree: the engine of ``JSONObject`` and ``JSONArray``.
///
/// A change costs O(log *n*) and leaves every earlier copy as it was.
///
/// Sendable although nodes are classes: a node is changed only while one reference holds it, so no
/// two threads ever see one change.
struct Tree<Kind: TreeKind>: @unchecked Sendable {
  /// Nothing for an empty tree.
  var root: Node<Kind>?

  @inline(__always)
  var count: Int { root?.head.pointee.count ?? 0 }

  /// The sum over all entries, each with its comma.
  @inline(__always)
  var size: TreeSize { root?.head.pointee.size ?? .zero }

  /// Whether both are one and the same storage.
  @inline(__always)
  func isIdentical(to other: Tree) -> Bool { root === other.root }

  /// The entry at a path that exists.
  @inline(__always)
  func withEntry<R>(at path: SlotPath, _ body: (borrowing Kind.Entry) -> R) -> R? {
    guard let root else { return nil }
    var node = Unmanaged.passUnretained(root)
    var level = root.height
    while level > 0 {
      let slot = path[level]
      node = node._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.children[slot].node) }
      level &-= 1
    }
    let slot = path[0]
    return node._withUnsafeGuaranteedRef { body($0.entries[slot]) }
  }

  /// Calls `body` with each entry in order, without touching reference counts.
  @inline(__always)
  func forEach(_ body: (UnsafePointer<Kind.Entry>) -> Void) {
    guard let root else { return }
    Self.forEach(below: Unmanaged.passUnretained(root), body)
  }

  /// Calls `body` with each entry below a node in order, without touching reference counts.
  @inline(__always)
  static func forEach(
    below node: Unmanaged<Node<Kind>>, _ body: (UnsafePointer<Kind.Entry>) -> Void
  ) {
    let (entries, slots, isLeaf) = node._withUnsafeGuaranteedRef {
      ($0.entries, $0.slots, $0.isLeaf)
    }
    if isLeaf {
      for slot in 0..<slots { body(UnsafePointer(entries + slot)) }
    } else {
      withoutActuallyEscaping(body) { body in
        node._withUnsafeGuaranteedRef { Self.visit($0, body) }
      }
    }
  }

  private static func visit(_ node: Node<Kind>, _ body: (UnsafePointer<Kind.Entry>) -> Void) {
    if node.isLeaf {
      for slot in 0..<node.slots { body(UnsafePointer(node.entries + slot)) }
    } else {
      for slot in 0..<node.slots { visit(node.children[slot].node, body) }
    }
  }
}

/// Walks the entries of a tree in order.
struct TreeIterator<Kind: TreeKind>: IteratorProtocol {
  private let root: Node<Kind>?
  /// The inner nodes above the leaf, each with the slot to go on with.
  private var ancestors: [(node: Node<Kind>, slot: Int)] = []
  private var leaf: Node<Kind>?
  private var slot = 0

  init(_ tree: Tree<Kind>) {
    root = tree.root
    if let root { descend(into: root) }
  }

  /// Starts at a path, the end included.
  init(_ tree: Tree<Kind>, from path: SlotPath) {
    root = tree.root
    guard var node = tree.root else { return }
    while !node.isLeaf {
      let slot = path[node.height]
      ancestors.append((node, slot + 1))
      node = node.children[slot].node
    }
    leaf = node
    slot = path[0]
  }

  private mutating func descend(into node: Node<Kind>) {
    var node = node
    while !node.isLeaf {
      ancestors.append((node, 1))
      node = node.children[0].node
    }
    leaf = node
    slot = 0
  }

  mutating func next() -> Kind.Entry? {
    while let leaf {
      if slot < leaf.slots {
        defer { slot &+= 1 }
        return leaf.entries[slot]
      }
      self.leaf = nil
      while let top = ancestors.popLast() {
        guard top.slot < top.node.slots else { continue }
        ancestors.append((top.node, top.slot + 1))
        descend(into: top.node.children[top.slot].node)
        break
      }
    }
    return nil
  }
}
