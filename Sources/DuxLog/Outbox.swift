/// An effect that committed actions asked for and that is not done with yet.
public struct OutboxRow: Hashable, Sendable {
  /// Names the effect: any string, the same for as long as the effect is there.
  public var key: String
  /// What the effect is, a JSON text that the log looks at no further.
  public var bytes: [UInt8]

  /// Makes a row of its parts.
  public init(key: String, bytes: [UInt8]) {
    self.key = key
    self.bytes = bytes
  }

  /// Whether two rows are the same byte for byte; Swift's strings also count two spellings of one
  /// letter as the same, and keys do not.
  public static func == (left: Self, right: Self) -> Bool {
    left.key.utf8.elementsEqual(right.key.utf8) && left.bytes == right.bytes
  }

  /// Feeds the bytes of both parts.
  public func hash(into hasher: inout Hasher) {
    for byte in key.utf8 { hasher.combine(byte) }
    hasher.combine(bytes)
  }
}

/// What a commit does to the outbox.
public enum OutboxChange: Sendable {
  /// Adds a row behind all others, or replaces the row of the same key in its place.
  case put(OutboxRow)
  /// Takes the row of a key away; without one nothing happens.
  case remove(key: String)

  /// The key of the row concerned.
  public var key: String {
    switch self {
    case .put(let row): row.key
    case .remove(let key): key
    }
  }
}
