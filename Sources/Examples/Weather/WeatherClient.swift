import DuxHTTP
import DuxStore
import Foundation

/// What the app asks of a server, as a value that can be another in tests and previews.
struct WeatherClient: Sendable {
  /// The cities whose names a query fits.
  var cities: @Sendable (_ query: String) async throws -> [City]
  /// The weather of a city.
  var report: @Sendable (_ city: City.ID) async throws -> WeatherReport
}

extension WeatherClient {
  /// Asks a server over HTTP.
  static func live(server: URL) -> WeatherClient {
    WeatherClient(
      cities: { query in
        try await DependencyValues.current.http
          .get(server.appending(path: "cities"), query: ["query": query])
          .json(as: Found.self).results
      },
      report: { city in
        try await DependencyValues.current.http
          .get(server.appending(path: "weather"), query: ["city": city])
          .json(as: WeatherReport.self)
      })
  }

  private struct Found: Decodable {
    let results: [City]
  }

  /// Knows two cities and shows them in the best light.
  static let preview = WeatherClient(
    cities: { query in
      City.previews.filter { $0.name.localizedCaseInsensitiveContains(query) }
    },
    report: { id in
      guard let city = City.previews.first(where: { $0.id == id }) else {
        throw Rejection(reason: "no_city", message: "there is no city \(id)")
      }
      return WeatherReport(
        city: city, now: .init(temperature: 21, condition: "clear", wind: 9, humidity: 40),
        days: (0..<3).map { .init(day: $0, condition: "clear", high: 23, low: 12) })
    })

  /// Fails, naming what was asked of it.
  static let failing = WeatherClient(
    cities: { _ in throw unforeseen("weather.cities") },
    report: { _ in throw unforeseen("weather.report") })
}

extension City {
  fileprivate static let previews = [
    City(id: "pell", name: "Pell", country: "Velmora"),
    City(id: "windle", name: "Windle", country: "Velmora"),
  ]
}

extension DependencyValues {
  /// Where the weather comes from.
  var weather: WeatherClient {
    get { self[WeatherKey.self] }
    set { self[WeatherKey.self] = newValue }
  }
}

private enum WeatherKey: DependencyKey {
  /// The app sets the server that it was made with; without one there is none to ask.
  static let liveValue = WeatherClient.failing
  static let previewValue = WeatherClient.preview
  static let testValue = WeatherClient.failing
}
