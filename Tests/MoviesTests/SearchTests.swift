import DuxHTTP
import DuxJSON
import DuxStore
import DuxTesting
import Foundation
import Synchronization
import Testing

@testable import Movies

/// The search while somebody types.
struct SearchTests {
  @Test func theCatalogueIsAskedWhenTheTypingPauses() async throws {
    let clock = TestClock()
    let page = MoviePage.sample([4])
    let store = moviesStore(["/movies?query=lan": try .page(page)], clock: clock)
    await store.send(.search(.query("l"))) {
      $0.search.query = "l"
      $0.search.status = .loading
    }
    await clock.advance(by: .milliseconds(200))
    await store.send(.search(.query("lan"))) { $0.search.query = "lan" }
    await clock.advance(by: .milliseconds(299))
    await clock.advance(by: .milliseconds(1))
    await store.receive(.search(.found(page))) {
      $0.movies = try .samples([4])
      $0.search = MovieSearch.State(query: "lan", ids: [4], total: 1, status: .idle)
    }
    await store.finish()
  }

  @Test func anOlderReplyNeverWins() async throws {
    let clock = TestClock()
    let new = MoviePage.sample([2])
    let store = moviesStore(clock: clock, catalogue: .slow("old", on: clock, else: new))
    await store.send(.search(.query("old"))) {
      $0.search.query = "old"
      $0.search.status = .loading
    }
    await clock.advance(by: MovieSearch.pause)
    await store.send(.search(.query("new"))) { $0.search.query = "new" }
    await clock.advance(by: MovieSearch.pause)
    await store.receive(.search(.found(new))) {
      $0.movies = try .samples([2])
      $0.search = MovieSearch.State(query: "new", ids: [2], total: 1, status: .idle)
    }
    await clock.advance(by: .seconds(60))
    await store.finish()
  }

  @Test func clearingTheQueryEndsTheSearch() async throws {
    let clock = TestClock()
    let store = moviesStore(clock: clock, catalogue: .slow("old", on: clock, else: .sample([])))
    await store.send(.search(.query("old"))) {
      $0.search.query = "old"
      $0.search.status = .loading
    }
    await clock.advance(by: MovieSearch.pause)
    await store.send(.search(.query(""))) { $0.search = MovieSearch.State() }
    await clock.advance(by: .seconds(60))
    #expect(store.state.search == MovieSearch.State())
    await store.finish()
  }

  @Test func anEmptyQueryWhereThereIsNoneChangesNothing() async {
    let store = moviesStore()
    await store.send(.search(.query("")))
    await store.finish()
  }

  @Test func aQueryThatIsTooLongIsRefused() async {
    let store = moviesStore()
    let text = String(repeating: "a", count: 101)
    await store.send(.search(.query(text)), rejected: "query_too_long")
    await store.finish()
  }

  @Test func aFailedSearchKeepsTheQuery() async {
    let clock = TestClock()
    let store = moviesStore(["/movies": .json("no page")], clock: clock)
    await store.send(.search(.query("a"))) {
      $0.search.query = "a"
      $0.search.status = .loading
    }
    await clock.advance(by: MovieSearch.pause)
    await store.receive(.search(.failed(.garbled))) { $0.search.status = .failed(.garbled) }
    await store.finish()
  }
}

extension HTTPClient {
  /// Answers a query a minute late, cancelled or not, and all others at once.
  fileprivate static func slow(
    _ query: String, on clock: TestClock, else page: MoviePage
  ) -> HTTPClient {
    HTTPClient { request throws(HTTPError) in
      if request.url.query()?.contains(query) == true {
        await Task { try? await clock.sleep(for: .seconds(59)) }.value
      }
      return (try? .page(page)) ?? HTTPResponse(status: 500)
    }
  }
}
