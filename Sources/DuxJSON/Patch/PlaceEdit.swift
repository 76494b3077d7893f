/// A change of the value at one place.
package enum PlaceEdit {
  /// Puts a value at the place, making parent objects that are missing.
  case set(JSON)
  /// Puts a value at the place, a member of an object that is there.
  case put(JSON)
  /// Puts a value in the place of the one that is there.
  case replace(JSON)
  /// Takes the value away.
  case remove
  /// Adds to the number.
  case increment(JSON)
  /// Puts a value before an index of the array; behind its last element without one.
  case insert(JSON, at: Int64?)
}

/// What came of an edit: what changed, and what changes it back.
package struct PlaceChange {
  /// The patch that ``JSONPatch/diff(from:to:)`` finds.
  package let patch: JSONPatch
  /// The operation that leads back exactly; nothing where nothing changed.
  package var undo: JSONPatchOperation?
}

extension PlaceChange {
  fileprivate init(_ operation: JSONPatchOperation, undo: JSONPatchOperation) {
    self.init(patch: JSONPatch(operations: [operation]), undo: undo)
  }
}

extension JSON {
  /// Makes one change where it lies: nodes that nobody else holds are not copied.
  ///
  /// - Parameters:
  ///   - edit: the change.
  ///   - pointer: the place, not the root.
  ///   - maximumDepth: levels that the whole may have, if it has not more already.
  ///   - maximumBytes: bytes that the canonical text of the whole may have.
  /// - Returns: what changed; nothing, and the value is what it was, where the change can't be made,
  ///   may lead past a limit, or has a patch that must be looked for.
  /// - Complexity: O(tokens × log *n*), beside the size of the value that is set.
  package mutating func perform(
    _ edit: consuming PlaceEdit, at pointer: consuming JSONPointer, maximumDepth: Int,
    maximumBytes: Int
  ) -> PlaceChange? {
    guard case .object = self, let last = pointer.last,
      edit.isWithin(
        depth: min(maximumDepth, Self.greatestDepth) &- pointer.tokens.count,
        bytes: maximumBytes.subtractingReportingOverflow(encodedByteCount).partialValue
          &- pointer.encodedBound)
    else { return nil }
    // A name so long makes a removal longer than the rest of its object, perhaps.
    if case .remove = edit, last.utf8.count > 256 { return nil }
    let editing = PlaceEditing(pointer: pointer, edit: edit)
    return editing.pointer.tokens.withUnsafeBufferPointer { editing.change(&self, at: $0) }
  }

  /// The sum of two numbers; nothing where one is none, or the sum leaves the range of its kind.
  package func adding(_ step: JSON) -> JSON? {
    switch (self, step) {
    case (.integer(let left), .integer(let right)):
      let (sum, overflow) = left.addingReportingOverflow(right)
      return overflow ? nil : .integer(sum)
    default:
      guard let left = approximation, let right = step.approximation, (left + right).isFinite else {
        return nil
      }
      return .double(left + right)
    }
  }

  private var approximation: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}

extension JSONPointer {
  /// No less than what objects along the path take in canonical text.
  fileprivate var encodedBound: Int {
    var bytes = 0
    for token in tokens { bytes &+= 6 &* token.utf8.count &+ 6 }
    return bytes
  }
}

extension PlaceEdit {
  /// Whether what it adds at the place certainly keeps to limits.
  fileprivate func isWithin(depth: Int, bytes: Int) -> Bool {
    switch self {
    case .set(let value), .put(let value), .replace(let value):
      value.depth <= depth && value.encodedBound <= bytes
    case .insert(let value, _): value.depth < depth && value.encodedBound < bytes
    case .increment: bytes >= 32
    case .remove: true
    }
  }
}

extension JSON {
  fileprivate var isContainer: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }

  /// No less than the length of the canonical text, found without reading a string.
  fileprivate var encodedBound: Int {
    if case .string(let text) = self { return 6 &* text.utf8.count &+ 2 }
    return encodedByteCount
  }
}

/// A change on its way down to its place.
private struct PlaceEditing {
  let pointer: JSONPointer
  let edit: PlaceEdit

  /// The tokens that are left of the pointer, looked at where they lie.
  typealias Tokens = UnsafeBufferPointer<String>

