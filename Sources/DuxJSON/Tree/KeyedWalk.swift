/// What two versions of a keyed tree differ in, found by walking both in the order of their keys.
///
/// A subtree is opened only where its keys may meet the other side's, and not at all where both
/// sides have the very same one. The walk does not keep the trees alive: whoever walks does.
struct KeyedWalk<Kind: KeyedKind> {
  /// A key at which the versions may differ.
  enum Step {
    /// Only the old version has the key.
    case old(UnsafePointer<Kind.Entry>)
    /// Only the new version has the key.
    case new(UnsafePointer<Kind.Entry>)
    /// Both have it; the entries may still be equal.
    case both(UnsafePointer<Kind.Entry>, UnsafePointer<Kind.Entry>)
  }

  private var left: TreeCursor<Kind>
  private var right: TreeCursor<Kind>
  /// Entries and subtrees looked at so far: what the walk costs.
  private(set) var work = 0

  init(from old: borrowing Tree<Kind>, to new: borrowing Tree<Kind>) {
    left = TreeCursor(old)
    right = TreeCursor(new)
  }

  /// The next key in ascending order, or nothing at the end of both.
  mutating func next() -> Step? {
    while true {
      work &+= 1
      if left.skipShared(with: &right) { continue }
      guard let a = left.key else { return right.nextEntry(&work).map { .new($0) } }
      guard let b = right.key else { return left.nextEntry(&work).map { .old($0) } }
      let order = compareBytes(a, b)
      if order < 0 {
        if left.isAtEntry { return .old(left.takeEntry()) }
        left.open()
      } else if order > 0 {
        if right.isAtEntry { return .new(right.takeEntry()) }
        right.open()
      } else if left.isAtEntry && right.isAtEntry {
        return .both(left.takeEntry(), right.takeEntry())
      } else {
        let heights = (left.height, right.height)
        if heights.0 >= heights.1 { left.open() }
        if heights.1 >= heights.0 { right.open() }
      }
    }
  }
}

extension TreeCursor where Kind: KeyedKind {
  /// The least key at the cursor; nothing at the end.
  fileprivate var key: String? {
    if isAtEnd { return nil }
    return mark ?? Kind.key(of: entry.pointee)
  }

  /// The entry at the cursor, which is stepped over.
  fileprivate mutating func takeEntry() -> UnsafePointer<Kind.Entry> {
    defer { advance() }
    return UnsafePointer(entry)
  }

  /// Opens subtrees until there is an entry, and steps over it; nothing at the end.
  fileprivate mutating func nextEntry(_ work: inout Int) -> UnsafePointer<Kind.Entry>? {
    while !isAtEnd {
      if isAtEntry { return takeEntry() }
      work &+= 1
      open()
    }
    return nil
  }
}
