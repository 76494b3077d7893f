import DuxStore

/// The weather of the city that was chosen.
public struct Forecast: Codable, Equatable, Sendable {
  /// What may be asked of it, and what it is told.
  public enum Action: Codable, Equatable, Sendable {
    /// Chooses a city.
    case show(City.ID)
    case retry
    case received(WeatherReport)
    case failed(String)
  }

  var city: City.ID?
  /// The latest report on this city.
  var report: WeatherReport?
  var status = RequestStatus.idle
}

/// Asks for the weather of a city as soon as it is chosen.
struct ForecastingWeather: Reducer {
  typealias State = Forecast
  typealias Action = Forecast.Action

  @Dependency(\.weather) private var weather

  func reduce(into forecast: inout Forecast, action: Action) throws -> Effect<Action> {
    switch action {
    case .show(let city):
      if forecast.city != city { forecast = Forecast(city: city) }
      forecast.status = .loading
      return request(city)
    case .retry:
      try forecast.status.retry()
      return request(forecast.city)
    case .received(let report):
      forecast.report = report
      forecast.status = .idle
    case .failed(let message): forecast.status = .failed(message: message)
    }
    return .none
  }

  private func request(_ city: City.ID?) -> Effect<Action> {
    guard let city else { return .none }
    return .run("forecast") { send in
      await send(.received(try await weather.report(city)))
    } catch: { error in
      .failed("\(error)")
    }
    .cancellable("request", .takeLatest)
  }
}
