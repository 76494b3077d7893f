import DuxTerminal
import Foundation
import Movies

/// The terminal's program: lists and pages that all share, and what is looked at here.
@main
struct Main {
  static func main() {
    FrontEnd.main(
      name: "dux-movies",
      summary: "Leaf through a catalogue of movies, alone or together",
      discussion: """
        Needs a daemon that serves it: duxd --app movies. Lists, the search and favourites are everybody's; \
        which of them, and which page, this terminal looks at is its own.
        """,
      // Only the daemon asks the catalogue.
      app: MoviesApp(catalogue: URL(filePath: "/")), program: MoviesProgram())
  }
}
