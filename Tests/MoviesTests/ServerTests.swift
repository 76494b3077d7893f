import CatalogueServer
import DuxHTTP
import DuxStore
import ExampleHTTP
import Foundation
import Testing

@testable import Movies

/// The app with a real server behind it, that is well or not.
struct ServerTests {
  private func withStore(
    _ server: HTTPServer, patience: Duration = .seconds(10),
    _ body: (Store<MoviesApp.State, MoviesApp.Action>) async throws -> Void
  ) async throws {
    let url = try #require(URL(string: server.url))
    let app = MoviesApp(catalogue: Catalogue(url: url, patience: patience))
    let store = Store(initialState: app.initialState) { app }
    do {
      try await body(store)
    } catch {
      await server.stop()
      throw error
    }
    store.close()
    await server.stop()
  }

  @Test func aCatalogueIsLeafedThroughToItsEnd() async throws {
    try await withStore(CatalogueServer.start()) { store in
      for _ in 1...12 { await store.dispatch(.popular(.loadMore)).finish() }
      #expect(store.state.popular.ids == Array(1...200))
      #expect(store.state.popular.isComplete)
      #expect(store.state.movies.count == 200)
      await store.dispatch(.search(.query("lantern"))).finish()
      #expect(store.state.search.total == 12)
      await store.dispatch(.open(7)).finish()
      let detail = try #require(store.state.details[id: 7])
      #expect(detail.facts?.director == "Rufus Quillfeather")
      #expect(detail.similar.contains(8))
    }
  }

  @Test func aCatalogueThatFailsNowAndThenIsReadInTheEnd() async throws {
    let temper = CatalogueServer.Temper(failurePercent: 50, seed: 7)
    try await withStore(CatalogueServer.start(temper: temper)) { store in
      var attempts = 0
      while !store.state.popular.isComplete, attempts < 200 {
        await store.dispatch(.popular(.loadMore)).finish()
        attempts += 1
      }
      #expect(store.state.popular.ids == Array(1...200))
      #expect(attempts > 10)
    }
  }

  @Test func aServerThatIsDownIsUnreachable() async throws {
    let server = try CatalogueServer.start()
    await server.stop()
    try await withStore(server) { store in
      await store.dispatch(.popular(.loadMore)).finish()
      #expect(store.state.popular.status == .failed(.unreachable))
    }
  }

  @Test func aServerThatAnswersTooLateIsSlow() async throws {
    let server = try HTTPServer { _ in
      try? await Task.sleep(for: .seconds(60))
      return ServerResponse()
    }
    try await withStore(server, patience: .milliseconds(50)) { store in
      await store.dispatch(.popular(.loadMore)).finish()
      #expect(store.state.popular.status == .failed(.slow))
    }
  }

  @Test(arguments: ["", "null", "<html>", #"{"page":1,"pages":1,"results":[]}"#, "[[[["])
  func anAnswerThatIsNoPageIsGarbled(_ text: String) async throws {
    let server = try HTTPServer { _ in ServerResponse(body: Array(text.utf8)) }
    try await withStore(server) { store in
      await store.dispatch(.popular(.loadMore)).finish()
      #expect(store.state.popular.status == .failed(.garbled))
    }
  }
}
