import DuxJSON

/// How large a state may become, however it is reached.
public struct StateLimits: Hashable, Sendable {
  /// Levels of nesting.
  public var maximumDepth: Int
  /// Bytes of the state's canonical JSON text.
  public var maximumBytes: Int

  /// Makes limits.
  public init(maximumDepth: Int, maximumBytes: Int) {
    self.maximumDepth = maximumDepth
    self.maximumBytes = maximumBytes
  }

  /// Holds a state to the limits; one that is past a limit already, since the limit was lowered,
  /// may stay so but not grow.
  func check(_ next: JSON, after former: JSON) throws(Refusal) {
    guard next.depth <= max(maximumDepth, former.depth) else {
      throw .tooDeep("the state would be \(next.depth) levels deep, \(maximumDepth) are allowed")
    }
    guard next.encodedByteCount <= max(maximumBytes, former.encodedByteCount) else {
      throw .tooLarge(
        "the state would take \(next.encodedByteCount) bytes, \(maximumBytes) are allowed")
    }
  }
}
