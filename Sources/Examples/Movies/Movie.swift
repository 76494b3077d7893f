/// What lists tell of a movie.
public struct Movie: Codable, Equatable, Sendable, Identifiable {
  /// The catalogue's number.
  public let id: Int
  /// What it is called.
  public internal(set) var title: String
  /// When it came out.
  public internal(set) var year: Int
  /// What people think of it, from 0 to 10.
  public internal(set) var rating: Double
  /// What kinds of film it belongs to.
  public internal(set) var genres: [String]
}

/// What the page of a movie tells beside that.
public struct MovieFacts: Codable, Equatable, Sendable {
  /// A part and who plays it.
  public struct Role: Codable, Equatable, Sendable {
    /// Who plays it.
    public internal(set) var name: String
    /// The part.
    public internal(set) var character: String
  }

  /// How long it takes.
  public internal(set) var minutes: Int
  /// Who made it.
  public internal(set) var director: String
  /// What it is about.
  public internal(set) var overview: String
  /// Who plays what.
  public internal(set) var cast: [Role]
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
