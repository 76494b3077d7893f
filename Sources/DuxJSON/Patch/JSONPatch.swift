/// A list of changes to a JSON value, made one after another or not at all.
///
/// - Source: RFC 6902.
public struct JSONPatch: Sendable, Equatable {
  /// The changes in order.
  public var operations: [JSONPatchOperation]

  /// Makes a patch of operations.
  public init(operations: [JSONPatchOperation] = []) { self.operations = operations }
}

/// One change of a patch.
public enum JSONPatchOperation: Sendable, Equatable {
  /// Sets a member, puts an element before an index, or replaces the root.
  case add(path: JSONPointer, value: JSON)
  /// Removes a value that exists.
  case remove(path: JSONPointer)
  /// Replaces a value that exists.
  case replace(path: JSONPointer, value: JSON)
  /// Removes a value and adds it elsewhere.
  case move(from: JSONPointer, path: JSONPointer)
  /// Adds a value that exists elsewhere, too.
  case copy(from: JSONPointer, path: JSONPointer)
  /// Fails where the value is not as given, by ``JSON/matches(_:)``.
  case test(path: JSONPointer, value: JSON)

  /// The place the operation is about.
  public var path: JSONPointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path),
      .copy(_, let path), .test(let path, _):
      path
    }
  }
}
