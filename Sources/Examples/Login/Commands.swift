import DuxStore
import Foundation

/// Creates an account, or signs in to one.
struct Authenticate: Command {
  enum Way: String, Codable { case signUp, signIn }

  let request: UUID
  let way: Way
  let email: String
  /// Worth nothing without the vault's verifier.
  let ticket: String
}

/// Exchanges the tokens of a session for new ones.
struct RenewTokens: Command {
  let request: UUID
  let session: UUID
}

/// Asks who is signed in.
struct LoadProfile: Command {
  let request: UUID
  let session: UUID
}

/// Leaves no tokens in the vault but those of some sessions.
struct ForgetTokens: Command {
  let exceptOf: [UUID]
}

/// Does the work of the commands, with the login server and the vault.
///
/// Each may be broken off anywhere and is then done again: the server knows the command's key, and
/// the vault the request that its tokens are from.
struct Clerk: Sendable {
  typealias Action = LoginApp.Action

  let server: LoginClient
  let vault: Vault
  /// How what fails is tried again.
  var retry = RetryPolicy(
    attempts: 5, firstDelay: .milliseconds(500), longestDelay: .seconds(5),
    timeout: .seconds(15), deadline: .seconds(45))

  /// A handler for each command.
  var handlers: [CommandHandler<Action>] {
    [
      CommandHandler(
        Authenticate.self, retry: retry,
        started: { command, _ in .authentication(.started(request: command.request)) },
        failed: { error, command, _ in
          .authentication(.failed(request: command.request, reason: LoginFailure(error)))
        },
        run: { command, context in
          let grant = try await authenticate(command, key: context.key)
          return .authentication(.succeeded(request: command.request, value: grant))
        }),
      CommandHandler(
        RenewTokens.self, retry: retry,
        started: { command, _ in .renewal(.started(request: command.request)) },
        failed: { error, command, _ in
          .renewal(.failed(request: command.request, reason: LoginFailure(error)))
        },
        run: { command, context in
          let grant = try await renew(command, key: context.key)
          return .renewal(.succeeded(request: command.request, value: grant))
        }),
      CommandHandler(
        LoadProfile.self, retry: retry,
        started: { command, _ in .profile(.started(request: command.request)) },
        failed: { error, command, _ in
          .profile(.failed(request: command.request, reason: LoginFailure(error)))
        },
        run: { command, _ in
          .profile(.succeeded(request: command.request, value: try await loadProfile(command)))
        }),
      CommandHandler(
        ForgetTokens.self,
        failed: { _, _, _ in .forgotten },
        run: { command, _ in
          try vault.forgetAll(but: command.exceptOf)
          return .forgotten
        }),
    ]
  }

  func authenticate(_ command: Authenticate, key: String) async throws -> Grant {
    if let tokens = vault.tokens(of: command.request) { return tokens.grant }
    let tokens = try await server.authenticate(command, verifier: vault.verifier(), key: key)
    return try keep(tokens, of: command.request, from: command.request)
  }

  func renew(_ command: RenewTokens, key: String) async throws -> Grant {
    guard let present = vault.tokens(of: command.session) else {
      throw DoNotRetry(LoginFailure.sessionExpired)
    }
    if present.request == command.request { return present.grant }
    let tokens = try await server.refresh(present.refresh, key: key)
    return try keep(tokens, of: command.session, from: command.request)
  }

  func loadProfile(_ command: LoadProfile) async throws -> User {
    guard let tokens = vault.tokens(of: command.session) else {
      throw DoNotRetry(LoginFailure.sessionExpired)
    }
    return try await server.user(accessToken: tokens.access)
  }

  /// Puts tokens into the vault before the state is told of them.
  private func keep(
    _ tokens: LoginClient.Tokens, of session: UUID, from request: UUID
  ) throws -> Grant {
    // Whoever signed out meanwhile wants no tokens any more.
    try Task.checkCancellation()
    let grant = Grant(lifetime: tokens.accessExpiresInMs)
    try vault.keep(
      Vault.Tokens(
        request: request, access: tokens.accessToken, refresh: tokens.refreshToken, grant: grant),
      of: session)
    return grant
  }
}

extension LoginFailure {
  /// The reason of a command that was given up.
  fileprivate init(_ error: any Error) {
    self =
      switch error {
      case let failure as LoginFailure: failure
      case CommandEnd.timedOut, CommandEnd.deadlinePassed: .unreachable
      default: .serverFault
      }
  }
}
