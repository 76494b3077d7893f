import Challenge

/// Passwords that wait to be used, each for one time and for one minute.
///
/// A password goes from a person straight to this server. What the person hands on is a ticket, which
/// only the holder of the challenge's verifier can use.
struct Tickets: Sendable {
  static let lifetime: Duration = .seconds(60)
  private static let limit = 1_000

  private struct Deposit: Sendable {
    let secret: [UInt8]
    let password: String
    let challenge: String
    let expiry: ContinuousClock.Instant
  }

  private var deposits: [String: Deposit] = [:]

  /// Keeps a password; nothing where too many wait.
  mutating func keep(
    _ password: String, for challenge: String, now: ContinuousClock.Instant
  ) -> Token? {
    deposits = deposits.filter { $0.value.expiry > now }
    guard deposits.count < Self.limit else { return nil }
    let ticket = Token()
    deposits[ticket.id] = Deposit(
      secret: ticket.secret, password: password, challenge: challenge, expiry: now + Self.lifetime)
    return ticket
  }

  /// Gives the password out, and forgets it.
  mutating func use(
    _ ticket: String, verifier: String, now: ContinuousClock.Instant
  ) throws(LoginFailure) -> String {
    guard let ticket = Token(ticket), let deposit = deposits[ticket.id], deposit.expiry > now,
      deposit.secret.equalsInConstantTime(ticket.secret),
      Array(deposit.challenge.utf8).equalsInConstantTime(Array(Challenge.of(verifier).utf8))
    else { throw .badTicket }
    deposits[ticket.id] = nil
    return deposit.password
  }
}
