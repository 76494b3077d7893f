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
  package let undo: JSONPatchOperation?
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
    var editing = PlaceEditing(pointer: pointer, edit: edit)
    guard editing.change(&self, below: 0) else { return nil }
    return PlaceChange(patch: JSONPatch(operations: editing.operations), undo: editing.undo)
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
  /// What was done, once it is.
  var operations: [JSONPatchOperation] = []
  var undo: JSONPatchOperation?

  init(pointer: JSONPointer, edit: PlaceEdit) {
    self.pointer = pointer
    self.edit = edit
  }

  private func isLast(_ depth: Int) -> Bool { depth == pointer.tokens.count &- 1 }

  /// Makes the change below a value that so many tokens lead to.
  mutating func change(_ value: inout JSON, below depth: Int) -> Bool {
    guard depth < pointer.tokens.count else { return change(&value) }
    switch consume value {
    case .object(var object):
      let isMade = changeEntry(of: &object.tree, at: depth)
      value = .object(object)
      return isMade
    case .array(var array):
      let isMade = changeEntry(of: &array, at: depth)
      value = .array(array)
      return isMade
    case let scalar:
      value = scalar
      return false
    }
  }

  private mutating func changeEntry(of tree: inout Tree<ObjectKind>, at depth: Int) -> Bool {
    let token = pointer.tokens[depth]
    let place = tree.search(token)
    guard place.isPresent else { return addEntry(token, to: &tree, at: place.path, depth) }
    if case .remove = edit, isLast(depth) {
      undo = .add(path: pointer, value: tree.remove(at: place.path).value)
      operations = [.remove(path: pointer)]
      return true
    }
    return tree.update(at: place.path) { change(&$0.value, below: depth &+ 1) }
  }

  private mutating func addEntry(
    _ token: String, to tree: inout Tree<ObjectKind>, at path: SlotPath, _ depth: Int
  ) -> Bool {
    switch edit {
    case .set(let value):
      let rest = pointer.tokens[(depth &+ 1)...]
      let entry = rest.reversed().reduce(value) { .object([$1: $0]) }
      tree.insert(Member(key: token, value: entry), at: path)
      let place = rest.isEmpty ? pointer : JSONPointer(tokens: Array(pointer.tokens[...depth]))
      operations = [.add(path: place, value: entry)]
      undo = .remove(path: place)
      return true
    case .put(let value) where isLast(depth):
      tree.insert(Member(key: token, value: value), at: path)
      operations = [.add(path: pointer, value: value)]
      undo = .remove(path: pointer)
      return true
    case .put, .replace, .remove, .increment, .insert: return false
    }
  }

  private mutating func changeEntry(of array: inout JSONArray, at depth: Int) -> Bool {
    guard let index = arrayIndex(pointer.tokens[depth]), index < array.count else { return false }
    if isLast(depth) {
      switch edit {
      case .remove:
        // Which of two equal neighbours went is for the comparison to say.
        if index &+ 1 < array.count, array[index] == array[index &+ 1] { return false }
        undo = .add(path: pointer, value: array.remove(at: index))
        operations = [.remove(path: pointer)]
        return true
      case .put: return false
      case .set, .replace, .increment, .insert: break
      }
    }
    return array.tree.update(at: array.path(to: index)) { change(&$0, below: depth &+ 1) }
  }

  /// Changes the value at the place itself.
  private mutating func change(_ value: inout JSON) -> Bool {
    switch edit {
    case .set(let new), .put(let new), .replace(let new): replace(&value, with: new)
    case .increment(let step):
      guard let sum = value.adding(step) else { return false }
      replace(&value, with: sum)
    case .insert(let element, let index):
      guard case .array(var array) = value, let place = index ?? Int64(exactly: array.count),
        place >= 0, place <= array.count
      else { return false }
      if place < array.count, array[Int(place)] == element { return false }
      value = .null
      array.insert(element, at: Int(place))
      value = .array(array)
      let path = pointer.appending(String(place))
      operations = [.add(path: path, value: element)]
      undo = .remove(path: path)
    case .remove: return false
    }
    return true
  }

  private mutating func replace(_ value: inout JSON, with new: JSON) {
    guard value.isContainer, new.isContainer else {
      if value.isTriviallyIdentical(to: new) { return }
      operations = [.replace(path: pointer, value: new)]
      exchange(&value, for: new)
      return
    }
    var difference = Difference(at: pointer)
    difference.compare(value, new)
    operations = difference.operations
    exchange(&value, for: new)
  }

  private mutating func exchange(_ value: inout JSON, for new: JSON) {
    var old = new
    swap(&value, &old)
    undo = .replace(path: pointer, value: old)
  }
}
