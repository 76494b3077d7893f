import DuxHTTP
import DuxStore
import DuxTesting
import Foundation
import Synchronization
import Testing

@testable import Movies

/// The pages of movies, and the favourites.
struct DetailTests {
  private func answers() throws -> [String: HTTPResponse] {
    [
      "/movies/7": try .movie(.sample(7), .sample),
      "/movies/7/similar": try .page(.sample([8, 9])),
    ]
  }

  @Test func thePageOfAMovieIsLoadedAndThenMoviesLikeIt() async throws {
    let store = moviesStore(try answers())
    await store.send(.open(7)) { try $0.details.append(MovieDetail.State(id: 7)) }
    await store.receive(.detail(id: 7, action: .ensureLoaded)) {
      $0.details[id: 7]?.factsStatus = .loading
      $0.details[id: 7]?.similarStatus = .loading
    }
    await store.receive(.detail(id: 7, action: .loaded(movie: .sample(7), facts: .sample))) {
      $0.movies = try .samples([7])
      $0.details[id: 7]?.facts = .sample
      $0.details[id: 7]?.loaded = .dawn
      $0.details[id: 7]?.factsStatus = .idle
    }
    await store.receive(.detail(id: 7, action: .foundSimilar(.sample([8, 9])))) {
      $0.movies = try .samples([7, 8, 9])
      $0.details[id: 7]?.similar = [8, 9]
      $0.details[id: 7]?.similarStatus = .idle
    }
    await store.send(.open(7))
    await store.receive(.detail(id: 7, action: .ensureLoaded))
    await store.finish()
  }

  @Test func eachRequestOfAPageHasAStatusOfItsOwn() async throws {
    let store = moviesStore([
      "/movies/7": HTTPResponse(status: 404),
      "/movies/7/similar": try .page(.sample([8])),
    ])
    store.exhaustivity = .partial
    await store.send(.open(7))
    await store.receive(.detail(id: 7, action: .failed(.missing))) {
      $0.details[id: 7]?.factsStatus = .failed(.missing)
      $0.details[id: 7]?.similarStatus = .loading
    }
    await store.receive(.detail(id: 7, action: .foundSimilar(.sample([8])))) {
      $0.details[id: 7]?.similarStatus = .idle
    }
    await store.finish()
  }

  @Test func closingAPageEndsAllThatItAskedFor() async throws {
    let clock = TestClock()
    let asked = Mutex<[String]>([])
    let store = moviesStore(
      clock: clock,
      catalogue: HTTPClient { request throws(HTTPError) in
        asked.withLock { $0.append(request.url.path) }
        try? await clock.sleep(for: .seconds(1))
        return HTTPResponse(status: 500)
      })
    await store.send(.open(7)) { try $0.details.append(MovieDetail.State(id: 7)) }
    await store.receive(.detail(id: 7, action: .ensureLoaded)) {
      $0.details[id: 7]?.factsStatus = .loading
      $0.details[id: 7]?.similarStatus = .loading
    }
    await store.send(.close(7)) { $0.details.remove(id: 7) }
    await clock.advance(by: .seconds(10))
    #expect(asked.withLock { $0 } == ["/movies/7"])
    await store.send(.detail(id: 7, action: .ensureLoaded), rejected: "target_gone")
    await store.finish()
  }

  @Test func afterAStartAllGoesOnThatWasOnItsWay() async throws {
    var state = MoviesApp.State()
    state.popular.requested = 3
    state.popular.status = .loading
    state.search = MovieSearch.State(query: "x", status: .loading)
    try state.details.append(MovieDetail.State(id: 7, factsStatus: .loading))
    try state.details.append(MovieDetail.State(id: 8))
    let clock = TestClock()
    let store = TestStore(
      initialState: state,
      dependencies: {
        $0.http = .canned([
          "/movies": HTTPResponse(status: 503), "/movies/7": HTTPResponse(status: 404),
          "/movies/7/similar": HTTPResponse(status: 404),
        ])
        $0.date = .fixed(.dawn)
        $0.clock = clock
      }
    ) {
      MoviesApp(catalogue: .catalogue)
    }
    store.exhaustivity = .partial
    await store.send(.started)
    await store.receive(.popular(.resume)) { $0.popular.requested = 3 }
    await store.receive(.search(.resume))
    await store.receive(.detail(id: 7, action: .resume)) {
      $0.details[id: 7]?.similarStatus = .loading
    }
    await store.receive(.detail(id: 8, action: .resume)) {
      $0.details[id: 8]?.similarStatus = .idle
    }
    await store.receive(.popular(.failed(.unavailable)))
    await store.receive(.detail(id: 7, action: .failed(.missing)))
    await store.receive(.detail(id: 7, action: .failedSimilar(.missing)))
    await clock.advance(by: MovieSearch.pause)
    await store.receive(.search(.failed(.unavailable)))
    await store.finish()
  }

  @Test func favouritesKeepTheirOrderAndMustBeKnown() async throws {
    var state = MoviesApp.State()
    state.movies = try .samples([7, 8])
    let store = TestStore(initialState: state, dependencies: { $0.date = .fixed(.dawn) }) {
      MoviesApp(catalogue: .catalogue)
    }
    await store.send(.toggleFavourite(8)) {
      try $0.favourites.append(Favourite(id: 8, since: .dawn))
    }
    await store.send(.toggleFavourite(7)) {
      try $0.favourites.append(Favourite(id: 7, since: .dawn))
    }
    #expect(Array(store.state.favourites.ids) == [8, 7])
    await store.send(.toggleFavourite(8)) { $0.favourites.remove(id: 8) }
    await store.send(.toggleFavourite(9), rejected: "unknown_movie")
    await store.finish()
  }
}
