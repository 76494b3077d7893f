/// How often which time was seen, in a fixed number of counters.
///
/// Log-linear: times up to 255 ns have a counter each, and from there on every doubling has 128, so
/// that what is read back differs by less than 0.4 % from what was recorded.
struct LatencyHistogram {
  private var counts = [Int](repeating: 0, count: Self.counters)
  /// How many times were recorded.
  private(set) var count = 0
  /// The longest time, exactly, in nanoseconds.
  private(set) var greatest: Int64 = 0

  /// Counters for each doubling.
  private static let steps = 128
  private static let stepBits = 7
  /// Times from here on, 2.4 hours, share the last counter.
  private static let limit = Int64(1) << 43
  private static let counters = counter(of: limit - 1) + 1

  /// Records a time in nanoseconds; one before zero counts as zero.
  mutating func record(_ nanoseconds: Int64) {
    let time = max(0, nanoseconds)
    if time > greatest { greatest = time }
    counts[Self.counter(of: min(time, Self.limit - 1))] &+= 1
    count &+= 1
  }

  /// Forgets everything.
  mutating func reset() {
    guard count > 0 else { return }
    for index in counts.indices { counts[index] = 0 }
    count = 0
    greatest = 0
  }

  /// The time that a share of all did not exceed, in nanoseconds; `nil` where there is none.
  func value(at quantile: Double) -> Int64? {
    guard count > 0 else { return nil }
    guard quantile < 1 else { return greatest }
    let rank = max(1, Int((max(0, quantile) * Double(count)).rounded(.up)))
    var sum = 0
    for (index, number) in counts.enumerated() {
      sum += number
      if sum >= rank { return min(Self.middle(of: index), greatest) }
    }
    return greatest
  }

  /// How many times lie within bounds, to the precision of the counters.
  func count(in bounds: Range<Int64>) -> Int {
    var sum = 0
    for (index, number) in counts.enumerated() where number > 0 {
      if bounds.contains(min(Self.middle(of: index), greatest)) { sum += number }
    }
    return sum
  }

  private static func counter(of time: Int64) -> Int {
    guard time >= Int64(2 * steps) else { return Int(time) }
    let shift = 63 - stepBits - time.leadingZeroBitCount
    return shift * steps + Int(time >> Int64(shift))
  }

  private static func middle(of counter: Int) -> Int64 {
    guard counter >= 2 * steps else { return Int64(counter) }
    let shift = Int64(counter / steps - 1)
    let first = Int64(counter) - shift * Int64(steps)
    return first << shift + (Int64(1) << shift) / 2
  }
}
