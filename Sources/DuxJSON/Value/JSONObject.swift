/// A member of an object as its tree holds it.
struct Member {
  var key: String
  var value: JSON
}

/// The kind of tree that is an object: members in ascending order of their keys' bytes.
enum ObjectKind: TreeKind {
  typealias Entry = Member
  typealias Mark = String

  static func size(of entry: borrowing Member) -> TreeSize {
    let bytes = encodedLength(of: entry.key) &+ 2
    return TreeSize(
      bytes: entry.value.encodedByteCount.addingSaturating(bytes), depth: entry.value.sizeDepth)
  }

  static func depth(of entry: borrowing Member) -> UInt32 { entry.value.sizeDepth }

  static func deinitializeSlots(of node: Node<ObjectKind>) { node.deinitializeSlots() }

  static func mark(of node: Node<ObjectKind>) -> String {
    node.isLeaf ? node.entries[0].key : node.children[0].mark
  }

  static func isMark(_ mark: String, of node: Node<ObjectKind>) -> Bool {
    hasSameBytes(mark, self.mark(of: node))
  }

  static func refresh(_ mark: inout String, from node: Node<ObjectKind>, firstEntryTouched: Bool) {
    if firstEntryTouched { mark = self.mark(of: node) }
  }
}

/// A persistent map from strings to JSON values, ordered by the UTF-8 bytes of the keys.
///
/// Copies share storage: a change costs O(log *n*) and leaves every copy as it was. Keys that
/// Unicode calls equivalent but whose bytes differ are different keys.
public struct JSONObject: Sendable {
  var tree: Tree<ObjectKind>

  init(tree: Tree<ObjectKind>) { self.tree = tree }

  /// Makes an empty object.
  public init() { tree = Tree(root: nil) }

  /// The number of members.
  public var count: Int { tree.count }

  /// Whether there is no member.
  public var isEmpty: Bool { tree.root == nil }

  /// Whether both share all their storage, which makes them equal; two empty objects do.
  ///
  /// - Complexity: O(1).
  public func isIdentical(to other: JSONObject) -> Bool { tree.isIdentical(to: other.tree) }

  /// The value of a key; setting nothing removes the member.
  ///
  /// - Complexity: O(log *n*).
  public subscript(key: String) -> JSON? {
    get {
      guard let path = path(to: key) else { return nil }
      return tree.withEntry(at: path) { $0.value }
    }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
    }
  }

  /// Removes a member and gives its value back, if there was one.
  ///
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func removeValue(forKey key: String) -> JSON? {
    guard let path = path(to: key) else { return nil }
    return tree.remove(at: path).value
  }

  private mutating func updateValue(_ value: JSON, forKey key: String) {
    let place = search(key)
    guard place.isPresent else {
      tree.insert(Member(key: key, value: value), at: place.path)
      return
    }
    let isSame = tree.withEntry(at: place.path) { $0.value.isTriviallyIdentical(to: value) }
    if isSame != true { tree.update(at: place.path) { $0.value = value } }
  }
}

extension JSONObject {
  /// The place of a key that is present.
  func path(to key: String) -> SlotPath? {
    let place = search(key)
    return place.isPresent ? place.path : nil
  }

  /// The place of a key, or the place it would have.
  func search(_ key: String) -> (path: SlotPath, isPresent: Bool) {
    var path = SlotPath()
    guard let root = tree.root else { return (path, false) }
    let isPresent = withBytes(of: key) { bytes in
      var node = Unmanaged.passUnretained(root)
      var level = root.height
      while level > 0 {
        node = node._withUnsafeGuaranteedRef { inner in
          let slot = inner.childSlot(of: bytes)
          path[level] = slot
          return Unmanaged.passUnretained(inner.children[slot].node)
        }
        level &-= 1
      }
      return node._withUnsafeGuaranteedRef { leaf in
        let (slot, isPresent) = leaf.entrySlot(of: bytes)
        path[0] = slot
        return isPresent
      }
    }
    return (path, isPresent)
  }
}

extension Node where Kind == ObjectKind {
  /// The child that holds a key or would.
  fileprivate func childSlot(of key: UnsafeRawBufferPointer) -> Int {
    var low = 1
    var high = slots
    while low < high {
      let middle = (low &+ high) / 2
      let order = withBytes(of: children[middle].mark) { compareBytes($0, key) }
      if order <= 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }

  /// The slot of a key in a leaf, or the slot it would have.
  fileprivate func entrySlot(of key: UnsafeRawBufferPointer) -> (slot: Int, isPresent: Bool) {
    var low = 0
    var high = slots
    while low < high {
      let middle = (low &+ high) / 2
      let order = withBytes(of: entries[middle].key) { compareBytes($0, key) }
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return (low, false)
  }
}
