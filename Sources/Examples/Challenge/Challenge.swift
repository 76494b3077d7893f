/// What ties a ticket to the one who may use it.
///
/// Whoever asks for a ticket names the challenge, which everybody may know. Whoever uses the ticket
/// shows the verifier that the challenge was made of, which nobody else knows.
///
/// - Source: RFC 7636, section 4, method `S256`; in hexadecimal digits here.
package enum Challenge {
  /// The challenge of a verifier.
  package static func of(_ verifier: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let digest = SHA256.digest(of: Array(verifier.utf8))
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
