package import DuxJSON

/// What a change of the whole state is to somebody who sees one path of it only.
package enum PathChange: Equatable, Sendable {
  /// The value at the path is what it was.
  case untouched
  /// The value at the path changed so; paths are relative to it. An empty path that is added or
  /// removed says that the value appeared or vanished.
  case patch(JSONPatch)
  /// The patch alone does not tell: the states before and after must be compared.
  case unclear

  /// Reads off a patch what it does to one path.
  ///
  /// It needs the state only where the patch works above the path: there an array may have
  /// shifted, or a parent may have come, gone or been replaced.
  ///
  /// - Parameters:
  ///   - patch: what changed, as `add`, `remove` and `replace` from the root.
  ///   - path: where somebody looks.
  ///   - before: the state before the change, if it is at hand; asked for only where it is needed.
  /// - Returns: what it is, as far as can be told.
  /// - Complexity: O(operations × depth).
  package static func of(
    _ patch: JSONPatch, at path: JSONPointer, before: @autoclosure () -> JSON?
  ) -> PathChange {
    if path.isRoot {
      return patch.operations.isEmpty ? .untouched : .patch(patch)
    }
    var relative: [JSONPatchOperation] = []
    for operation in patch.operations {
      switch Reach.of(operation, on: path, before: before()) {
      case .none: continue
      case .inside: relative.append(operation.dropping(prefix: path.tokens.count))
      case .above: return .unclear
      }
    }
    return relative.isEmpty ? .untouched : .patch(JSONPatch(operations: relative))
  }

  /// Compares what is at a path in two states.
  ///
  /// - Complexity: O(change), see ``DuxJSON/JSONPatch/diff(from:to:)``.
  package static func between(_ before: JSON, _ after: JSON, at path: JSONPointer) -> PathChange {
    switch (before.value(at: path), after.value(at: path)) {
    case (nil, nil):
      return .untouched
    case (nil, let value?):
      return .patch(JSONPatch(operations: [.add(path: .root, value: value)]))
    case (_?, nil):
      return .patch(JSONPatch(operations: [.remove(path: .root)]))
    case (let old?, let new?):
      let patch = JSONPatch.diff(from: old, to: new)
      return patch.operations.isEmpty ? .untouched : .patch(patch)
    }
  }
}

/// Where one operation works, seen from a path.
package enum Reach: Sendable {
  /// Elsewhere.
  case none
  /// At the path or inside its value.
  case inside
  /// On something that the path leads through.
  case above

  /// Where an operation works; `before` is the state it is applied to, where that is known.
  package static func of(
    _ operation: JSONPatchOperation, on path: JSONPointer, before: @autoclosure () -> JSON?
  ) -> Reach {
    let target = operation.path
    let length = min(target.tokens.count, path.tokens.count)
    var shared = 0
    while shared < length, hasSameBytes(target.tokens[shared], path.tokens[shared]) {
      shared += 1
    }
    if shared == path.tokens.count {
      let isWhole = shared == target.tokens.count
      return isWhole && operation.mayShift(in: before()) ? .above : .inside
    }
    if shared == target.tokens.count { return .above }
    let isSibling = shared == target.tokens.count - 1
    return isSibling && operation.mayShift(in: before()) ? .above : .none
  }
}

extension JSONPatchOperation {
  /// Whether entries of an array change their places by it, as far as can be told.
  func mayShift(in before: @autoclosure () -> JSON?) -> Bool {
    switch self {
    case .replace, .test: return false
    case .add(let path, _), .remove(let path), .move(_, let path), .copy(_, let path):
      guard let last = path.tokens.last, let parent = path.parent else { return false }
      guard last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) || last == "-" else {
        return false
      }
      guard let before = before() else { return true }
      return before.value(at: parent)?.arrayValue != nil
    }
  }

  fileprivate func dropping(prefix count: Int) -> JSONPatchOperation {
    func shortened(_ path: JSONPointer) -> JSONPointer {
      JSONPointer(tokens: Array(path.tokens.dropFirst(count)))
    }
    switch self {
    case .add(let path, let value): return .add(path: shortened(path), value: value)
    case .remove(let path): return .remove(path: shortened(path))
    case .replace(let path, let value): return .replace(path: shortened(path), value: value)
    case .move(let from, let path):
      return .move(from: shortened(from), path: shortened(path))
    case .copy(let from, let path):
      return .copy(from: shortened(from), path: shortened(path))
    case .test(let path, let value): return .test(path: shortened(path), value: value)
    }
  }
}
