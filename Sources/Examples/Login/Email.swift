import DuxStore

/// The rules for e-mail addresses.
enum Email {
  private static let longest = 254

  /// Checks an address before anybody is asked.
  ///
  /// - Throws: a rejection with the reason that the server would give.
  static func check(_ text: String) throws {
    guard !text.isEmpty else { throw Rejection(.emailEmpty) }
    guard isAddress(text) else { throw Rejection(.emailInvalid) }
  }

  /// Whether a text has the form `local@domain.tld`.
  private static func isAddress(_ text: String) -> Bool {
    let sides = text.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count <= longest, sides.count == 2, !sides[0].isEmpty else { return false }
    let labels = sides[1].split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
      && !text.contains { $0.isWhitespace || $0.isNewline }
  }
}

/// What a person gets from the login server in exchange for the password.
enum Ticket {
  /// Checks that a text looks like a ticket: a password put here by mistake is refused, and what is
  /// refused is not written down.
  static func check(_ text: String) throws {
    guard text.wholeMatch(of: /[0-9a-f]{1,16}\.[0-9a-f]{64}/) != nil else {
      throw Rejection(.ticketInvalid)
    }
  }
}

extension Rejection {
  /// The refusal for a reason.
  init(_ failure: LoginFailure) {
    self.init(reason: failure.rawValue, message: failure.message)
  }
}
