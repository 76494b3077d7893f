/// A place in the log: 1, 2, 3, … with no gap; 0 stands for "before the first action".
public struct SequenceNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number as it stands on the wire and on disk.
  public let value: Int64

  /// Wraps a number that is already known to be a place in the log.
  public init(_ value: Int64) {
    self.value = value
  }

  /// The place before the first action.
  public static let zero = SequenceNumber(0)

  /// The place one action later; saturates at the end of the numbering.
  public var next: SequenceNumber {
    SequenceNumber(value == .max ? .max : value + 1)
  }

  /// The place one action earlier; saturates at zero.
  public var previous: SequenceNumber {
    SequenceNumber(value <= 0 ? 0 : value - 1)
  }

  /// Whether one place comes before another.
  public static func < (left: Self, right: Self) -> Bool {
    left.value < right.value
  }

  /// The number in decimal digits.
  public var description: String {
    String(value)
  }
}
