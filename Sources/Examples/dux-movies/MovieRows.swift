import DuxStore
import DuxTerminal
import Movies

/// A movie in a list, whatever is known of it.
struct MovieRow: Equatable {
  let id: Movie.ID
  /// Nothing where no list or page has told of it.
  let movie: Movie?
  let isFavourite: Bool

  init(_ id: Movie.ID, in state: MoviesApp.State) {
    self.init(id, state.movies, state.favourites)
  }

  init(
    _ id: Movie.ID, _ movies: Table<Movie.ID, Movie>, _ favourites: Table<Movie.ID, Favourite>
  ) {
    self.id = id
    movie = movies[id: id]
    isFavourite = favourites.contains(id)
  }

  /// What it is called, or that nothing is known of it.
  var title: String { movie?.title ?? "movie \(id), of which nothing is known yet" }
}

/// Movies by their ids, in the order of those.
///
/// An id without a movie has a row all the same.
struct MovieRows: RowSource, Equatable {
  private let ids: [Movie.ID]
  private let movies: Table<Movie.ID, Movie>
  private let favourites: Table<Movie.ID, Favourite>

  init(_ ids: [Movie.ID], in state: MoviesApp.State) {
    self.ids = ids
    movies = state.movies
    favourites = state.favourites
  }

  var count: Int { ids.count }
  func id(at index: Int) -> Movie.ID? { ids.indices.contains(index) ? ids[index] : nil }
  func index(of id: Movie.ID) -> Int? { ids.firstIndex(of: id) }
  func row(at index: Int) -> MovieRow? {
    id(at: index).map { MovieRow($0, movies, favourites) }
  }
}

/// A movie in one line.
struct MovieLine: View {
  let row: MovieRow

  var body: some View {
    HStack {
      Text(row.isFavourite ? "♥" : " ").role(.accent)
      Text(row.title).truncated().priority(1)
      if let movie = row.movie {
        Text("(\(movie.year))").role(.secondary).truncated()
        Spacer()
        Text(movie.genres.joined(separator: ", ")).role(.secondary).truncated().priority(-1)
        Text("\(movie.rating)").truncated()
      }
    }
    .padding(horizontal: 1)
  }
}
