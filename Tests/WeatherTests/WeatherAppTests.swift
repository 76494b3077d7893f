import CatalogueServer
import DuxHTTP
import DuxJSON
import DuxStore
import DuxTesting
import ExampleHTTP
import Foundation
import Synchronization
import Testing

@testable import Weather

/// The whole app: both slices, its client, and its start.
struct WeatherAppTests {
  private func app(_ url: String) throws -> WeatherApp {
    WeatherApp(server: try #require(URL(string: url)))
  }

  @Test func theSlicesQuestionsDoNotDisturbEachOther() async throws {
    let server = Switchboard()
    let store = TestStore(app: try app("http://nowhere.invalid")) { world in
      world.clock = ImmediateClock()
      world.weather = server.client
    }
    await store.send(.forecast(.show("pell"))) {
      $0.forecast = Forecast(city: "pell", status: .loading)
    }
    await server.asked(1)
    await store.send(.search(.enter("windle"))) {
      $0.search = Search(query: "windle", status: .loading)
    }
    await server.asked(2)
    await store.send(.search(.enter(""))) { $0.search = Search() }
    server.answer("windle", .success("Windle"))
    server.answer("pell", .success(""))
    await store.receive(.forecast(.received(.sunny(.pell)))) {
      $0.forecast.report = .sunny(.pell)
      $0.forecast.status = .idle
    }
    await store.finish()
  }

  @Test func whatWasOpenAtAStopIsAskedAgainAtTheStart() async throws {
    let server = Switchboard()
    let stopped = WeatherApp.State(
      search: Search(query: "pell", status: .loading),
      forecast: Forecast(city: "pell", report: .sunny(.pell)))
    let app = try app("http://nowhere.invalid")
    let store = TestStore(initialState: stopped) { world in
      world.weather = server.client
    } reducer: {
      app
    }
    await store.send(try #require(app.startAction))
    await store.receive(.search(.retry))
    await server.asked(1)
    server.answer("pell", .success("Pell"))
    await store.receive(.search(.found([.pell]))) {
      $0.search = Search(query: "pell", cities: [.pell])
    }
    await store.finish()
    #expect(server.questions == ["pell"])
  }

  @Test func thePreviewNeedsNoServer() async throws {
    let app = try app("http://nowhere.invalid")
    let store = Store(
      app: app, dependencies: DependencyValues(.preview).setting { $0.clock = ImmediateClock() })
    await store.dispatch(.search(.enter("W"))).finish()
    #expect(store.state.search == Search(query: "W", cities: [.windle]))
    await store.dispatch(.forecast(.show("windle"))).finish()
    #expect(store.state.forecast.report?.now.condition == "clear")
    await store.dispatch(.forecast(.show("atlantis"))).finish()
    #expect(
      store.state.forecast.status == .failed(message: "there is no city atlantis (no_city)"))
  }

  @Test func aTestThatGivesNoClientIsToldWhatItLacks() async throws {
    let issues = Mutex<[String]>([])
    let store = TestStore(initialState: Forecast()) { _ in
    } issues: { issue in
      issues.withLock { $0.append(issue.message) }
    } reducer: {
      ForecastingWeather()
    }
    await store.send(.show("pell")) { $0 = Forecast(city: "pell", status: .loading) }
    await store.receive(case: CasePath(Forecast.Action.failed)) { forecast in
      forecast.status = .failed(message: UnforeseenUse(dependency: "weather.report").description)
    }
    await store.finish()
    #expect(issues.withLock { $0 } == [UnforeseenUse(dependency: "weather.report").description])
  }

  @Test func aDaemonAsksTheServerThatTheAppWasMadeWith() async throws {
    let hosted = try HostedApp(
      try app("http://weather.invalid/v1"),
      limits: StateLimits(maximumDepth: 32, maximumBytes: 4_096))
    let asked = Mutex<[String]>([])
    let world = hosted.dependencies.setting { world in
      world.http = HTTPClient { (request) throws(HTTPError) in
        asked.withLock { $0.append(request.url.absoluteString) }
        return .json(["results": []])
      }
    }
    let cities = try await DependencyValues.$current.withValue(world) {
      try await world.weather.cities("Pörl & Co")
    }
    #expect(cities == [])
    #expect(
      asked.withLock { $0 } == ["http://weather.invalid/v1/cities?query=P%C3%B6rl%20%26%20Co"])
  }

  @Test func theClientSpeaksWithTheRealServer() async throws {
    let catalogue = CatalogueServer()
    try await HTTPServer.running {
      catalogue.respond(to: $0)
    } body: { server in
      let app = try app(server.url)
      let store = Store(
        app: app, dependencies: app.dependencies.setting { $0.clock = ImmediateClock() })
      await store.dispatch(.search(.enter("ardenquay"))).finish()
      #expect(store.state.search.cities.map(\.name) == ["Ardenquay", "Little Ardenquay"])
      #expect(store.state.search.status == .idle)
      await store.dispatch(.forecast(.show("osthavn"))).finish()
      #expect(store.state.forecast.report?.now.temperature == 15)
      #expect(store.state.forecast.report?.days.count == 7)
      await store.dispatch(.forecast(.show("atlantis"))).finish()
      #expect(store.state.forecast.report == nil)
      guard case .failed(let message) = store.state.forecast.status else {
        Issue.record("\(store.state.forecast)")
        return
      }
      #expect(message.contains("status 404"))
    }
  }

  @Test func aServerThatIsDownIsAFailureThatIsTold() async throws {
    let url = try await HTTPServer.running { _ in
      ServerResponse.json([:])
    } body: {
      $0.url
    }
    let app = try app(url)
    let store = Store(
      app: app, dependencies: app.dependencies.setting { $0.clock = ImmediateClock() })
    await store.dispatch(.search(.enter("pell"))).finish()
    guard case .failed(let message) = store.state.search.status else {
      Issue.record("\(store.state.search)")
      return
    }
    #expect(message.contains("/cities"))
  }

  @Test func statusAndActionsReadWellOnTheWire() throws {
    var weather = try HostedApp(
      try app("http://nowhere.invalid"), limits: StateLimits(maximumDepth: 32, maximumBytes: 4_096))
    let step = try weather.dispatch(
      [try WireAction(["type": "search/enter", "payload": "pell"])],
      DispatchContext(author: "ann"))
    #expect(
      step.patch.json == [
        ["op": "replace", "path": "/search/query", "value": "pell"],
        ["op": "remove", "path": "/search/status/idle"],
        ["op": "add", "path": "/search/status/loading", "value": [:]],
      ])
    let refusal = #expect(throws: Refusal.self) {
      try weather.dispatch(
        [try WireAction(["type": "search/find", "payload": "pell"])],
        DispatchContext(author: "ann"))
    }
    #expect(refusal?.message.contains("find") == true)
  }
}
