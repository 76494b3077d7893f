public import Foundation

/// That somebody is signed in: all that is known of it but the tokens, which are in the ``Vault``.
public struct Session: Codable, Equatable, Sendable {
  /// The request that began it; the vault knows the tokens by it.
  public let id: UUID
  /// When the access token expires.
  public internal(set) var expires: Date
  /// When it is renewed.
  public internal(set) var renewal: Date
  /// Who it is, once the server has said so.
  public internal(set) var user: User?

  init(id: UUID, grant: Grant, now: Date) {
    self.id = id
    (expires, renewal) = (now, now)
    renew(grant, now: now)
  }

  /// Takes a new access token into account: it is renewed when four fifths of its time are over.
  mutating func renew(_ grant: Grant, now: Date) {
    let lifetime = TimeInterval(grant.lifetime) / 1_000
    expires = now.addingTimeInterval(lifetime)
    renewal = now.addingTimeInterval(lifetime * 4 / 5)
  }
}

/// Somebody with an account.
public struct User: Codable, Equatable, Sendable {
  /// The server's number.
  public let id: Int
  /// The address that the account has.
  public internal(set) var email: String
}

/// That the vault has new tokens.
public struct Grant: Codable, Equatable, Sendable {
  /// For how long the access token is good, in milliseconds.
  let lifetime: Int64
}

/// What becomes of a request; each names the request that it is an answer to.
public enum Answer<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  /// It is on its way.
  case started(request: UUID)
  case succeeded(request: UUID, value: Value)
  case failed(request: UUID, reason: LoginFailure)

  /// The request that this is an answer to.
  var request: UUID {
    switch self {
    case .started(let request), .succeeded(let request, _), .failed(let request, _): request
    }
  }
}

/// A request that has no final answer yet.
public struct Request: Codable, Equatable, Sendable {
  /// What its answers name.
  public let id: UUID
  /// Whether it is on its way, rather than asked for only.
  public internal(set) var isStarted = false
}
