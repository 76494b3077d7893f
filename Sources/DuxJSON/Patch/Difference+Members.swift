extension Difference {
  /// Appends what leads from one object's members to another's.
  ///
  /// Both are walked in the order of their keys. A subtree is opened only where its keys may meet the
  /// other side's, and not at all where both sides have the very same one.
  mutating func compareMembers(_ old: Tree<ObjectKind>, _ new: Tree<ObjectKind>) {
    var left = TreeCursor(old)
    var right = TreeCursor(new)
    while !isTooLong {
      work += 1
      if left.skipShared(with: &right) { continue }
      guard let a = left.key, let b = right.key else { break }
      let order = compareBytes(a, b)
      if order < 0 {
        if left.isAtEntry { appendRemoval(at: &left) } else { left.open() }
      } else if order > 0 {
        if right.isAtEntry { appendAddition(at: &right) } else { right.open() }
      } else if left.isAtEntry && right.isAtEntry {
        compareValues(left.entry.pointee, right.entry.pointee)
        left.advance()
        right.advance()
      } else {
        let heights = (left.height, right.height)
        if heights.0 >= heights.1 { left.open() }
        if heights.1 >= heights.0 { right.open() }
      }
    }
    while !isTooLong, !left.isAtEnd {
      work += 1
      if left.isAtEntry { appendRemoval(at: &left) } else { left.open() }
    }
    while !isTooLong, !right.isAtEnd {
      work += 1
      if right.isAtEntry { appendAddition(at: &right) } else { right.open() }
    }
  }

  private mutating func compareValues(_ old: Member, _ new: Member) {
    if old.value.isTriviallyIdentical(to: new.value) { return }
    at(new.key) { $0.compare(old.value, new.value) }
  }

  private mutating func appendRemoval(at cursor: inout TreeCursor<ObjectKind>) {
    at(cursor.entry.pointee.key) { $0.appendRemove() }
    cursor.advance()
  }

  private mutating func appendAddition(at cursor: inout TreeCursor<ObjectKind>) {
    let member = cursor.entry.pointee
    at(member.key) { $0.appendAdd(member.value) }
    cursor.advance()
  }
}

extension TreeCursor where Kind == ObjectKind {
  /// The least key at the cursor; nothing at the end.
  var key: String? {
    if isAtEnd { return nil }
    return mark ?? entry.pointee.key
  }
}
