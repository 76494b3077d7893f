import DuxHTTP
import DuxStore
import DuxTesting
import Foundation
import Synchronization
import Testing

@testable import Movies

/// The list of all movies, page by page.
struct PopularTests {
  @Test func pagesAreLoadedOneAfterAnother() async throws {
    let first = MoviePage.sample([1, 2], page: 1, of: 2)
    let second = MoviePage.sample([3], page: 2, of: 2)
    let store = moviesStore([
      "/movies?page=1": try .page(first), "/movies?page=2": try .page(second),
    ])
    await store.send(.popular(.ensureLoaded)) {
      $0.popular.requested = 1
      $0.popular.status = .loading
    }
    await store.receive(.popular(.loaded(first))) {
      $0.movies = try .samples([1, 2])
      $0.popular = PopularMovies.State(
        ids: [1, 2], page: 1, pages: 2, requested: 1, loaded: .dawn, status: .idle)
    }
    await store.send(.popular(.loadMore)) {
      $0.popular.requested = 2
      $0.popular.status = .loading
    }
    await store.receive(.popular(.loaded(second))) {
      $0.movies = try .samples([1, 2, 3])
      $0.popular.ids = [1, 2, 3]
      $0.popular.page = 2
      $0.popular.status = .idle
    }
    await store.send(.popular(.loadMore))
    await store.finish()
  }

  @Test func whileAPageIsOnItsWayNothingElseIsAskedFor() async throws {
    let page = MoviePage.sample([1], page: 1, of: 2)
    let clock = TestClock()
    let count = Mutex(0)
    let store = moviesStore(
      clock: clock,
      catalogue: HTTPClient { _ throws(HTTPError) in
        count.withLock { $0 += 1 }
        try? await clock.sleep(for: .seconds(1))
        return (try? .page(page)) ?? HTTPResponse(status: 500)
      })
    await store.send(.popular(.loadMore)) {
      $0.popular.requested = 1
      $0.popular.status = .loading
    }
    await store.send(.popular(.loadMore))
    await store.send(.popular(.ensureLoaded))
    async let advanced: Void = clock.advance(by: .seconds(1))
    await store.receive(.popular(.loaded(page))) {
      $0.movies = try .samples([1])
      $0.popular = PopularMovies.State(
        ids: [1], page: 1, pages: 2, requested: 1, loaded: .dawn, status: .idle)
    }
    await advanced
    #expect(count.withLock { $0 } == 1)
    await store.finish()
  }

  @Test func whatIsFreshIsNotLoadedAgainAndWhatIsOldIs() async throws {
    let store = moviesStore(["/movies?page=1": try .page(.sample([1]))])
    store.exhaustivity = .partial
    await store.send(.popular(.ensureLoaded))
    await store.receive(case: CasePath(MoviesApp.Action.popular))
    store.dependencies.date = .fixed(.dawn.addingTimeInterval(Catalogue.freshness - 1))
    await store.send(.popular(.ensureLoaded)) { $0.popular.status = .idle }
    store.dependencies.date = .fixed(.dawn.addingTimeInterval(Catalogue.freshness))
    await store.send(.popular(.ensureLoaded)) { $0.popular.status = .loading }
    await store.finish()
  }

  @Test func aPageThatNobodyAskedForIsRefused() async throws {
    let store = moviesStore()
    await store.send(.popular(.loaded(.sample([1], page: 7, of: 9))), rejected: "unexpected_page")
    await store.finish()
  }

  @Test func aMovieThatMovedToALaterPageIsListedOnce() async throws {
    let store = moviesStore([
      "/movies?page=1": try .page(.sample([1, 2], page: 1, of: 2)),
      "/movies?page=2": try .page(.sample([2, 3], page: 2, of: 2)),
    ])
    store.exhaustivity = .partial
    await store.send(.popular(.loadMore))
    await store.skipReceivedActions()
    await store.send(.popular(.loadMore))
    await store.skipReceivedActions()
    #expect(store.state.popular.ids == [1, 2, 3])
    await store.finish()
  }

  @Test func reloadingBeginsAnewAndEndsWhatIsOnItsWay() async throws {
    let store = moviesStore([
      "/movies?page=1": try .page(.sample([1, 2], page: 1, of: 2)),
      "/movies?page=2": try .page(.sample([3], page: 2, of: 2)),
    ])
    store.exhaustivity = .partial
    await store.send(.popular(.loadMore))
    await store.skipReceivedActions()
    await store.send(.popular(.loadMore))
    await store.skipReceivedActions()
    await store.send(.popular(.reload))
    await store.skipReceivedActions()
    #expect(store.state.popular.ids == [1, 2])
    #expect(store.state.popular.page == 1)
    await store.finish()
  }

  @Test func aFailureIsACodeAndTheNextAttemptAsksForTheSamePage() async throws {
    let store = moviesStore(["/movies?page=1": HTTPResponse(status: 503)])
    await store.send(.popular(.loadMore)) {
      $0.popular.requested = 1
      $0.popular.status = .loading
    }
    await store.receive(.popular(.failed(.unavailable))) {
      $0.popular.status = .failed(.unavailable)
    }
    store.dependencies.http = .canned(["/movies?page=1": try .page(.sample([1]))])
    await store.send(.popular(.loadMore)) { $0.popular.status = .loading }
    await store.receive(.popular(.loaded(.sample([1])))) {
      $0.movies = try .samples([1])
      $0.popular = PopularMovies.State(
        ids: [1], page: 1, pages: 1, requested: 1, loaded: .dawn, status: .idle)
    }
    await store.finish()
  }
}
