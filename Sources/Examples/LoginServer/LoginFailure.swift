/// Why a request is refused, with the code that clients know it by.
package enum LoginFailure: Int, Error, Sendable, CaseIterable {
  /// Something that is not the client's business.
  case internalError = 1
  /// No e-mail address is given.
  case emailEmpty = 20
  /// What is given is no e-mail address.
  case emailInvalid = 21
  /// Another user has the e-mail address.
  case emailExists = 22
  /// No password is given.
  case passwordEmpty = 30
  /// The password can't be one.
  case passwordInvalid = 31
  /// It is not the user's password.
  case passwordWrong = 32
  /// No user has the e-mail address.
  case noSuchUser = 40
  /// The refresh token is unknown, used or expired.
  case badRefreshToken = 41
  /// The access token is missing, unknown or expired.
  case badAccessToken = 42
  /// The ticket is unknown, used, expired, or somebody else's.
  case badTicket = 50

  /// What is wrong, for people.
  package var message: String {
    switch self {
    case .internalError: "the request cannot be handled"
    case .emailEmpty: "an e-mail address is needed"
    case .emailInvalid: "this is no e-mail address"
    case .emailExists: "there is a user with this e-mail address already"
    case .passwordEmpty: "a password is needed"
    case .passwordInvalid: "a password has 8 to 256 bytes"
    case .passwordWrong: "the password is wrong"
    case .noSuchUser: "there is no user with this e-mail address"
    case .badRefreshToken: "sign in again: the refresh token is used, expired or unknown"
    case .badAccessToken: "the access token is missing, expired or unknown"
    case .badTicket: "the ticket is used, expired, unknown or for somebody else"
    }
  }
}
