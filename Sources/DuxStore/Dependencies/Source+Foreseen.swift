public import Foundation
import Synchronization

// What tests give for the stock sources, so that they can foresee the state.

extension Source<Date> {
  /// A time that stands still.
  ///
  /// ```swift
  /// TestStore(app: TodosApp()) { $0.date = .fixed(Date(timeIntervalSince1970: 0)) }
  /// ```
  public static func fixed(_ date: Date) -> Source {
    Source("date") { date }
  }

  /// Times that go on by the same step each time one is asked for, whole milliseconds.
  public static func stepping(from start: Date, by step: Duration = .seconds(1)) -> Source {
    let count = Counter()
    let seconds = step / .seconds(1)
    return Source("date") {
      let time = start.timeIntervalSince1970 + Double(count.next() - 1) * seconds
      return Date(timeIntervalSince1970: (time * 1_000).rounded() / 1_000)
    }
  }
}

extension Source<UUID> {
  /// Identifiers that count up from `00000000-0000-0000-0000-000000000001`.
  public static func counting() -> Source {
    let count = Counter()
    return Source("uuid") { .numbered(count.next()) }
  }
}

extension Source<Int64> {
  /// Chance that is the same in each run (SplitMix64).
  public static func seeded(_ seed: UInt64) -> Source {
    let count = Counter()
    return Source("random") {
      var number = seed &+ count.next() &* 0x9E37_79B9_7F4A_7C15
      number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
      number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int64(bitPattern: (number ^ (number >> 31)) >> 1)
    }
  }
}

extension UUID {
  /// The identifier that a source gives as its *number*th (``Source/counting()``).
  public static func numbered(_ number: UInt64) -> UUID {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    return UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0,
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
      ))
  }
}

private final class Counter: Sendable {
  private let count = Mutex<UInt64>(0)

  /// 1, 2, 3….
  func next() -> UInt64 {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
