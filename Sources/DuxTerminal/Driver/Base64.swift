/// Bytes as letters, digits and two signs.
///
/// - Source: RFC 4648, section 4.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The bytes of a text, encoded.
  static func encoded(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let isPadding = place > group.count
        let value = Int(bits >> UInt32(18 - 6 * place) & 63)
        encoded.append(isPadding ? UInt8(ascii: "=") : alphabet[value])
      }
    }
    return encoded
  }
}
