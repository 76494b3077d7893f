import DuxStore
import DuxTesting
import Testing

@testable import Weather

/// How the weather of a city is asked for.
struct ForecastTests {
  private let server = Switchboard()

  private func store(
    _ forecast: Forecast = Forecast()
  ) -> TestStore<Forecast, Forecast.Action> {
    TestStore(initialState: forecast) { [server] in
      $0.weather = server.client
    } reducer: {
      ForecastingWeather()
    }
  }

  @Test func theWeatherOfTheCityChosenLastIsShown() async {
    let store = store()
    await store.send(.show("pell")) {
      $0.city = "pell"
      $0.status = .loading
    }
    await server.asked(1)
    await store.send(.show("windle")) { $0.city = "windle" }
    await server.asked(2)
    server.answer("pell", .success(""))
    server.answer("windle", .success(""))
    await store.receive(.received(.sunny(.windle))) {
      $0.report = .sunny(.windle)
      $0.status = .idle
    }
    await store.finish()
    #expect(await store.lateActions == 1)
  }

  @Test func anotherCitysReportIsNotShownMeanwhileButTheSameCitysIs() async {
    let store = store(Forecast(city: "pell", report: .sunny(.pell)))
    await store.send(.show("pell")) { $0.status = .loading }
    await server.asked(1)
    await store.send(.show("windle")) { $0 = Forecast(city: "windle", status: .loading) }
    await server.asked(2)
    server.answer("pell", .success(""))
    server.answer("windle", .failure(Switchboard.Refusal(description: "no such city")))
    await store.receive(.failed("no such city")) { $0.status = .failed(message: "no such city") }
    await store.send(.retry) { $0.status = .loading }
    await server.asked(3)
    server.answer("windle", .success(""))
    await store.receive(.received(.sunny(.windle))) {
      $0.report = .sunny(.windle)
      $0.status = .idle
    }
    await store.send(.retry, rejected: "nothing_to_retry")
    await store.finish()
  }
}
