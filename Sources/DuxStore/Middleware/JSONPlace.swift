package import DuxJSON

/// A place where two values differ, and the JSON there.
package struct JSONPlace {
  /// The place.
  package let path: JSONPointer
  /// What was there; `nil` for nothing, as where an element was put between others.
  package let old: JSON?
  /// What is there; `nil` for nothing, as where an element was taken out from between others.
  package let new: JSON?

  /// The places where two values differ as JSON, in the order of a patch from one to the other: each
  /// path is one of the value as the places before it left it.
  ///
  /// - Returns: nothing where one of them can't be written as JSON.
  package static func all(from old: Any, to new: Any) -> [JSONPlace]? {
    guard var current = json(of: old), let end = json(of: new) else { return nil }
    return JSONPatch.diff(from: current, to: end).operations.map { operation in
      let path = operation.path
      let former = operation.isInsertion(into: current) ? nil : current.value(at: path)
      // Each is an operation of a patch that leads from here on: it applies.
      try? JSONPatch(operations: [operation]).apply(to: &current)
      let isRemoval = if case .remove = operation { true } else { false }
      return JSONPlace(path: path, old: former, new: isRemoval ? nil : current.value(at: path))
    }
  }

  private static func json(of value: Any) -> JSON? {
    (value as? any Encodable).flatMap { try? StateCoder.encode($0) }
  }
}

extension JSONPatchOperation {
  /// Whether it puts an element between others, so that what was at its path moves on.
  fileprivate func isInsertion(into json: JSON) -> Bool {
    guard case .add = self, let parent = path.parent else { return false }
    return json.value(at: parent)?.arrayValue != nil
  }
}
