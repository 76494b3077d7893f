import DuxJSON
package import ExampleHTTP
import Synchronization

/// The back end of the example `login`: users with an e-mail address and a password, and tokens.
///
/// `POST /api/emailSignup` and `/api/emailSignin` take `{"email","password"}`, `/api/refreshToken` takes
/// `{"refreshToken"}`; all three answer with the user and two tokens. `GET /api/me` with
/// `Authorization: Bearer TOKEN` tells who that is. Success is `{"code":0,"data":…}`, a refusal
/// `{"code":…,"message":…}` (``LoginFailure``), both with status 200.
///
/// Who signs up or in through somebody else leaves the password here and takes a ticket:
/// `POST /api/ticket` takes `{"password","challenge"}`, and `{"email","ticket","verifier"}` then stands
/// for `{"email","password"}`. A `POST` with an `Idempotency-Key` that was cut off may be sent again.
///
/// An access token lives on for its time when the tokens are refreshed; the refresh token does not.
/// Tokens are in memory only: a restart signs everybody out.
package final class LoginServer: Sendable {
  /// What can be chosen.
  package struct Settings: Sendable {
    /// How long an access token lasts.
    package var accessLifetime: Duration = .seconds(3_600)
    /// How long a refresh token lasts.
    package var refreshLifetime: Duration = .seconds(7 * 86_400)
    /// Where users are kept; nothing for in memory only.
    package var file: String?
    /// The cost of hashing a password, 1 to 11, as crypt(5) has it for yescrypt.
    package var hashingCost = 5

    /// Settings as they usually are.
    package init() {}
  }

  private let accounts: Mutex<Accounts>
  private let tickets = Mutex(Tickets())
  private let replies = Replies()
  private let file: UserFile?
  private let cost: Int
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Makes a server that does not serve yet.
  ///
  /// - Throws: for a file that can't be read.
  package init(
    _ settings: Settings = Settings(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) throws {
    file = settings.file.map { UserFile(path: $0) }
    cost = settings.hashingCost
    self.now = now
    accounts = Mutex(
      Accounts(
        users: try file?.read() ?? [],
        lifetimes: .init(access: settings.accessLifetime, refresh: settings.refreshLifetime)))
  }

  /// Starts serving.
  package func start(
    host: String = "127.0.0.1", port: UInt16 = 0
  ) throws(ListeningError) -> HTTPServer {
    try HTTPServer(host: host, port: port, maximumBodyBytes: 16 << 10) { [self] request in
      await respond(to: request)
    }
  }

  /// The answer to a request.
  package func respond(to request: ServerRequest) async -> ServerResponse {
    guard request.method == "POST" else { return await answer(request) }
    let reply = await replies.reply(to: request, now: now()) { [self] in await answer(request) }
    return reply ?? .failure(.internalError, "the Idempotency-Key stands for another request")
  }

  @concurrent
  private func answer(_ request: ServerRequest) async -> ServerResponse {
    do throws(LoginFailure) {
      switch (request.method, request.path) {
      case ("POST", "/api/emailSignup"): return try signUp(request)
      case ("POST", "/api/emailSignin"): return try signIn(request)
      case ("POST", "/api/refreshToken"): return try refresh(request)
      case ("POST", "/api/ticket"): return try ticket(request)
      case ("GET", "/api/me"): return try me(request)
      case (_, "/api/emailSignup"), (_, "/api/emailSignin"), (_, "/api/refreshToken"),
        (_, "/api/ticket"), (_, "/api/me"):
        return .failure(.internalError, "this is no place for a \(request.method)", status: 405)
      default:
        return .failure(.internalError, "there is nothing at \(request.path)", status: 404)
      }
    } catch {
      return .failure(error, error.message)
    }
  }

  private func signUp(_ request: ServerRequest) throws(LoginFailure) -> ServerResponse {
    let credentials = try credentials(in: request)
    // Asked before hashing to save the time, and again behind it, when another may have come first.
    guard accounts.withLock({ $0.user(email: credentials.email) }) == nil else {
      throw .emailExists
    }
    guard let hash = PasswordHash(of: credentials.password, cost: cost) else {
      throw .internalError
    }
    let result = accounts.withLock { accounts in
      Result { () throws(LoginFailure) in
        let user = try accounts.add(email: credentials.email, password: hash)
        do throws(UserFile.Failure) {
          try file?.write(accounts.users)
        } catch {
          accounts.removeLast()
          throw .internalError
        }
        return (user, accounts.begin(user, now: now()))
      }
    }
    let (user, session) = try result.get()
    return .success(session.json(for: user))
  }

  private func signIn(_ request: ServerRequest) throws(LoginFailure) -> ServerResponse {
    let credentials = try credentials(in: request)
    guard let user = accounts.withLock({ $0.user(email: credentials.email) }) else {
      throw .noSuchUser
    }
    guard user.password.matches(credentials.password) else { throw .passwordWrong }
    return .success(accounts.withLock { $0.begin(user, now: now()) }.json(for: user))
  }

  private func ticket(_ request: ServerRequest) throws(LoginFailure) -> ServerResponse {
    let object = try request.object()
    let challenge = object["challenge"]?.stringValue ?? ""
    let password = object["password"]?.stringValue ?? ""
    let ticket = tickets.withLock { $0.keep(password, for: challenge, now: now()) }
    guard let ticket else { throw .internalError }
    return .success(["ticket": .string(ticket.text)])
  }

  /// The password itself, or the one that a ticket stands for.
  private func credentials(in request: ServerRequest) throws(LoginFailure) -> Credentials {
    let object = try request.object()
    let email = object["email"]?.stringValue ?? ""
    guard let ticket = object["ticket"]?.stringValue else {
      return try Credentials(email: email, password: object["password"]?.stringValue ?? "")
    }
    let verifier = object["verifier"]?.stringValue ?? ""
    let result = tickets.withLock { tickets in
      Result { () throws(LoginFailure) in
        try tickets.use(ticket, verifier: verifier, now: now())
      }
    }
    return try Credentials(email: email, password: try result.get())
  }

  private func refresh(_ request: ServerRequest) throws(LoginFailure) -> ServerResponse {
    let text = try request.object()["refreshToken"]?.stringValue ?? ""
    let result = accounts.withLock { accounts in
      Result { () throws(LoginFailure) in try accounts.refresh(text, now: now()) }
    }
    let (user, session) = try result.get()
    return .success(session.json(for: user))
  }

  private func me(_ request: ServerRequest) throws(LoginFailure) -> ServerResponse {
    let words = (request.headers["authorization"] ?? "").split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else { throw .badAccessToken }
    let result = accounts.withLock { accounts in
      Result { () throws(LoginFailure) in
        try accounts.user(accessToken: String(words[1]), now: now())
      }
    }
    return .success(try result.get().json)
  }
}

extension ServerRequest {
  fileprivate func object() throws(LoginFailure) -> JSONObject {
    guard let object = (try? json())?.objectValue else { throw .internalError }
    return object
  }
}

extension ServerResponse {
  fileprivate static func success(_ data: JSON) -> ServerResponse {
    json(["code": 0, "data": data])
  }

  fileprivate static func failure(
    _ failure: LoginFailure, _ message: String, status: Int = 200
  ) -> ServerResponse {
    json(["code": .integer(Int64(failure.rawValue)), "message": .string(message)], status: status)
  }
}

extension Accounts.User {
  fileprivate var json: JSON { ["id": .integer(Int64(id)), "email": .string(email)] }
}

extension Accounts.Session {
  fileprivate func json(for user: Accounts.User) -> JSON {
    [
      "user": user.json, "accessToken": .string(access.text), "refreshToken": .string(refresh.text),
      "accessExpiresInMs": .integer(accessLifetime.milliseconds),
    ]
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