  /// Makes the change where tokens lead to from a value.
  func change(_ value: inout JSON, at tokens: Tokens) -> PlaceChange? {
    guard let token = tokens.baseAddress, !tokens.isEmpty else { return change(&value) }
    let rest = Tokens(rebasing: tokens.dropFirst())
    return withUnsafeMutablePointer(to: &value) { place in
      switch PlacedJSON(place).form {
      case .object: changeEntry(of: &PlacedJSON.object(at: place).pointee, token, rest)
      case .array: changeEntry(of: &PlacedJSON.array(at: place).pointee, token, rest)
      default: nil
      }
    }
  }

  private func changeEntry(
    of object: inout JSONObject, _ token: UnsafePointer<String>, _ rest: Tokens
  ) -> PlaceChange? {
    let place = object.tree.search(keyAt: token)
    guard place.isPresent else { return addEntry(to: &object.tree, at: place.path, token, rest) }
    if case .remove = edit, rest.isEmpty {
      let old = object.tree.remove(at: place.path).value
      return PlaceChange(.remove(path: pointer), undo: .add(path: pointer, value: old))
    }
    return object.tree.update(at: place.path) { change(&$0.value, at: rest) }
  }

  private func addEntry(
    to tree: inout Tree<ObjectKind>, at path: SlotPath, _ token: UnsafePointer<String>,
    _ rest: Tokens
  ) -> PlaceChange? {
    switch edit {
    case .set(let value):
      let entry = rest.reversed().reduce(value) { .object([$1: $0]) }
      tree.insert(Member(key: token.pointee, value: entry), at: path)
      let place =
        rest.isEmpty ? pointer : JSONPointer(tokens: Array(pointer.tokens.dropLast(rest.count)))
      return PlaceChange(.add(path: place, value: entry), undo: .remove(path: place))
    case .put(let value) where rest.isEmpty:
      tree.insert(Member(key: token.pointee, value: value), at: path)
      return PlaceChange(.add(path: pointer, value: value), undo: .remove(path: pointer))
    case .put, .replace, .remove, .increment, .insert: return nil
    }
  }

  private func changeEntry(
    of array: inout JSONArray, _ token: UnsafePointer<String>, _ rest: Tokens
  ) -> PlaceChange? {
    guard let index = arrayIndex(token.pointee), index < array.count else { return nil }
    if rest.isEmpty {
      switch edit {
      case .remove:
        // Which of two equal neighbours went is for the comparison to say.
        if index &+ 1 < array.count, array[index] == array[index &+ 1] { return nil }
        let old = array.remove(at: index)
        return PlaceChange(.remove(path: pointer), undo: .add(path: pointer, value: old))
      case .put: return nil
      case .set, .replace, .increment, .insert: break
      }
    }
    return array.tree.update(at: array.path(to: index)) { change(&$0, at: rest) }
  }

  /// Changes the value at the place itself.
  private func change(_ value: inout JSON) -> PlaceChange? {
    switch edit {
    case .set(let new), .put(let new), .replace(let new): return replace(&value, with: new)
    case .increment(let step):
      return value.adding(step).map { replace(&value, with: $0) }
    case .insert(let element, let index):
      guard case .array(var array) = value, let place = index ?? Int64(exactly: array.count),
        place >= 0, place <= array.count
      else { return nil }
      if place < array.count, array[Int(place)] == element { return nil }
      value = .null
      array.insert(element, at: Int(place))
      value = .array(array)
      let path = pointer.appending(String(place))
      return PlaceChange(.add(path: path, value: element), undo: .remove(path: path))
    case .remove: return nil
    }
  }

  private func replace(_ value: inout JSON, with new: JSON) -> PlaceChange {
    guard value.isContainer, new.isContainer else {
      if value.isTriviallyIdentical(to: new) { return PlaceChange(patch: JSONPatch(), undo: nil) }
      return PlaceChange(.replace(path: pointer, value: new), undo: exchange(&value, for: new))
    }
    var difference = Difference(at: pointer)
    difference.compare(value, new)
    let patch = JSONPatch(operations: difference.operations)
    return PlaceChange(patch: patch, undo: exchange(&value, for: new))
  }

  private func exchange(_ value: inout JSON, for new: JSON) -> JSONPatchOperation {
    let old = consume value
    value = new
    return .replace(path: pointer, value: old)
  }
}
