import DuxCommandLine
import Glibc

/// Times as they are typed: of the day, of a date, before now, or in milliseconds since 1970.
enum TimeText {
  private static let accepted =
    "write 14:02, 2025-11-30, 2025-11-30T14:02:11, the same with Z for UTC, 15m for a quarter of an"
    + " hour ago, or milliseconds since 1970"

  /// Reads a time, in milliseconds since 1970; without a zone it is this machine's.
  static func reader(nowMs: Int64) -> ValueReader<Int64> {
    ValueReader { (text) throws(ValueError) in
      if text.utf8.count > 5, let ms = Int64(text) { return ms }
      if let ago = try? DurationText.read(text) {
        let (seconds, attoseconds) = ago.components
        return nowMs - seconds * 1_000 - attoseconds / 1_000_000_000_000_000
      }
      guard let ms = date(text, nowMs: nowMs) else {
        throw ValueError(text, "is no time: \(accepted)")
      }
      return ms
    }
  }

  private static func date(_ text: String, nowMs: Int64) -> Int64? {
    let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == "T" || $0 == " "
    }
    var parts = tm()
    var now = time_t(nowMs / 1_000)
    localtime_r(&now, &parts)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
    parts.tm_isdst = -1
    let hasDay = halves[0].contains("-")
    if hasDay { guard readDay(halves[0], &parts) else { return nil } }
    guard
      var clock = hasDay
        ? (halves.count == 2 ? halves[1] : "0:00")
        : halves.count == 1
          ? halves[0] : nil
    else { return nil }
    let isUTC = clock.last == "Z"
    if isUTC { clock = clock.dropLast() }
    guard let ms = readClock(clock, &parts) else { return nil }
    return Int64(isUTC ? timegm(&parts) : mktime(&parts)) * 1_000 + ms
  }

  private static func readDay(_ text: Substring, _ parts: inout tm) -> Bool {
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map(number)
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return false }
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
    return true
  }

  /// - Returns: the milliseconds.
  private static func readClock(_ text: Substring, _ parts: inout tm) -> Int64? {
    let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(pieces.count), let hour = number(pieces[0]), hour < 24,
      let minute = number(pieces[1]), minute < 60
    else { return nil }
    (parts.tm_hour, parts.tm_min) = (hour, minute)
    guard pieces.count == 3 else { return 0 }
    let halves = pieces[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let second = number(halves[0]), second < 60 else { return nil }
    parts.tm_sec = second
    guard halves.count == 2 else { return 0 }
    let digits = halves[1]
    guard (1...3).contains(digits.count), let fraction = number(digits) else { return nil }
    return [100, 10, 1][digits.count - 1] * Int64(fraction)
  }

  private static func number(_ text: Substring) -> Int32? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int32(text)
  }
}
