public import DuxStore
public import Foundation

/// Signing up, signing in and staying signed in, for all front ends of one daemon, with accounts on an
/// HTTP server.
///
/// What has to be asked of the server is a command: it is written down with the step that asks for it,
/// is done again when the daemon was killed meanwhile, and answers with `started`, `succeeded` or
/// `failed`, each with the id of the request.
///
/// Every client sees the state, and actions and commands are kept in a log. So neither a password nor a
/// token is ever in one of them: a person hands the password to the login server itself and
/// gets a ticket for it, which only this daemon can use, once; the tokens are in a ``Vault``.
public struct LoginApp: App {
  /// What all see.
  public struct State: Codable, Equatable, Sendable {
    /// What people ask the login server for a ticket with.
    public internal(set) var challenge: String?
    /// Who is signed in.
    public internal(set) var session: Session?
    /// The sign-up or sign-in that is going on.
    public internal(set) var authentication: Request?
    /// The exchange of tokens that is going on.
    public internal(set) var renewal: Request?
    /// The question who is signed in, while it is asked.
    public internal(set) var profile: Request?
    /// What went wrong last.
    public internal(set) var notice: Notice?
  }

  /// What may be asked, and what the commands answer.
  public enum Action: Codable, Equatable, Sendable {
    case signUp(email: String, ticket: String)
    case signIn(email: String, ticket: String)
    case signOut
    /// Gets new tokens, as a timer does before they expire.
    case renew
    case loadProfile
    case authentication(Answer<Grant>)
    case renewal(Answer<Grant>)
    case profile(Answer<User>)
    /// The vault has nothing any more that is not needed.
    case forgotten
    /// The daemon has started.
    case started
  }

  /// `login`.
  public let name = "login"
  /// Nobody is signed in.
  public let initialState = State()
  /// Goes on with the session that there is.
  public let startAction: Action? = .started

  private let clerk: Clerk

  /// Makes the app.
  ///
  /// - Parameters:
  ///   - server: where the login server is.
  ///   - vault: the folder for tokens; it is made where it is missing, and must not be where
  ///     others read.
  public init(server: URL, vault: URL) {
    self.init(clerk: Clerk(server: LoginClient(url: server), vault: Vault(folder: vault)))
  }

  init(clerk: Clerk) {
    self.clerk = clerk
  }

  /// Who may ask what, and what of it is written down.
  public var middleware: [any Middleware<State, Action>] { [Gate()] }

  /// What does the work of the commands.
  public var commands: [CommandHandler<Action>] { clerk.handlers }

  /// Signing up, in and out.
  public var body: some Reducer<State, Action> {
    SigningIn(challenge: Source("challenge", clerk.vault.challenge))
  }
}
