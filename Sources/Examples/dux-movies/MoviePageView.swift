import DuxStore
import DuxTerminal
import Movies

/// The page of a movie: what it is about, and movies like it.
struct MoviePageView: View {
  let row: MovieRow
  /// Nothing where nobody has the page open any more.
  let detail: MovieDetail.State?
  let rows: MovieRows
  let position: ListPosition<Movie.ID>
  /// Who else has the page before them.
  let others: [String]
  let nowMs: Int64
  let size: Size

  var body: some View {
    VStack {
      heading.padding(horizontal: 1)
      Divider()
      if let facts = detail?.facts { about(facts).padding(horizontal: 1) }
      if let detail {
        similar(detail)
      } else {
        Text("The page was closed. r opens it again.").role(.secondary).padding(horizontal: 1)
      }
    }
  }

  private var heading: some View {
    HStack {
      if row.isFavourite { Text("♥").role(.accent) }
      Text(row.title).bold().truncated().priority(1)
      if let movie = row.movie { Text("(\(movie.year))").role(.secondary).truncated() }
      Spacer()
      if !others.isEmpty {
        Text("with \(others.joined(separator: ", "))").role(.accent).truncated().priority(-1)
      }
      if let detail {
        RequestLine(
          status: detail.factsStatus, idleText: row.movie.map { "\($0.rating)" } ?? "",
          nowMs: nowMs)
      }
    }
  }

  private func about(_ facts: MovieFacts) -> some View {
    VStack {
      Text(line(facts)).role(.secondary).lines(2)
      Text("")
      Text(facts.overview).lines(max(size.rows / 4, 2))
      if !facts.cast.isEmpty, size.rows >= 20 {
        Text("")
        Text(cast(facts)).role(.secondary).lines(2)
      }
      Text("")
    }
  }

  private func line(_ facts: MovieFacts) -> String {
    let genres = row.movie?.genres ?? []
    return (genres + ["\(facts.minutes) minutes", "by \(facts.director)"]).joined(separator: ", ")
  }

  private func cast(_ facts: MovieFacts) -> String {
    "With " + facts.cast.map { "\($0.name) as \($0.character)" }.joined(separator: ", ")
  }

  @ViewBuilder private func similar(_ detail: MovieDetail.State) -> ViewGroup {
    HStack {
      Text("Movies like it").role(.title).truncated()
      Spacer()
      RequestLine(status: detail.similarStatus, idleText: "", nowMs: nowMs)
    }
    .padding(horizontal: 1)
    MovieList(
      rows: rows, position: position,
      emptyText: detail.similarStatus == .idle && detail.facts != nil ? "There are none." : ""
    ).priority(1)
  }
}
