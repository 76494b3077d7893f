import CCrypt
import Glibc

/// A password as it is kept: salted and hashed with yescrypt, by the system's libcrypt.
struct PasswordHash: Sendable, Equatable {
  /// The hash with its method, cost and salt, as crypt(5) writes it.
  let text: String

  init(text: String) { self.text = text }

  /// Hashes a password with a new salt; takes time and memory on purpose.
  ///
  /// Nothing where the password has a NUL, or the system refuses.
  init?(of password: String, cost: Int) {
    var setting = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    // Without bytes of ours, the salt comes from the system's own source of randomness.
    guard
      crypt_gensalt_rn("$y$", UInt(cost), nil, 0, &setting, Int32(setting.count)) != nil,
      let text = Self.hash(password, setting)
    else { return nil }
    self.text = text
  }

  /// Whether this is the hash of a password.
  func matches(_ password: String) -> Bool {
    guard let other = Self.hash(password, text.utf8CString.map { $0 }) else { return false }
    return Array(text.utf8).equalsInConstantTime(Array(other.utf8))
  }

  private static func hash(_ password: String, _ setting: [CChar]) -> String? {
    // To C the password would end there, and any that begins like it would do.
    guard !password.utf8.contains(0) else { return nil }
    var space: UnsafeMutableRawPointer?
    var size: Int32 = 0
    defer {
      // The space holds what the password was mixed into.
      if let space { explicit_bzero(space, Int(size)) }
      free(space)
    }
    guard let hash = crypt_ra(password, setting, &space, &size) else { return nil }
    let text = String(cString: hash)
    return text.hasPrefix("*") ? nil : text
  }
}

extension [UInt8] {
  /// Compares without telling by the time it takes where the first difference is.
  func equalsInConstantTime(_ other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    return zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
