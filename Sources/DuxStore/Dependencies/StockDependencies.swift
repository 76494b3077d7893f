public import Foundation

extension DependencyValues {
  /// The time, to the millisecond.
  public var date: Source<Date> {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }

  /// New identifiers.
  public var uuid: Source<UUID> {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }

  /// Chance: numbers from 0 on, all 63 bits of them.
  public var random: Source<Int64> {
    get { self[RandomKey.self] }
    set { self[RandomKey.self] = newValue }
  }

  /// The clock that effects wait on; reducers have no use for it.
  public var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }
}

extension Source<Int64> {
  /// A number of a range; each is as likely as any other, as nearly as 63 bits allow.
  public func callAsFunction(in range: ClosedRange<Int>) -> Int {
    let width = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound)) &+ 1
    let chance = UInt64(bitPattern: self() as Int64)
    return width == 0
      ? Int(truncatingIfNeeded: chance)
      : range.lowerBound
        &+ Int(truncatingIfNeeded: (chance << 1).multipliedFullWidth(by: width).high)
  }
}

private enum DateKey: DependencyKey {
  static let liveValue = Source("date") {
    Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 * 1_000).rounded() / 1_000)
  }
  static let testValue = Source.failing("date", placeholder: Date(timeIntervalSince1970: 0))
}

private enum UUIDKey: DependencyKey {
  static let liveValue = Source("uuid") { UUID() }
  static let testValue = Source.failing("uuid", placeholder: UUID(uuid: UUID.zero))
}

private enum RandomKey: DependencyKey {
  static let liveValue = Source("random") { Int64.random(in: 0 ... .max) }
  static let testValue = Source<Int64>.failing("random", placeholder: 0)
}

private enum ClockKey: DependencyKey {
  static let liveValue: any Clock<Duration> = ContinuousClock()
  static let testValue: any Clock<Duration> = FailingClock()
}

extension UUID {
  fileprivate static let zero: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}
