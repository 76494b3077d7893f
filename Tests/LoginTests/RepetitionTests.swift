import DuxStore
import ExampleHTTP
import Foundation
import LoginServer
import Testing

@testable import Login

/// Commands that are done twice, as after a crash.
struct RepetitionTests {
  private func clerk(_ bench: LoginBench) -> Clerk {
    Clerk(server: LoginClient(url: bench.url), vault: bench.place.vault)
  }

  @Test func aSignUpThatWasCutOffBeforeItsTokensWereKeptGetsThemOnTheSecondTry() async throws {
    try await LoginBench.run { bench in
      let command = Authenticate(
        request: .first, way: .signUp, email: "ann@example.org", ticket: try await bench.ticket())
      let first = try await clerk(bench).authenticate(command, key: "key")
      let tokens = bench.place.vault.tokens(of: .first)
      try bench.place.vault.forgetAll(but: [])
      let second = try await clerk(bench).authenticate(command, key: "key")
      #expect(first == second)
      #expect(bench.place.vault.tokens(of: .first) == tokens)
    }
  }

  @Test func aRenewalThatWasCutOffAnywhereEndsWithTokensThatAreGood() async throws {
    try await LoginBench.run { bench in
      try await bench.signUp()
      let vault = bench.place.vault
      let session = try #require(bench.store.state.session?.id)
      let old = try #require(vault.tokens(of: session))
      let command = RenewTokens(request: .first, session: session)
      _ = try await clerk(bench).renew(command, key: "key")
      let new = try #require(vault.tokens(of: session))
      #expect(new.refresh != old.refresh)
      // The server has given the new ones, but they were lost.
      try vault.keep(old, of: session)
      _ = try await clerk(bench).renew(command, key: "key")
      #expect(vault.tokens(of: session) == new)
      // They were kept, but nobody was told.
      _ = try await clerk(bench).renew(command, key: "key")
      #expect(vault.tokens(of: session) == new)
      #expect(
        try await clerk(bench).loadProfile(LoadProfile(request: .first, session: session)) == .ann)
    }
  }

  @Test func theKeyAloneIsOfNoUseToAnybodyElse() async throws {
    try await LoginBench.run { bench in
      let command = Authenticate(
        request: .first, way: .signUp, email: "ann@example.org", ticket: try await bench.ticket())
      _ = try await clerk(bench).authenticate(command, key: "key")
      let client = LoginClient(url: bench.url)
      await #expect(throws: LoginFailure.serverFault) {
        try await client.authenticate(command, verifier: "guessed", key: "key")
      }
    }
  }

  @Test func whoIsCancelledKeepsNothing() async throws {
    try await LoginBench.run { bench in
      let command = Authenticate(
        request: .first, way: .signUp, email: "ann@example.org", ticket: try await bench.ticket())
      let clerk = clerk(bench)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await clerk.authenticate(command, key: "key")
      }
      await #expect(throws: (any Error).self) { try await task.value }
      #expect(bench.place.vault.tokens(of: .first) == nil)
    }
  }
}
