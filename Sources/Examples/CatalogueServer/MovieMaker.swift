/// Makes up movies from a few words.
enum MovieMaker {
  /// As many movies, their titles all different.
  static func movies(count: Int) -> [Movie] {
    var generator = SeededGenerator("movies")
    var titles: Set<String> = []
    var movies: [Movie] = []
    while movies.count < count {
      let title = title(&generator)
      guard titles.insert(title).inserted else { continue }
      movies.append(movie(movies.count + 1, title, &generator))
    }
    return movies
  }

  private static func title(_ generator: inout SeededGenerator) -> String {
    let thing = generator.pick(things)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return "The \(generator.pick(qualities)) \(thing)"
    case 1: return "\(generator.pick(numbers)) \(generator.pick(qualities)) \(thing)s"
    case 2: return "The \(thing) of \(generator.pick(regions))"
    case 3: return "\(generator.pick(firstNames)) and the \(thing)"
    default:
      let article = "AIOU".contains(thing.prefix(1)) ? "An" : "A"
      return "\(article) \(thing) for \(person(&generator))"
    }
  }

  private static func movie(
    _ id: Int, _ title: String, _ generator: inout SeededGenerator
  ) -> Movie {
    let cast = (0..<Int.random(in: 3...6, using: &generator)).map { _ in
      Movie.Role(name: person(&generator), character: person(&generator))
    }
    let genres = [generator.pick(kinds), generator.pick(kinds)]
    return Movie(
      id: id, title: title, year: Int.random(in: 1931...2031, using: &generator),
      rating: Double(Int.random(in: 31...97, using: &generator)) / 10,
      minutes: Int.random(in: 71...184, using: &generator),
      genres: genres[0] == genres[1] ? [genres[0]] : genres,
      director: person(&generator), overview: overview(of: cast, &generator), cast: cast)
  }

  private static func person(_ generator: inout SeededGenerator) -> String {
    "\(generator.pick(firstNames)) \(generator.pick(lastNames))"
  }

  private static func overview(
    of cast: [Movie.Role], _ generator: inout SeededGenerator
  ) -> String {
    let hero = cast[0].character
    let other = cast[1].character
    return "\(hero), \(generator.pick(trades)) in \(generator.pick(regions)), "
      + "\(generator.pick(beginnings)). Only \(other) \(generator.pick(turns)), "
      + "and \(generator.pick(endings))."
  }
}

private let qualities = [
  "Paper", "Borrowed", "Silent", "Amber", "Tidal", "Crooked", "Patient", "Hollow", "Salted",
  "Woollen",
  "Half-lit", "Unsent", "Wandering", "Copper", "Stubborn", "Forgetful", "Snowblind", "Second-hand",
]
private let things = [
  "Lighthouse", "Orchard", "Postman", "Beekeeper", "Staircase", "Harbour", "Umbrella",
  "Cartographer",
  "Tramway", "Nightjar", "Ferry", "Bell Tower", "Clockmaker", "Greenhouse", "Comet", "Inkwell",
  "Weather Station", "Violin", "Lantern", "Piano Tuner",
]
private let numbers = ["Two", "Three", "Seven", "Eleven", "Forty"]
private let regions = [
  "Velmora", "Østhavn", "Lower Brindle", "Marisol Bay", "Tarn Keld", "Çamlıova", "Port Quill",
  "the Ninth Valley", "Isle Ferrow", "Grünmoor", "Upper Sedge",
]
private let firstNames = [
  "Odile", "Marek", "Søren", "İpek", "Tobias", "Linnea", "Rufus", "Amara", "Zoé", "Caspian",
  "Nerys",
  "Ilan", "Beatriz", "Haruki", "Orla", "Matteo", "Wren", "Jonas", "Saskia", "Dmitri",
]
private let lastNames = [
  "Quillfeather", "Ashgrove", "Vantongeren", "Möllenbach", "Tindrake", "Okonmoor", "Larkhollow",
  "Brandybrook", "Sørfjell", "Pettigrain", "Karasuyo", "Wexcombe", "Dellarosa", "Inkpen",
  "Yıldızlı",
]
private let kinds = [
  "Drama", "Comedy", "Adventure", "Mystery", "Romance", "Science Fiction", "Western", "Musical",
]
private let trades = [
  "a retired ferryman", "a mapmaker", "the last beekeeper", "a night telegrapher",
  "a tuner of bells",
  "an apprentice baker", "a keeper of lost umbrellas", "a judge of small matters",
]
private let beginnings = [
  "finds a letter that was posted a hundred years ago", "wakes up to find the sea gone",
  "inherits a staircase that leads nowhere", "is asked to repair a clock that runs backwards",
  "hears a song that nobody else remembers", "loses a bet with the weather",
]
private let turns = [
  "believes a word of it", "knows where the key is", "has been there before",
  "still owns a boat", "can read the old maps", "refuses to be surprised",
]
private let endings = [
  "the winter is coming early", "by morning the whole town has an opinion",
  "somebody has already bought the tickets", "the orchestra will not wait",
  "it turns out to be the right mistake", "nothing can be posted twice",
]
