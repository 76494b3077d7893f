import DuxJSON

/// A place that is on no map, and its weather, which never changes its mind.
package struct City: Sendable, Equatable {
  /// What it is asked for by.
  package let id: String
  /// Its name.
  package let name: String
  /// The country it would lie in.
  package let country: String

  /// Days of a forecast.
  package static let forecastDays = 7

  /// All places, by name.
  package static let all: [City] = countries.flatMap { country, names in
    names.split(separator: ",").map { name in
      let name = name.trimmingSpaces
      return City(id: name.folded.replacing(" ", with: "-"), name: name, country: country)
    }
  }.sorted { $0.id < $1.id }

  /// What a search shows of it.
  var summary: JSON {
    ["id": .string(id), "name": .string(name), "country": .string(country)]
  }

  /// The weather of today and of the days to come; temperatures in degrees Celsius, wind in km/h.
  ///
  /// It is made of the place's name alone, so that it is the same whenever it is asked for.
  var weather: JSON {
    var generator = SeededGenerator(id)
    let usual = Int.random(in: -4...27, using: &generator)
    let days = (0..<Self.forecastDays).map { day -> JSON in
      let high = usual + Int.random(in: -4...6, using: &generator)
      let low = high - Int.random(in: 4...11, using: &generator)
      return [
        "day": .integer(Int64(day)), "condition": .string(Self.condition(high, &generator)),
        "high": .integer(Int64(high)), "low": .integer(Int64(low)),
      ]
    }
    return [
      "city": summary,
      "now": [
        "temperature": .integer(Int64(usual)),
        "condition": .string(Self.condition(usual, &generator)),
        "wind": .integer(Int64.random(in: 0...60, using: &generator)),
        "humidity": .integer(Int64.random(in: 20...95, using: &generator)),
      ],
      "days": .array(JSONArray(days)),
    ]
  }

  private static func condition(
    _ temperature: Int, _ generator: inout SeededGenerator
  ) -> String {
    generator.pick(
      temperature <= 0
        ? ["snow", "clear", "fog", "cloudy"]
        : ["clear", "cloudy", "partly cloudy", "rain", "fog", "thunderstorm"])
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    split(separator: " ").joined(separator: " ")
  }
}

private let countries: [(String, String)] = [
  ("Velmora", "Ardenquay, Little Ardenquay, Sallowmere, Pell, Port Quill, Tarn Keld, Windle"),
  ("Østland", "Østhavn, Sørfjell, Bjørnsund, Lyngvik, Ålmo, Kråkholm"),
  ("Grünmoor", "Möllenbach, Süderau, Altenquell, Heidewinkel, Grauberg"),
  ("Çamlı", "Çamlıova, Gümüşdere, Ilgınkaya, Şahintepe, Üçpınar"),
  ("Marisol", "Marisol Bay, San Telmino, Puerto Añil, Las Cigüeñas, Montebello Alto"),
  ("Ferrow", "Isle Ferrow, Gannet Head, Stormwick, Kelpie, Lower Brindle, Upper Sedge"),
]
