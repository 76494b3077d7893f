/// What became of a numbered request: given again, word for word, whenever it is retried.
public struct Outcome: Hashable, Sendable {
  /// How a request ended.
  public enum Result: Hashable, Sendable {
    /// It took `seq`; `changed` tells whether the state is another one after it.
    case accepted(seq: SequenceNumber, changed: Bool)
    /// It was refused for good: the wire's error code, the app's own reason if it gave one, and
    /// the text for people.
    ///
    /// Kept apart, so that what is remembered of the many accepted steps is small.
    indirect case rejected(code: String, reason: String?, message: String)
  }

  /// The client's number for the request.
  public var n: Int64
  /// Digest of the request's body in canonical form, to tell a retry from another request that
  /// carries the same number.
  public var bodyDigest: UInt64
  /// What is told to the client.
  public var result: Result

  /// Makes an outcome of its parts.
  public init(n: Int64, bodyDigest: UInt64, result: Result) {
    self.n = n
    self.bodyDigest = bodyDigest
    self.result = result
  }
}
