extension JSONObject {
  /// Walks the keys at which two versions of an object may differ, in ascending order.
  package struct Differences: Sequence, IteratorProtocol {
    private let trees: (Tree<ObjectKind>, Tree<ObjectKind>)
    private var walk: KeyedWalk<ObjectKind>

    fileprivate init(from old: Tree<ObjectKind>, to new: Tree<ObjectKind>) {
      trees = (old, new)
      walk = KeyedWalk(from: old, to: new)
    }

    /// The next key with its old and its new value, of which one may be missing.
    package mutating func next() -> (key: String, old: JSON?, new: JSON?)? {
      while let step = walk.next() {
        switch step {
        case .old(let member): return (member.pointee.key, member.pointee.value, nil)
        case .new(let member): return (member.pointee.key, nil, member.pointee.value)
        case .both(let old, let new):
          if old.pointee.value.isTriviallyIdentical(to: new.pointee.value) { continue }
          return (new.pointee.key, old.pointee.value, new.pointee.value)
        }
      }
      return nil
    }
  }

  /// Where this object may differ from an older one; values of both may still be equal.
  ///
  /// - Complexity: O(changes × log *n*) where one was made by changing the other.
  package func differences(from old: JSONObject) -> Differences {
    Differences(from: old.tree, to: tree)
  }
}
