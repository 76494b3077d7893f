/// A place that has weather.
public struct City: Codable, Equatable, Sendable, Identifiable {
  /// What the server knows it by.
  public let id: String
  let name: String
  let country: String
}

/// The weather of a city, temperatures in degrees Celsius.
public struct WeatherReport: Codable, Equatable, Sendable {
  struct Conditions: Codable, Equatable, Sendable {
    let temperature: Int
    let condition: String
    /// In kilometres per hour.
    let wind: Int
    /// In percent.
    let humidity: Int
  }

  struct Day: Codable, Equatable, Sendable {
    /// Counted from today.
    let day: Int
    let condition: String
    let high: Int
    let low: Int
  }

  let city: City
  let now: Conditions
  let days: [Day]
}
