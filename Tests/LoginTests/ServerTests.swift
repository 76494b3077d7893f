import DuxHTTP
import DuxStore
import ExampleHTTP
import Foundation
import Synchronization
import Testing

@testable import Login

/// The app with a real server behind it, that is well or not.
struct ServerTests {
  @Test func somebodySignsUpAndOutAndInAgain() async throws {
    try await LoginBench.run { bench in
      try await bench.signUp()
      let session = try #require(bench.store.state.session)
      #expect(session.user == .ann)
      #expect(bench.place.vault.tokens(of: session.id) != nil)
      await bench.store.dispatch(.signOut).finish()
      #expect(bench.store.state.session == nil)
      #expect(bench.place.vault.tokens(of: session.id) == nil)
      try await bench.signIn()
      #expect(bench.store.state.session?.user == .ann)
    }
  }

  @Test func nothingThatOthersSeeHoldsAPasswordOrAToken() async throws {
    try await LoginBench.run { bench in
      try await bench.signUp()
      let id = try #require(bench.store.state.session?.id)
      let first = try #require(bench.place.vault.tokens(of: id))
      bench.store.dispatch(.renew)
      await bench.settle()
      let second = try #require(bench.place.vault.tokens(of: id))
      #expect(first.access != second.access)
      await bench.store.dispatch(.signOut).finish()
      try await bench.signIn("ann@example.org", "wrong horse battery")
      let visible = try bench.visible()
      #expect(visible.contains("ann@example.org"))
      let secrets = [first.access, first.refresh, second.access, second.refresh]
      for secret in secrets + ["horse", try bench.place.vault.verifier()] {
        #expect(!visible.contains(secret))
      }
    }
  }

  @Test(arguments: [
    ("ann@example.org", "wrong horse battery", LoginFailure.passwordWrong),
    ("bob@example.org", LoginBench.password, .noSuchUser),
    ("ann@example.org", "", .passwordEmpty),
    ("ann@example.org", "short", .passwordInvalid),
  ])
  func aSignInThatIsRefusedHasAReason(
    _ email: String, _ password: String, _ reason: LoginFailure
  ) async throws {
    try await LoginBench.run { bench in
      try await bench.signUp()
      await bench.store.dispatch(.signOut).finish()
      try await bench.signIn(email, password)
      #expect(bench.store.state.notice == Notice(reason))
      #expect(bench.store.state.session == nil)
    }
  }

  @Test func anAddressThatIsTakenHasAReason() async throws {
    try await LoginBench.run { bench in
      try await bench.signUp()
      await bench.store.dispatch(.signOut).finish()
      try await bench.signUp()
      #expect(bench.store.state.notice == Notice(.emailExists))
    }
  }

  @Test func aTicketIsGoodOnceAndForOneDaemon() async throws {
    try await LoginBench.run { bench in
      let other = try await bench.ticket(for: String(repeating: "0", count: 64))
      try await bench.store.dispatch(.signUp(email: "ann@example.org", ticket: other)).value.get()
      await bench.settle()
      #expect(bench.store.state.notice == Notice(.ticketInvalid))
      let ticket = try await bench.ticket("wrong horse battery")
      for reason in [LoginFailure.noSuchUser, .ticketInvalid] {
        await bench.store.dispatch(.signIn(email: "ann@example.org", ticket: ticket)).finish()
        #expect(bench.store.state.notice == Notice(reason))
      }
    }
  }

  @Test func tokensAreRenewedAsOftenAsTheyMust() async throws {
    try await LoginBench.run(accessLifetime: .milliseconds(250)) { bench in
      try await bench.signUp()
      var renewals: Set<Date> = []
      for await renewal in bench.store.values(of: \.session?.renewal) {
        if let renewal { renewals.insert(renewal) }
        if renewals.count > 3 { break }
      }
      bench.store.dispatch(.loadProfile)
      await bench.settle()
      #expect(bench.store.state.notice == nil)
    }
  }

  @Test func aSessionThatHasExpiredEndsWithAMessage() async throws {
    try await LoginBench.run(refreshLifetime: .milliseconds(1)) { bench in
      try await bench.signUp()
      #expect(bench.store.state.session != nil)
      bench.store.dispatch(.renew)
      for await notice in bench.store.values(of: \.notice) where notice != nil { break }
      #expect(bench.store.state.session == nil)
      #expect(bench.store.state.notice == Notice(.sessionExpired))
    }
  }

  @Test func aServerThatFailsNowAndThenIsAskedAgain() async throws {
    let count = Mutex(0)
    try await LoginBench.run(door: { request in
      guard request.path != "/api/ticket" else { return nil }
      let isUnlucky = count.withLock { count in
        count += 1
        return count % 3 != 0
      }
      return isUnlucky ? ServerResponse(status: 503) : nil
    }) { bench in
      try await bench.signUp()
      #expect(bench.store.state.session?.user == .ann)
      #expect(count.withLock { $0 } == 6)
    }
  }

  @Test(arguments: ["", "[]", "<html>", #"{"code":0}"#, #"{"code":0,"data":{"accessToken":"a"}}"#])
  func anAnswerThatMakesNoSenseIsAFaultOfTheServer(_ text: String) async throws {
    try await LoginBench.run(door: { request in
      request.path == "/api/ticket" ? nil : ServerResponse(body: Array(text.utf8))
    }) { bench in
      try await bench.signUp()
      #expect(bench.store.state.notice == Notice(.serverFault))
    }
  }

  @Test func aServerThatAnswersTooLateOrNotAtAllIsUnreachable() async throws {
    try await LoginBench.run(
      patience: .milliseconds(20),
      door: { request in
        guard request.path != "/api/ticket" else { return nil }
        try? await Task.sleep(for: .seconds(60))
        return ServerResponse()
      }
    ) { bench in
      try await bench.signUp()
      #expect(bench.store.state.notice == Notice(.unreachable))
    }
  }

  @Test func aServerThatIsDownIsUnreachable() async throws {
    let server = try HTTPServer { _ in ServerResponse() }
    let url = try #require(URL(string: server.url))
    await server.stop()
    let place = TestVault()
    let store = Store(app: place.app(url))
    await store.dispatch(.signIn(email: "ann@example.org", ticket: sampleTicket)).finish()
    #expect(store.state.notice == Notice(.unreachable))
    store.close()
  }
}
