/// Spans of time as people write them: `500ms`, `90s`, `15m`, `36h`, `14d`.
///
/// A number needs its unit, for `90` could be seconds or milliseconds; `0` alone is clear.
package enum DurationText {
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]
  private static let accepted = "write a number with ms, s, m, h or d (500ms, 90s, 15m)"

  /// Reads a span of time.
  package static func read(_ input: String) throws(ValueError) -> Duration {
    let digits = input.utf8.prefix(while: isDigit)
    let name = Substring(input.utf8[digits.endIndex...])
    guard !digits.isEmpty else {
      throw ValueError(input, "is no span of time: \(accepted)")
    }
    guard let number = Int64(Substring(digits)) else {
      throw ValueError(input, "is too long a time")
    }
    if name.isEmpty {
      guard number == 0 else {
        throw ValueError(input, "lacks a unit: \(accepted)")
      }
      return .zero
    }
    guard let unit = units.first(where: { $0.name == name }) else {
      throw ValueError(input, "is no span of time: \(accepted)")
    }
    let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
    guard !overflow else {
      throw ValueError(input, "is too long a time")
    }
    return .milliseconds(milliseconds)
  }

  /// The shortest way to write a span that ``read(_:)`` reads back, parts of a millisecond left out.
  package static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    let milliseconds = overflow ? Int64.max : whole + attoseconds / 1_000_000_000_000_000
    guard milliseconds != 0 else { return "0" }
    for (name, size) in units where milliseconds % size == 0 {
      return "\(milliseconds / size)\(name)"
    }
    return "\(milliseconds)ms"
  }
}
