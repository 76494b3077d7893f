/// The kind of tree that is an array: a child's mark is the number of elements below it.
enum ArrayKind: TreeKind {
  typealias Entry = JSON
  typealias Mark = Int

  static func size(at entry: UnsafePointer<JSON>) -> TreeSize {
    var size = valueSize(at: entry)
    size.bytes = size.bytes.addingSaturating(1)
    return size
  }

  @inline(__always)
  static func valueSize(at entry: UnsafePointer<JSON>) -> TreeSize { PlacedJSON(entry).size }

  @inline(__always)
  static func prefetchValue(at entry: UnsafePointer<JSON>) { PlacedJSON(entry).prefetch() }

  static func depth(of entry: borrowing JSON) -> UInt32 { entry.sizeDepth }

  static func deinitializeSlots(of node: Node<ArrayKind>) { node.deinitializeSlots() }

  static func mark(of node: Node<ArrayKind>) -> Int { node.head.pointee.count }

  static func isMark(_ mark: Int, of node: Node<ArrayKind>) -> Bool {
    mark == node.head.pointee.count
  }

  static func refresh(_ mark: inout Int, from node: Node<ArrayKind>, firstEntryTouched: Bool) {
    mark = node.head.pointee.count
  }
}

/// A persistent sequence of JSON values.
///
/// Copies share storage: a change anywhere costs O(log *n*) and leaves every copy as it was.
public struct JSONArray: Sendable {
  var tree: Tree<ArrayKind>

  init(tree: Tree<ArrayKind>) { self.tree = tree }

  /// Makes an empty array.
  public init() { tree = Tree(root: nil) }

  /// Makes an array of some values.
  ///
  /// - Complexity: O(*n*).
  public init(_ elements: some Sequence<JSON>) {
    var elements = ContiguousArray(elements)
    let count = elements.count
    tree = Tree(root: nil)
    elements.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let copy = UnsafeMutablePointer<JSON>.allocate(capacity: count)
      defer { copy.deallocate() }
      copy.initialize(from: base, count: count)
      tree = Tree(moving: copy, count: count)
    }
  }

  /// The number of elements.
  public var count: Int { tree.count }

  /// Whether there is no element.
  public var isEmpty: Bool { tree.root == nil }

  /// Whether both share all their storage, which makes them equal; two empty arrays do.
  ///
  /// - Complexity: O(1).
  public func isIdentical(to other: JSONArray) -> Bool { tree.isIdentical(to: other.tree) }

  /// The element at an index, which must be at least 0 and below ``count``.
  ///
  /// - Complexity: O(log *n*).
  public subscript(index: Int) -> JSON {
    get {
      precondition(index >= 0 && index < count, "index out of range")
      guard let element = tree.withEntry(at: path(to: index), { copy $0 }) else {
        preconditionFailure("index out of range")
      }
      return element
    }
    set {
      if !self[index].isTriviallyIdentical(to: newValue) {
        tree.update(at: path(to: index)) { $0 = newValue }
      }
    }
  }

  /// Adds an element at the end.
  ///
  /// - Complexity: O(log *n*).
  public mutating func append(_ element: JSON) {
    tree.insert(element, at: path(to: count))
  }

  /// Puts an element before the one at `index`, or at the end where that is ``count``.
  ///
  /// - Complexity: O(log *n*).
  public mutating func insert(_ element: JSON, at index: Int) {
    precondition(index >= 0 && index <= count, "index out of range")
    tree.insert(element, at: path(to: index))
  }

  /// Removes the element at an index that exists and gives it back.
  ///
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(at index: Int) -> JSON {
    precondition(index >= 0 && index < count, "index out of range")
    return tree.remove(at: path(to: index))
  }

  /// The place of an index from 0 to `count`.
  func path(to index: Int) -> SlotPath {
    var path = SlotPath()
    guard let root = tree.root else { return path }
    var rest = index
    var node = Unmanaged.passUnretained(root)
    var level = root.height
    while level > 0 {
      node = node._withUnsafeGuaranteedRef { inner in
        var slot = 0
        let last = inner.slots &- 1
        let children = inner.children
        while slot < last, rest >= children[slot].mark {
          rest &-= children[slot].mark
          slot &+= 1
        }
        path[level] = slot
        return Unmanaged.passUnretained(children[slot].node)
      }
      level &-= 1
    }
    path[0] = rest
    return path
  }
}
