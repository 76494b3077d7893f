/// An entry of a ``KeyedTree``.
package struct KeyedEntry: Sendable {
  /// The place in the tree.
  package let key: String
  /// A text that goes with the key.
  package var text: String
  /// What the entry is about; whoever fills the tree knows of what class.
  package var object: (any AnyObject & Sendable)?

  /// Makes an entry.
  package init(key: String, text: String, object: (any AnyObject & Sendable)?) {
    self.key = key
    self.text = text
    self.object = object
  }
}

/// The kind of tree that holds objects by keys.
enum ObjectsByKey: KeyedKind {
  static func key(of entry: borrowing KeyedEntry) -> String { entry.key }

  static func size(at entry: UnsafePointer<KeyedEntry>) -> TreeSize { .zero }

  static func valueSize(at entry: UnsafePointer<KeyedEntry>) -> TreeSize { .zero }

  static func prefetchValue(at entry: UnsafePointer<KeyedEntry>) {}

  static func depth(of entry: borrowing KeyedEntry) -> UInt32 { 0 }

  static func deinitializeSlots(of node: Node<ObjectsByKey>) { node.deinitializeSlots() }
}

/// A persistent map from strings to objects, ordered by the UTF-8 bytes of the keys and counted.
///
/// Copies share storage: a change costs O(log *n*) and leaves every copy as it was. It is concrete,
/// so that modules above use code that was optimized here, whatever types their objects hold.
package struct KeyedTree: Sendable {
  private var tree: Tree<ObjectsByKey>

  /// Makes an empty tree.
  package init() { tree = Tree(root: nil) }

  /// Makes a tree of entries whose keys ascend strictly by bytes.
  ///
  /// - Complexity: O(*n*).
  package init(uniqueSorted entries: [KeyedEntry]) {
    let copy = UnsafeMutablePointer<KeyedEntry>.allocate(capacity: entries.count)
    defer { copy.deallocate() }
    for (index, entry) in entries.enumerated() {
      precondition(
        index == 0 || compareBytes(entries[index - 1].key, entry.key) < 0, "keys ascend")
      (copy + index).initialize(to: entry)
    }
    tree = Tree(moving: copy, count: entries.count)
  }

  /// The number of entries.
  package var count: Int { tree.count }

  /// Whether both share all their storage, which makes them equal; two empty trees do.
  package func isIdentical(to other: KeyedTree) -> Bool { tree.isIdentical(to: other.tree) }

  /// The entry of a key.
  package subscript(key: String) -> KeyedEntry? {
    guard let path = tree.path(to: key) else { return nil }
    return tree.withEntry(at: path) { copy $0 }
  }

  /// The entry at a position; nothing outside `0..<count`.
  package subscript(position position: Int) -> KeyedEntry? {
    guard position >= 0, position < count else { return nil }
    return tree.withEntry(at: tree.path(toPosition: position)) { copy $0 }
  }

  /// How many entries come before a key that is present.
  package func position(of key: String) -> Int? { tree.path(to: key).map(tree.position(of:)) }

  /// Puts an entry in; the one that had its key is replaced and given back.
  @discardableResult
  package mutating func insert(_ entry: KeyedEntry) -> KeyedEntry? {
    let place = tree.search(entry.key)
    guard place.isPresent else {
      tree.insert(entry, at: place.path)
      return nil
    }
    return tree.update(at: place.path) { present in
      defer { present = entry }
      return present
    }
  }

  /// Takes the entry of a key out and gives it back.
  @discardableResult
  package mutating func remove(_ key: String) -> KeyedEntry? {
    tree.path(to: key).map { tree.remove(at: $0) }
  }

  /// Whether both hold as many entries, and `isEqual` holds for each two at the same position.
  ///
  /// Entries that both share are not asked about.
  package func isEqual(
    to other: KeyedTree, by isEqual: (borrowing KeyedEntry, borrowing KeyedEntry) -> Bool
  ) -> Bool {
    tree.isEqual(to: other.tree, by: isEqual)
  }

  /// What is wrong with the structure, or nothing; walks the whole tree.
  package func brokenInvariant() -> String? {
    if let broken = tree.brokenInvariant() { return broken }
    var last: String?
    var iterator = TreeIterator(tree)
    while let entry = iterator.next() {
      if let last, compareBytes(last, entry.key) >= 0 { return "\(last) before \(entry.key)" }
      last = entry.key
    }
    return nil
  }
}

extension KeyedTree {
  /// Walks entries in ascending order of their keys.
  package struct Iterator: IteratorProtocol {
    fileprivate var base: TreeIterator<ObjectsByKey>

    /// The next entry, or nothing after the last.
    package mutating func next() -> KeyedEntry? { base.next() }
  }

  /// Starts a walk at a position from 0 to `count`.
  package func makeIterator(from position: Int = 0) -> Iterator {
    Iterator(base: TreeIterator(tree, from: tree.path(toPosition: position)))
  }

  /// Walks the keys at which two versions may differ, in ascending order.
  package struct Differences: Sequence, IteratorProtocol {
    private let trees: (Tree<ObjectsByKey>, Tree<ObjectsByKey>)
    private var walk: KeyedWalk<ObjectsByKey>

    fileprivate init(from old: Tree<ObjectsByKey>, to new: Tree<ObjectsByKey>) {
      trees = (old, new)
      walk = KeyedWalk(from: old, to: new)
    }

    /// The old and the new entry of the next key, of which one may be missing.
    package mutating func next() -> (old: KeyedEntry?, new: KeyedEntry?)? {
      switch walk.next() {
      case nil: nil
      case .old(let entry): (entry.pointee, nil)
      case .new(let entry): (nil, entry.pointee)
      case .both(let old, let new): (old.pointee, new.pointee)
      }
    }
  }

  /// Where this version may differ from an older one.
  ///
  /// - Complexity: O(changes × log *n*) where one was made by changing the other.
  package func differences(from old: KeyedTree) -> Differences {
    Differences(from: old.tree, to: tree)
  }
}
