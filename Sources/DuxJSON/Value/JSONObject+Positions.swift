extension JSONObject {
  /// The member at a position in ascending order of the keys' bytes, from 0 and below ``count``.
  ///
  /// - Complexity: O(log *n*).
  package func member(at position: Int) -> (key: String, value: JSON) {
    precondition(position >= 0 && position < count, "position out of range")
    let path = tree.path(toPosition: position)
    guard let member = tree.withEntry(at: path, { copy $0 }) else {
      preconditionFailure("position out of range")
    }
    return (member.key, member.value)
  }

  /// How many members have a smaller key: the position of the key, or the one that it would have.
  ///
  /// - Complexity: O(log *n*).
  package func position(of key: String) -> (position: Int, isPresent: Bool) {
    let place = tree.search(key)
    return (tree.position(of: place.path), place.isPresent)
  }
}
