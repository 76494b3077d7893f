/// One accepted step as the log keeps it: who asked for what, when, and what it changed.
///
/// The two payloads are JSON texts in canonical form, kept encoded so that storing, reading back
/// and sending cost a copy of bytes and no parse.
public struct LogEntry: Hashable, Sendable {
  /// The step's number.
  public var seq: SequenceNumber
  /// Wall clock in milliseconds since 1970; never falls along `seq`.
  public var time: Int64
  /// The client that asked for it.
  public var client: String
  /// The client's own number for the request, where it gave one.
  public var n: Int64?
  /// The actions of the step, a JSON array.
  public var actions: [UInt8]
  /// What changed in the whole state, an RFC 6902 patch of `add`, `remove` and `replace`;
  /// `[]` for a step that changed nothing.
  public var patch: [UInt8]

  /// Makes an entry of its parts.
  public init(
    seq: SequenceNumber, time: Int64, client: String, n: Int64?, actions: [UInt8], patch: [UInt8]
  ) {
    self.seq = seq
    self.time = time
    self.client = client
    self.n = n
    self.actions = actions
    self.patch = patch
  }
}
