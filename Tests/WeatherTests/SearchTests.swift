import DuxStore
import DuxTesting
import Foundation
import Testing

@testable import Weather

/// How cities are looked for.
struct SearchTests {
  private let clock = TestClock()
  private let server = Switchboard()

  private func store(
    _ search: Search = Search()
  ) -> TestStore<Search, Search.Action> {
    TestStore(initialState: search) { [clock, server] in
      $0.clock = clock
      $0.weather = server.client
    } reducer: {
      SearchingCities()
    }
  }

  @Test func theServerIsAskedWhenNobodyHasTypedForAMoment() async {
    let store = store()
    for text in ["p", "pe", " pell "] {
      await store.send(.enter(text)) {
        $0.query = text.trimmingCharacters(in: .whitespaces)
        $0.status = .loading
      }
      await clock.advance(by: SearchingCities.pause - .milliseconds(1))
    }
    #expect(server.questions == [])
    await clock.advance(by: .milliseconds(1))
    await server.asked(1)
    server.answer("pell", .success("Pell"))
    await store.receive(.found([.pell])) {
      $0.cities = [.pell]
      $0.status = .idle
    }
    #expect(server.questions == ["pell"])
    await store.finish()
  }

  @Test func onlyTheAnswerToTheLatestQueryCounts() async {
    let store = store()
    await store.send(.enter("pell")) {
      $0.query = "pell"
      $0.status = .loading
    }
    await clock.advance(by: SearchingCities.pause)
    await server.asked(1)
    await store.send(.enter("windle")) { $0.query = "windle" }
    await clock.advance(by: SearchingCities.pause)
    await server.asked(2)
    server.answer("windle", .success("Windle"))
    await store.receive(.found([.windle])) {
      $0.cities = [.windle]
      $0.status = .idle
    }
    server.answer("pell", .success("Pell"))
    await store.finish()
    #expect(await store.lateActions == 1)
  }

  @Test func clearingTheQueryClearsTheListAndNothingFillsItAgain() async {
    let store = store(Search(query: "windle", cities: [.windle]))
    await store.send(.enter("pell")) {
      $0.query = "pell"
      $0.status = .loading
    }
    await clock.advance(by: SearchingCities.pause)
    await server.asked(1)
    await store.send(.enter("")) { $0 = Search() }
    server.answer("pell", .success("Pell"))
    await store.finish()
    #expect(store.state == Search())
  }

  @Test func clearingTheQueryEndsThePauseToo() async {
    let store = store()
    await store.send(.enter("pell")) {
      $0.query = "pell"
      $0.status = .loading
    }
    await store.send(.enter("")) { $0 = Search() }
    await store.finish()
    #expect(server.questions == [])
  }

  @Test func anEmptyQueryInAnEmptySearchChangesNothing() async {
    let store = store()
    await store.send(.enter(""))
    await store.send(.enter("  "))
    await store.send(.enter(String(repeating: "x", count: 101)), rejected: "too_long")
    await store.finish()
  }

  @Test func aFailureIsToldAndCanBeRetried() async {
    let store = store(Search(query: "windle", cities: [.windle]))
    await store.send(.retry, rejected: "nothing_to_retry")
    await store.send(.enter("pell")) {
      $0.query = "pell"
      $0.status = .loading
    }
    await clock.advance(by: SearchingCities.pause)
    await server.asked(1)
    server.answer("pell", .failure(Switchboard.Refusal(description: "the server sleeps")))
    await store.receive(.failed("the server sleeps")) {
      $0.status = .failed(message: "the server sleeps")
    }
    await store.send(.retry) { $0.status = .loading }
    await server.asked(2)
    server.answer("pell", .success("Pell"))
    await store.receive(.found([.pell])) {
      $0.cities = [.pell]
      $0.status = .idle
    }
    await store.finish()
  }
}
