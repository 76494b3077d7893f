/// The users and who of them is signed in: decisions only, no I/O, no clock.
struct Accounts: Sendable {
  struct User: Sendable, Equatable {
    let id: Int
    let email: String
    let password: PasswordHash
  }

  /// How long tokens last.
  struct Lifetimes: Sendable {
    let access: Duration
    let refresh: Duration
  }

  /// The two tokens of a sign-in.
  struct Session: Sendable {
    let access: Token
    let refresh: Token
    let accessLifetime: Duration
  }

  private struct Grant: Sendable {
    let secret: [UInt8]
    let user: Int
    let expiry: ContinuousClock.Instant
  }

  private(set) var users: [User] = []
  private var places: [String: Int] = [:]
  private var accessGrants: [String: Grant] = [:]
  private var refreshGrants: [String: Grant] = [:]
  private let lifetimes: Lifetimes

  init(users: [User] = [], lifetimes: Lifetimes) {
    self.lifetimes = lifetimes
    for user in users { insert(user) }
  }

  /// The user of an e-mail address.
  func user(email: String) -> User? {
    places[email].map { users[$0] }
  }

  /// Adds a user.
  mutating func add(email: String, password: PasswordHash) throws(LoginFailure) -> User {
    guard places[email] == nil else { throw .emailExists }
    let user = User(id: (users.last?.id ?? 0) + 1, email: email, password: password)
    insert(user)
    return user
  }

  /// Takes a user back who was added last and could not be kept.
  mutating func removeLast() {
    guard let user = users.popLast() else { return }
    places[user.email] = nil
  }

  /// Signs a user in.
  mutating func begin(_ user: User, now: ContinuousClock.Instant) -> Session {
    accessGrants = accessGrants.filter { $0.value.expiry > now }
    refreshGrants = refreshGrants.filter { $0.value.expiry > now }
    let session = Session(
      access: Token(), refresh: Token(), accessLifetime: lifetimes.access)
    accessGrants[session.access.id] = Grant(
      secret: session.access.secret, user: user.id, expiry: now + lifetimes.access)
    refreshGrants[session.refresh.id] = Grant(
      secret: session.refresh.secret, user: user.id, expiry: now + lifetimes.refresh)
    return session
  }

  /// Exchanges a refresh token, which is good for that once, for new tokens.
  mutating func refresh(
    _ text: String, now: ContinuousClock.Instant
  ) throws(LoginFailure) -> (User, Session) {
    guard let token = Token(text), let user = user(of: token, in: refreshGrants, now) else {
      throw .badRefreshToken
    }
    refreshGrants[token.id] = nil
    return (user, begin(user, now: now))
  }

  /// The user whose access token this is.
  func user(accessToken text: String, now: ContinuousClock.Instant) throws(LoginFailure) -> User {
    guard let token = Token(text), let user = user(of: token, in: accessGrants, now) else {
      throw .badAccessToken
    }
    return user
  }

  private func user(
    of token: Token, in grants: [String: Grant], _ now: ContinuousClock.Instant
  ) -> User? {
    guard let grant = grants[token.id], grant.secret.equalsInConstantTime(token.secret),
      grant.expiry > now
    else { return nil }
    return users.first { $0.id == grant.user }
  }

  private mutating func insert(_ user: User) {
    places[user.email] = users.count
    users.append(user)
  }
}
