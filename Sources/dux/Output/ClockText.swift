import DuxNetwork
import Glibc

/// Times of the wall clock, in milliseconds since 1970, as this machine's people write them.
enum ClockText {
  /// The time of the day: `14:02:11`.
  static func time(_ ms: Int64) -> String {
    let parts = local(ms)
    return two(parts.tm_hour) + ":" + two(parts.tm_min) + ":" + two(parts.tm_sec)
  }

  /// The day and the time: `2025-11-30 14:02:11.123`.
  static func dayAndTime(_ ms: Int64) -> String {
    let parts = local(ms)
    let fraction = String(ms - (ms >= 0 ? ms : ms - 999) / 1_000 * 1_000)
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) \(time(ms))."
      + String(repeating: "0", count: max(0, 3 - fraction.count)) + fraction
  }

  /// Milliseconds since 1970.
  static func now() -> Int64 { WallClock.nowMs }

  /// A span of time in its two largest units: `3 d 4 h`.
  static func span(_ ms: Int64) -> String {
    let seconds = max(0, ms) / 1_000
    let units: [(String, Int64)] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
    guard let first = units.firstIndex(where: { seconds >= $0.1 }) else {
      return "\(max(0, ms)) ms"
    }
    var text = "\(seconds / units[first].1) \(units[first].0)"
    if first + 1 < units.count {
      let rest = seconds % units[first].1 / units[first + 1].1
      if rest > 0 { text += " \(rest) \(units[first + 1].0)" }
    }
    return text
  }

  /// A wait: `0.8 s`.
  static func wait(_ ms: Int64) -> String {
    (Double(ms) / 1_000).fixed(1) + " s"
  }

  private static func local(_ ms: Int64) -> tm {
    var seconds = time_t(ms >= 0 ? ms / 1_000 : (ms - 999) / 1_000)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return parts
  }

  private static func two(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
