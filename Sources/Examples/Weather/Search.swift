import DuxStore
import Foundation

/// The search for a city.
public struct Search: Codable, Equatable, Sendable {
  /// What may be asked of it, and what it is told.
  public enum Action: Codable, Equatable, Sendable {
    /// Looks for a name, or for nothing any more.
    case enter(String)
    case retry
    case found([City])
    case failed(String)
  }

  var query = ""
  /// What was found for the latest query that was answered.
  var cities: [City] = []
  var status = RequestStatus.idle
}

/// Looks for cities as somebody types.
struct SearchingCities: Reducer {
  typealias State = Search
  typealias Action = Search.Action

  /// How long nobody must have typed.
  static let pause = Duration.milliseconds(300)
  private static let maximumLength = 100

  @Dependency(\.weather) private var weather

  func reduce(into search: inout Search, action: Action) throws -> Effect<Action> {
    switch action {
    case .enter(let text): return try enter(text, into: &search)
    case .retry:
      try search.status.retry()
      return request(search.query)
    case .found(let cities):
      search.cities = cities
      search.status = .idle
    case .failed(let message): search.status = .failed(message: message)
    }
    return .none
  }

  private func enter(_ text: String, into search: inout Search) throws -> Effect<Action> {
    let query = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard query.count <= Self.maximumLength else {
      throw Rejection(
        reason: "too_long",
        message: "a query may have \(Self.maximumLength) characters and has \(query.count)")
    }
    guard !query.isEmpty else {
      search = Search()
      return .cancel("request")
    }
    search.query = query
    search.status = .loading
    return request(query).debounced("request", for: Self.pause)
  }

  private func request(_ query: String) -> Effect<Action> {
    .run("search") { send in
      await send(.found(try await weather.cities(query)))
    } catch: { error in
      .failed("\(error)")
    }
    .cancellable("request", .takeLatest)
  }
}
