public import DuxStore
public import Foundation

/// The weather of places that are looked for by name, asked of a server.
///
/// Two slices, each with a reducer of its own: the search asks once nobody has typed for a moment, and
/// the forecast at once. Both let only the answer to the latest question through, tell how the
/// question stands, and can be tried again. All they know of the server is the dependency
/// `WeatherClient`, so that tests and previews put another in its place. When the daemon was stopped
/// before an answer had come, it asks again when it starts.
public struct WeatherApp: App {
  /// What all share.
  public struct State: Codable, Equatable, Sendable {
    var search = Search()
    var forecast = Forecast()
  }

  /// What may be asked of the app.
  public enum Action: Codable, Equatable, Sendable {
    case search(Search.Action)
    case forecast(Forecast.Action)
    /// Asks the questions again that were open when the daemon stopped.
    case resume
  }

  /// `weather`.
  public let name = "weather"
  /// Nothing was looked for.
  public let initialState = State()
  /// Sent on each start of the daemon.
  public let startAction: Action? = .resume
  /// Where the weather comes from.
  public let server: URL

  /// Makes the app.
  ///
  /// - Parameter server: the base URL of the server.
  public init(server: URL) {
    self.server = server
  }

  /// Those of the world, and the server.
  public var dependencies: DependencyValues {
    DependencyValues(.live).setting { $0.weather = .live(server: server) }
  }

  /// The two slices, and what concerns both.
  public var body: some Reducer<State, Action> {
    Scope(\.search, action: Action.search) { SearchingCities() }
    Scope(\.forecast, action: Action.forecast) { ForecastingWeather() }
    Reduce { state, action in
      guard action == .resume else { return .none }
      return .merge(
        state.search.status == .loading ? .send(.search(.retry)) : .none,
        state.forecast.status == .loading ? .send(.forecast(.retry)) : .none)
    }
  }
}
