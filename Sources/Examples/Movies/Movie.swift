/// What lists tell of a movie.
public struct Movie: Codable, Equatable, Sendable, Identifiable {
  /// The catalogue's number.
  public let id: Int
  var title: String
  var year: Int
  var rating: Double
  var genres: [String]
}

/// What the page of a movie tells beside that.
public struct MovieFacts: Codable, Equatable, Sendable {
  /// A part and who plays it.
  public struct Role: Codable, Equatable, Sendable {
    var name: String
    var character: String
  }

  var minutes: Int
  var director: String
  var overview: String
  var cast: [Role]
}

/// A part of a list, as the catalogue sends it.
public struct MoviePage: Codable, Equatable, Sendable {
  /// From 1 on.
  var page: Int
  /// How many there are.
  var pages: Int
  /// How many movies are in all of them.
  var total: Int
  var results: [Movie]
}
