/// A secret that stands for a sign-in: 256 bits of the system's randomness.
struct Token: Sendable {
  /// What it is found by; no secret.
  let id: String
  /// What proves it.
  let secret: [UInt8]

  /// Makes a new token.
  init() {
    var random = SystemRandomNumberGenerator()
    id = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
    secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  /// Reads a token; nothing where the text is none.
  init?(_ text: String) {
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, (1...16).contains(halves[0].utf8.count) else { return nil }
    let digits = Array(halves[1].utf8)
    guard digits.count == 64 else { return nil }
    var secret: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(digits[start]), let low = Self.value(digits[start + 1]) else {
        return nil
      }
      secret.append(high << 4 | low)
    }
    id = String(halves[0])
    self.secret = secret
  }

  /// The token as it is sent.
  var text: String {
    let digits = Array("0123456789abcdef".utf8)
    let hex = secret.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return id + "." + String(decoding: hex, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
