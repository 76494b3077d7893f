import Foundation

/// The movies and the places, the same ones in every process.
package struct Catalogue: Sendable {
  /// The movies, by ascending id.
  package let movies: [Movie]
  /// The places, by name.
  package let cities: [City]

  /// Movies in a catalogue.
  package static let movieCount = 200
  /// Movies on a page.
  package static let pageSize = 20

  /// Makes the catalogue.
  package init() {
    movies = MovieMaker.movies(count: Self.movieCount)
    cities = City.all
  }

  /// The movies whose title contains a text, in any case, with accents or without.
  package func movies(matching text: String) -> [Movie] {
    let wanted = text.folded
    return wanted.isEmpty ? movies : movies.filter { $0.title.folded.contains(wanted) }
  }

  /// A movie.
  package func movie(_ id: Int) -> Movie? {
    movies.first { $0.id == id }
  }

  /// The movies of the same director or the same kinds, the best rated first.
  package func movies(like movie: Movie) -> [Movie] {
    movies.filter { $0.id != movie.id && $0.isLike(movie) }
      .sorted { ($0.rating, $1.id) > ($1.rating, $0.id) }
  }

  /// The places whose name or country contains a text, those whose name begins with it first.
  package func cities(matching text: String) -> [City] {
    let wanted = text.folded
    guard !wanted.isEmpty else { return cities }
    let found = cities.filter { ($0.name + "\n" + $0.country).folded.contains(wanted) }
    return found.filter { $0.name.folded.hasPrefix(wanted) }
      + found.filter { !$0.name.folded.hasPrefix(wanted) }
  }

  /// A place.
  package func city(_ id: String) -> City? {
    cities.first { $0.id == id }
  }
}

extension Movie {
  fileprivate func isLike(_ other: Movie) -> Bool {
    director == other.director || Set(genres) == Set(other.genres)
  }
}

extension String {
  /// The text without what a search should not depend on: case, accents, strokes, missing dots.
  var folded: String {
    trimmingCharacters(in: .whitespaces)
      .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      .replacing("ø", with: "o").replacing("ı", with: "i")
  }
}
