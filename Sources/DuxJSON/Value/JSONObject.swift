/// A member of an object as its tree holds it.
struct Member {
  var key: String
  var value: JSON
}

extension UnsafePointer<Member> {
  /// The place of the key.
  @inline(__always)
  var key: UnsafePointer<String> {
    UnsafeRawPointer(self).assumingMemoryBound(to: String.self)
  }

  /// The place of the value.
  @inline(__always)
  var value: UnsafePointer<JSON> {
    (UnsafeRawPointer(self) + MemoryLayout<String>.stride).assumingMemoryBound(to: JSON.self)
  }
}

/// The kind of tree that is an object: members in ascending order of their keys' bytes.
enum ObjectKind: KeyedKind {
  static func key(of entry: borrowing Member) -> String { entry.key }

  static func size(at entry: UnsafePointer<Member>) -> TreeSize {
    var size = valueSize(at: entry)
    size.bytes = size.bytes.addingSaturating(encodedLength(ofStringAt: entry.key) &+ 2)
    return size
  }

  @inline(__always)
  static func valueSize(at entry: UnsafePointer<Member>) -> TreeSize {
    PlacedJSON(entry.value).size
  }

  @inline(__always)
  static func prefetchValue(at entry: UnsafePointer<Member>) { PlacedJSON(entry.value).prefetch() }

  static func depth(of entry: borrowing Member) -> UInt32 { entry.value.sizeDepth }

  static func deinitializeSlots(of node: Node<ObjectKind>) { node.deinitializeSlots() }
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
      guard let path = tree.path(to: key) else { return nil }
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
    guard let path = tree.path(to: key) else { return nil }
    return tree.remove(at: path).value
  }

  private mutating func updateValue(_ value: JSON, forKey key: String) {
    let place = tree.search(key)
    guard place.isPresent else {
      tree.insert(Member(key: key, value: value), at: place.path)
      return
    }
    let isSame = tree.withEntry(at: place.path) { $0.value.isTriviallyIdentical(to: value) }
    if isSame != true { tree.update(at: place.path) { $0.value = value } }
  }
}
