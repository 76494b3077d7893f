import DuxStore
import Foundation

/// A movie that somebody likes.
public struct Favourite: Codable, Equatable, Sendable, Identifiable {
  /// The movie's.
  public let id: Movie.ID
  /// Since when it is one.
  let since: Date
}

/// Keeps the favourites, in the order in which they became it.
struct Favourites: Reducer {
  typealias State = MoviesApp.State
  typealias Action = MoviesApp.Action

  @Dependency(\.date) private var date

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    guard case .toggleFavourite(let id) = action else { return .none }
    guard state.movies.contains(id) else {
      throw Rejection(reason: "unknown_movie", message: "no list or page has told of movie \(id)")
    }
    if state.favourites.remove(id: id) == nil {
      try state.favourites.append(Favourite(id: id, since: date()))
    }
    return .none
  }
}
