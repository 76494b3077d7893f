import DuxJSON

/// How a step of the history changed the content, and what takes that back.
///
/// Members of objects are told apart, an array changes as a whole: its indices would mean other
/// elements once somebody else has changed it. So no two changes meet, and their order is no matter.
struct ContentChanges {
  /// What became of one member, or of the whole content.
  ///
  /// Nothing stands for no member at all.
  struct Change {
    let path: JSONPointer
    let was: JSON?
    let now: JSON?
  }

  private(set) var changes: [Change] = []

  var isEmpty: Bool { changes.isEmpty }

  /// Finds the changes between two versions of the content.
  ///
  /// - Complexity: O(changes × log *n*) where both share storage.
  init(from old: JSON, to new: JSON) {
    compare(old, new, at: [])
  }

  private mutating func compare(_ old: JSON, _ new: JSON, at path: [String]) {
    guard case .object(let former) = old, case .object(let current) = new else {
      if old != new { append(path, was: old, now: new) }
      return
    }
    for (key, old, new) in current.differences(from: former) {
      if let old, let new {
        compare(old, new, at: path + [key])
      } else {
        append(path + [key], was: old, now: new)
      }
    }
  }

  private mutating func append(_ path: [String], was: JSON?, now: JSON?) {
    changes.append(Change(path: JSONPointer(tokens: path), was: was, now: now))
  }

  /// The first path at which the content is no longer as these changes left it.
  func conflict(in content: JSON) -> JSONPointer? {
    for change in changes {
      let found = content.value(at: change.path)
      if found == change.now { continue }
      guard let found, let now = change.now else { return change.path }
      let inside = ContentChanges(from: now, to: found).changes.first?.path.tokens ?? []
      return JSONPointer(tokens: change.path.tokens + inside)
    }
    return nil
  }

  /// Takes the changes back.
  ///
  /// - Throws: ``JSONPatchError`` where what a change was made in is gone.
  func reverted(in content: JSON) throws(JSONPatchError) -> JSON {
    var result = content
    let operations = changes.compactMap { change -> JSONPatchOperation? in
      if let was = change.was { return .add(path: change.path, value: was) }
      return change.now == nil ? nil : .remove(path: change.path)
    }
    try JSONPatch(operations: operations).apply(to: &result)
    return result
  }
}

extension ContentChanges {
  /// The changes by path: `{"/title":{"was":"a","now":"b"}}`; a member that is missing was missing.
  var json: JSON {
    var object = JSONObject()
    for change in changes {
      var both = JSONObject()
      both["was"] = change.was
      both["now"] = change.now
      object[change.path.description] = .object(both)
    }
    return .object(object)
  }

  /// Reads what ``json`` wrote; nothing where it is something else.
  init?(json: JSON) {
    guard case .object(let object) = json else { return nil }
    for (text, both) in object {
      guard let path = try? JSONPointer(text), both.objectValue != nil else { return nil }
      changes.append(Change(path: path, was: both["was"], now: both["now"]))
    }
  }
}
