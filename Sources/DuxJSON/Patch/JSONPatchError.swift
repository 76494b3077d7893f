/// Why a patch was refused, and by which of its operations.
public struct JSONPatchError: Error, Equatable, CustomStringConvertible {
  /// The index of the operation in the patch; nothing where the patch as a whole is malformed.
  public let operation: Int?
  /// The path the rule is about, as written; empty for the root or where there is none.
  public let path: String
  /// The rule broken.
  public let reason: Reason

  /// A rule of RFC 6902 or a limit of the caller.
  public enum Reason: Error, Equatable {
    /// The JSON is no patch; the text says what is missing.
    case malformed(String)
    /// Nothing is at the path, or its container is missing.
    case missingPath
    /// A step of the path leads into a scalar, or a token is no array index.
    case notAContainer
    /// A token that should be an array index is none.
    case malformedIndex
    /// An array index is beyond the end.
    case indexOutOfRange
    /// The root cannot be removed.
    case rootRemoved
    /// A value cannot be moved into itself.
    case movedIntoItself
    /// The value is not the one the test wants.
    case testFailed
    /// The state would nest deeper than allowed.
    case tooDeep
    /// The state would be longer than allowed.
    case tooLarge
  }

  /// The operation, the path and the rule in words.
  public var description: String {
    let place = operation.map { "operation \($0) at \"\(path)\"" } ?? "the patch"
    return "\(place): \(reason.text)"
  }
}

extension JSONPatchError.Reason {
  fileprivate var text: String {
    switch self {
    case .malformed(let text): text
    case .missingPath: "nothing is there"
    case .notAContainer: "the path leads into a value that is neither object nor array"
    case .malformedIndex: "an array index is digits without leading zero, or - to add at the end"
    case .indexOutOfRange: "the array index is beyond the end"
    case .rootRemoved: "the root cannot be removed"
    case .movedIntoItself: "a value cannot be moved into itself"
    case .testFailed: "the value is another"
    case .tooDeep: "the result would nest too deep"
    case .tooLarge: "the result would be too large"
    }
  }
}
