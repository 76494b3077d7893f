/// An e-mail address and a password that may belong together.
struct Credentials: Sendable {
  /// In lower case, so that one person is one user.
  let email: String
  let password: String

  static let passwordBytes = 8...256
  static let longestEmail = 254

  /// Checks what a client sent, the address first.
  init(email: String, password: String) throws(LoginFailure) {
    guard !email.isEmpty else { throw .emailEmpty }
    guard Self.isAddress(email) else { throw .emailInvalid }
    guard !password.isEmpty else { throw .passwordEmpty }
    guard Self.passwordBytes.contains(password.utf8.count), !password.utf8.contains(0) else {
      throw .passwordInvalid
    }
    self.email = email.lowercased()
    self.password = password
  }

  /// Whether a text has the form `local@domain.tld`: whether mail arrives only sending it would tell.
  private static func isAddress(_ text: String) -> Bool {
    let sides = text.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count <= longestEmail, sides.count == 2, !sides[0].isEmpty else { return false }
    let labels = sides[1].split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
      && text.unicodeScalars.allSatisfy {
        !$0.properties.isWhitespace && $0.properties.generalCategory != .control
      }
  }
}
