/// When the actions of an open loop are due.
///
/// Up to 5,000 a second each has its own time; above, those of each 200 µs are due together.
struct Pacing: Equatable {
  let perSecond: Int
  /// Nanoseconds from one time to the next.
  let tick: Int64

  private static let second: Int64 = 1_000_000_000
  private static let shortestTick: Int64 = 200_000

  /// Makes the schedule of a rate of at most a million.
  init(perSecond: Int) {
    self.perSecond = max(1, perSecond)
    tick = max(Self.second / Int64(self.perSecond), Self.shortestTick)
  }

  /// When an action is due, by its number from 0 on, in nanoseconds from the beginning.
  func due(_ number: Int64) -> Int64 {
    // An hour's numbers of the highest rate times a second's nanoseconds fit.
    let time = number &* Self.second / Int64(perSecond)
    guard tick == Self.shortestTick else { return time }
    return (time + tick - 1) / tick * tick
  }

  /// How many actions are due before a time.
  func count(before time: Int64) -> Int64 {
    guard time > 0 else { return 0 }
    var low: Int64 = 0
    var high = time / Self.second * Int64(perSecond) + Int64(perSecond) + 1
    while low < high {
      let middle = low + (high - low) / 2
      if due(middle) < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Which item is written next: each as likely as any other, and the same ones for the same seed.
struct ItemChoice {
  private let count: UInt32
  private var state: UInt32

  /// Makes the choice among items from 0 on.
  init(count: Int, seed: UInt32) {
    self.count = UInt32(clamping: max(1, count))
    // Zero would stay zero.
    state = seed == 0 ? 2_463_534_242 : seed
  }

  /// The next one (xorshift of 32 bits, Marsaglia 2003).
  mutating func next() -> Int {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return Int(state % count)
  }
}

extension Duration {
  /// Whole nanoseconds, or as many as a number holds.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || isBeyond ? (seconds < 0 ? .min : .max) : sum
  }
}
