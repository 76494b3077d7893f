extension JSONPatch {
  /// Makes all changes, or none.
  ///
  /// Depth and length of the state are checked after each operation.
  /// - Parameters:
  ///   - state: unchanged where this throws.
  ///   - maximumDepth: containers that may lie in one another; values above 1,000 count as 1,000.
  ///   - maximumBytes: bytes that the canonical text of the state may have.
  /// - Throws: ``JSONPatchError`` naming the first operation that cannot be made.
  /// - Complexity: O(log *n*) an operation, beside the size of its own values.
  public func apply(
    to state: inout JSON, maximumDepth: Int, maximumBytes: Int
  ) throws(JSONPatchError) {
    var result = state
    var undoing: [JSONPatchOperation]?
    let limits = (depth: min(maximumDepth, JSON.greatestDepth), bytes: maximumBytes)
    for (index, operation) in operations.enumerated() {
      try operation.apply(to: &result, index: index, limits: limits, undoing: &undoing)
    }
    state = result
  }

  /// Makes all changes, or none, with no limit but a depth of 1,000.
  ///
  /// - Parameter state: unchanged where this throws.
  /// - Throws: ``JSONPatchError`` naming the first operation that cannot be made.
  public func apply(to state: inout JSON) throws(JSONPatchError) {
    try apply(to: &state, maximumDepth: JSON.greatestDepth, maximumBytes: .max)
  }

  /// Makes the changes where the state lies, with no limit but a depth of 1,000.
  ///
  /// For states that nobody else holds: their nodes are changed instead of copied.
  /// - Parameter state: of no use any more where this throws.
  /// - Throws: ``JSONPatchError`` naming the first operation that cannot be made.
  package func applyInPlace(to state: inout JSON) throws(JSONPatchError) {
    var undoing: [JSONPatchOperation]?
    let limits = (depth: JSON.greatestDepth, bytes: Int.max)
    for (index, operation) in operations.enumerated() {
      if let edit = operation.edit,
        state.perform(
          edit, at: operation.path, maximumDepth: limits.depth, maximumBytes: limits.bytes) != nil
      {
        continue
      }
      try operation.apply(to: &state, index: index, limits: limits, undoing: &undoing)
    }
  }

  /// The patch that leads from the state after this patch back to `state`, exactly.
  ///
  /// - Parameter state: the state before this patch.
  /// - Returns: a patch without tests, no longer than two operations for each of this one.
  /// - Throws: ``JSONPatchError`` where this patch cannot be applied to `state`.
  public func inverse(on state: JSON) throws(JSONPatchError) -> JSONPatch {
    var result = state
    var undoing: [JSONPatchOperation]? = []
    let limits = (depth: JSON.greatestDepth, bytes: Int.max)
    for (index, operation) in operations.enumerated() {
      try operation.apply(to: &result, index: index, limits: limits, undoing: &undoing)
    }
    return JSONPatch(operations: undoing?.reversed() ?? [])
  }
}

extension JSONPatchOperation {
  /// Makes the change where the state lies, with no limit but a depth of 1,000.
  ///
  /// - Parameter state: of no use any more where this throws.
  /// - Throws: ``JSONPatchError`` where it cannot be made.
  /// - Complexity: O(log *n*), whatever its value holds.
  package func applyInPlace(to state: inout JSON) throws(JSONPatchError) {
    var undoing: [JSONPatchOperation]?
    try apply(
      to: &state, index: 0, limits: (depth: JSON.greatestDepth, bytes: .max), undoing: &undoing)
  }

  /// The operation as a change of one place, where it is one.
  fileprivate var edit: PlaceEdit? {
    switch self {
    case .add(_, let value): .put(value)
    case .replace(_, let value): .replace(value)
    case .remove: .remove
    case .move, .copy, .test: nil
    }
  }

  /// Makes the change; what undoes it is appended to `undoing`, the last step first.
  fileprivate func apply(
    to state: inout JSON, index: Int, limits: (depth: Int, bytes: Int),
    undoing: inout [JSONPatchOperation]?
  ) throws(JSONPatchError) {
    var place = path
    do throws(EditFailure) {
      switch self {
      case .add(let path, let value):
        try state.add(value, at: path, undoing: &undoing)
      case .remove(let path):
        let old = try state.remove(at: path)
        undoing?.append(.add(path: path, value: old))
      case .replace(let path, let value):
        let old = try state.replace(at: path, with: value)
        undoing?.append(.replace(path: path, value: old))
      case .move(let from, let path):
        place = from
        let value = try state.existing(at: from)
        if from == path { return }
        place = path
        if from.isPrefix(of: path) { throw .movedIntoItself }
        _ = try state.remove(at: from)
        undoing?.append(.add(path: from, value: value))
        try state.add(value, at: path, undoing: &undoing)
      case .copy(let from, let path):
        place = from
        let value = try state.existing(at: from)
        place = path
        try state.add(value, at: path, undoing: &undoing)
      case .test(let path, let value):
        guard try state.existing(at: path).matches(value) else { throw .testFailed }
      }
      if state.depth > limits.depth { throw .tooDeep }
      if state.encodedByteCount > limits.bytes { throw .tooLarge }
    } catch {
      throw JSONPatchError(operation: index, path: place.description, reason: error)
    }
  }
}

extension JSON {
  /// Adds a value as RFC 6902 §4.1 wants it, and notes what undoes that.
  fileprivate mutating func add(
    _ value: JSON, at path: JSONPointer, undoing: inout [JSONPatchOperation]?
  ) throws(EditFailure) {
    switch try add(value, at: path) {
    case .replaced(let old): undoing?.append(.replace(path: path, value: old))
    case .inserted(nil): undoing?.append(.remove(path: path))
    case .inserted(let index?):
      let place = Array(path.tokens.dropLast()) + [String(index)]
      undoing?.append(.remove(path: JSONPointer(tokens: place)))
    }
  }
}
