/// Numbers of bytes as people write them: `4096`, `64K`, `64KiB`, `1M`, `2GiB`, `1T`.
///
/// A unit is a power of 1024, in any case, with or without `iB`. `KB` and its like mean 1000 to some and
/// 1024 to others, and are refused.
package enum ByteSize {
  private static let units: [(letter: String, bytes: Int)] = [
    ("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
  ]
  private static let accepted = "write bytes, or a number with K, M, G or T (64K, 1MiB)"

  /// Reads a size.
  package static func read(_ input: String) throws(ValueError) -> Int {
    let digits = input.utf8.prefix(while: isDigit)
    let unit = Substring(input.utf8[digits.endIndex...]).uppercased()
    guard !digits.isEmpty else {
      throw ValueError(input, "is no size: \(accepted)")
    }
    let factor = try factor(of: unit, in: input)
    guard let number = Int(Substring(digits)) else {
      throw ValueError(input, "is too large a size")
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
    guard !overflow else {
      throw ValueError(input, "is too large a size")
    }
    return bytes
  }

  /// The shortest way to write a size that ``read(_:)`` reads back: `64KiB` for 65536.
  package static func text(_ bytes: Int) -> String {
    for (letter, size) in units where bytes >= size && bytes % size == 0 {
      return "\(bytes / size)\(letter)iB"
    }
    return String(bytes)
  }

  private static func factor(of unit: String, in input: String) throws(ValueError) -> Int {
    if unit.isEmpty || unit == "B" {
      return 1
    }
    for (letter, bytes) in units {
      if unit == letter || unit == letter + "IB" {
        return bytes
      }
      if unit == letter + "B" {
        throw ValueError(
          input,
          "could mean thousands or 1024s: write \(letter) or \(letter)iB, which count in 1024s")
      }
    }
    throw ValueError(input, "is no size: \(accepted)")
  }
}
