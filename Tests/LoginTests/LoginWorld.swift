import DuxHTTP
import DuxStore
import DuxTesting
import Foundation
import Testing

@testable import Login

/// A folder of a test's own, removed with it.
final class TestVault {
  let vault = Vault(
    folder: FileManager.default.temporaryDirectory.appending(path: "dux-login-\(UUID())"))

  deinit {
    try? FileManager.default.removeItem(at: vault.folder)
  }

  /// The app with this vault and a server.
  func app(_ server: URL = .nowhere, retry: RetryPolicy = .impatient) -> LoginApp {
    LoginApp(clerk: Clerk(server: LoginClient(url: server), vault: vault, retry: retry))
  }

  /// A store whose commands wait for their answers.
  func store(clock: TestClock = TestClock()) -> TestStore<LoginApp.State, LoginApp.Action> {
    TestStore(
      app: app(),
      dependencies: { world in
        world.uuid = .counting()
        world.date = .fixed(.dawn)
        world.clock = clock
      }, commands: [])
  }
}

extension RetryPolicy {
  /// Three tries, one right after the other.
  static let impatient = RetryPolicy(
    attempts: 3, firstDelay: .milliseconds(1), longestDelay: .milliseconds(1),
    timeout: .seconds(20), deadline: .seconds(60))
}

extension URL {
  /// Where no server is.
  static let nowhere = URL(string: "http://login.test") ?? URL(filePath: "/")
}

extension Date {
  static let dawn = Date(timeIntervalSince1970: 1_800_000_000)
}

extension UUID {
  /// The first that a test's source gives.
  static let first = numbered(1)
}

extension Session {
  /// The session that the first request of a test begins, with tokens for 100 seconds.
  static func sample(user: User? = nil) -> Session {
    var session = Session(id: .first, grant: .sample, now: .dawn)
    session.user = user
    return session
  }
}

extension Grant {
  static let sample = Grant(lifetime: 100_000)
}

extension User {
  static let ann = User(id: 1, email: "ann@example.org")
}

/// A text that looks like a ticket.
let sampleTicket = "1f." + String(repeating: "0123456789abcdef", count: 4)
