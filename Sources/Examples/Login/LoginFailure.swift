/// Why somebody can't sign in, or is not signed in any more, as a code that does not change with
/// anybody's wording.
public enum LoginFailure: String, Error, Codable, Sendable, CaseIterable {
  case emailEmpty = "email_empty"
  case emailInvalid = "email_invalid"
  case emailExists = "email_exists"
  case passwordEmpty = "password_empty"
  case passwordInvalid = "password_invalid"
  case passwordWrong = "password_wrong"
  case noSuchUser = "no_such_user"
  /// Too long ago, or ended by the server.
  case sessionExpired = "session_expired"
  /// The access token is too old; a new one helps.
  case accessExpired = "access_expired"
  case ticketInvalid = "ticket_invalid"
  /// The server is down or does not answer.
  case unreachable
  /// The server failed, or what it said makes no sense.
  case serverFault = "server_fault"

  /// The reason that a code of the login server stands for.
  public init(code: Int) {
    self =
      switch code {
      case 20: .emailEmpty
      case 21: .emailInvalid
      case 22: .emailExists
      case 30: .passwordEmpty
      case 31: .passwordInvalid
      case 32: .passwordWrong
      case 40: .noSuchUser
      case 41: .sessionExpired
      case 42: .accessExpired
      case 50: .ticketInvalid
      default: .serverFault
      }
  }

  /// Whether another try may help.
  var isTransient: Bool { self == .unreachable || self == .serverFault }

  /// The reason for people.
  public var message: String {
    switch self {
    case .emailEmpty: "an e-mail address is needed"
    case .emailInvalid: "this is no e-mail address"
    case .emailExists: "there is a user with this e-mail address already"
    case .passwordEmpty: "a password is needed"
    case .passwordInvalid: "a password has 8 to 256 bytes"
    case .passwordWrong: "the password is wrong"
    case .noSuchUser: "there is no user with this e-mail address"
    case .sessionExpired: "the session is over, sign in again"
    case .accessExpired: "the access to the server has to be renewed"
    case .ticketInvalid: "the ticket is used, expired or for somebody else; ask for another one"
    case .unreachable: "the login server does not answer"
    case .serverFault: "the login server has a fault"
    }
  }
}

/// What the front ends tell people.
public struct Notice: Codable, Equatable, Sendable {
  /// For programs.
  public let reason: LoginFailure
  /// For people.
  public let message: String

  init(_ reason: LoginFailure) {
    self.reason = reason
    message = reason.message
  }
}
