import DuxJSON

/// A movie that nobody has made.
package struct Movie: Sendable, Equatable {
  /// A part and who plays it.
  package struct Role: Sendable, Equatable {
    /// Who plays.
    package let name: String
    /// Who is played.
    package let character: String
  }

  /// From 1 on.
  package let id: Int
  /// The title; no two movies share one.
  package let title: String
  /// When it would have come out.
  package let year: Int
  /// From 1 to 10, with one decimal.
  package let rating: Double
  /// How long it is.
  package let minutes: Int
  /// One or two kinds.
  package let genres: [String]
  /// Who directed.
  package let director: String
  /// What it is about.
  package let overview: String
  /// Who plays whom.
  package let cast: [Role]

  /// What a list shows of it.
  var summary: JSON {
    [
      "id": .integer(Int64(id)), "title": .string(title), "year": .integer(Int64(year)),
      "rating": .double(rating), "genres": .array(JSONArray(genres.map { .string($0) })),
    ]
  }

  /// All there is to know.
  var details: JSON {
    var json = summary.objectValue ?? JSONObject()
    json["minutes"] = .integer(Int64(minutes))
    json["director"] = .string(director)
    json["overview"] = .string(overview)
    json["cast"] = .array(
      JSONArray(cast.map { ["name": .string($0.name), "character": .string($0.character)] }))
    return .object(json)
  }
}
