extension JSON {
  /// Merges a patch into this value: members replace or merge, a `null` removes.
  ///
  /// - Complexity: O(patch × log *n*); the stack is as deep as the patch.
  /// - Source: RFC 7396.
  public mutating func merge(_ patch: JSON) {
    guard case .object(let changes) = patch else {
      self = patch
      return
    }
    var object = JSONObject()
    if case .object(let old) = self { object = old }
    self = .null
    for (key, change) in changes {
      if case .null = change {
        object.removeValue(forKey: key)
      } else if case .object = change {
        var value = object[key] ?? .null
        value.merge(change)
        object[key] = value
      } else {
        object[key] = change
      }
    }
    self = .object(object)
  }
}
