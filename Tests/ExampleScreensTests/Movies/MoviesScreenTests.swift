import DuxJSON
import DuxStore
import DuxTerminal
import Foundation
import Synchronization
import Testing

@testable import DuxClient
@testable import Movies
@testable import dux_movies

/// The screens of dux-movies: a state in, text out; keys in, actions out.
struct MoviesScreenTests {
  /// The program on a terminal that isn't there.
  private struct Terminal {
    var program = MoviesProgram()
    var shared: Shared<MoviesApp.State>
    var size = Size(columns: 80, rows: 24)
    private let sent = Sent()

    private final class Sent: Sendable {
      let actions = Mutex<[MoviesApp.Action]>([])
    }

    init(_ state: MoviesApp.State) {
      shared = Shared(state: state, client: "me")
    }

    private var dispatch: Dispatch<MoviesApp.Action> {
      Dispatch { [sent] action in sent.actions.withLock { $0.append(action) } }
    }

    /// What has been dispatched since this was asked last.
    func dispatched() -> [MoviesApp.Action] {
      sent.actions.withLock { actions in
        defer { actions = [] }
        return actions
      }
    }

    mutating func appear() { program.appear(shared, dispatch) }

    @discardableResult
    mutating func press(_ keys: Key...) -> Reaction {
      var reaction = Reaction.nothing
      for key in keys {
        shared.layout = draw().layout
        reaction = program.take(.key(key), shared, dispatch)
      }
      return reaction
    }

    func draw() -> Grid { render(program.view(of: shared, in: size), size: size) }
    func lines() -> [String] { draw().lines }
    func shows(_ text: String) -> Bool { lines().contains { $0.contains(text) } }
  }

  private static func movie(_ id: Int) -> Movie {
    Movie(id: id, title: "Movie \(id)", year: 1_999, rating: 7.5, genres: ["Comedy", "Crime"])
  }

  /// Two of ten pages, of which somebody likes the third movie.
  private static func sample() throws -> MoviesApp.State {
    var state = MoviesApp.State()
    state.movies = try Table((1...40).map(movie))
    state.popular.ids = Array(1...40)
    state.popular.page = 2
    state.popular.pages = 10
    try state.favourites.append(Favourite(id: 3, since: Date(timeIntervalSince1970: 0)))
    return state
  }

  /// The page of a movie is open, with movies like it.
  private static func withPage(_ id: Movie.ID, like similar: [Movie.ID]) throws -> MoviesApp.State {
    var state = try sample()
    var page = MovieDetail.State(id: id)
    page.facts = MovieFacts(
      minutes: 99, director: "Ann",
      overview: Array(repeating: "word", count: 30).joined(separator: " "),
      cast: [.init(name: "Ben", character: "the thief")])
    page.similar = similar
    try state.details.append(page)
    return state
  }

  @Test func theFirstPageIsAskedForWhenTheProgramAppears() {
    var terminal = Terminal(MoviesApp.State())
    terminal.appear()
    #expect(terminal.dispatched() == [.popular(.ensureLoaded)])
  }

  @Test func popularMoviesAreAList() throws {
    var terminal = Terminal(try Self.sample())
    let lines = terminal.lines()
    #expect(lines[0].hasPrefix(" [Popular]  Search   Favourites"))
    #expect(lines[0].hasSuffix("page 2 of 10"))
    #expect(lines[2].hasPrefix("   Movie 1 (1999)"))
    #expect(lines[2].contains("Comedy, Crime 7.5"))
    #expect(lines[4].hasPrefix(" ♥ Movie 3 (1999)"))
    #expect(lines[23].hasPrefix(" dux-movies  ● live"))
    terminal.press(Key(.down))
    #expect(terminal.draw()[3, 3].style.attributes.contains(.reverse))
  }

  @Test(arguments: [(1, 1), (80, 24), (400, 120), (17, 3), (0, 0)])
  func everyScreenFitsInEverySize(_ columns: Int, _ rows: Int) throws {
    var states = [MoviesApp.State(), try Self.sample(), try Self.withPage(7, like: [8, 900])]
    states[0].popular.status = .loading
    for state in states {
      var terminal = Terminal(state)
      terminal.size = Size(columns: columns, rows: rows)
      for key: Key in [
        Key(.tab), "x", Key(.enter), Key(.tab), Key(.enter), Key(.end), "?", "?", Key(.escape),
      ] {
        terminal.press(key)
        #expect(terminal.draw().size == terminal.size)
      }
    }
  }

  @Test func moreIsLoadedOnceTheSelectionNearsTheEnd() throws {
    var terminal = Terminal(try Self.sample())
    terminal.press(Key(.down), Key(.pageDown))
    #expect(terminal.dispatched() == [])
    terminal.press(Key(.end))
    #expect(terminal.dispatched() == [.popular(.loadMore)])
    terminal.shared.state.popular.status = .loading
    terminal.press(Key(.up))
    #expect(terminal.dispatched() == [])
    terminal.shared.state.popular.status = .idle
    terminal.shared.state.popular.page = 10
    terminal.press(Key(.down))
    #expect(terminal.dispatched() == [])
  }

  @Test func aSearchIsAskedForAsItIsTyped() throws {
    var terminal = Terminal(try Self.sample())
    terminal.press("/", "f", "q")
    #expect(terminal.dispatched() == [.search(.query("f")), .search(.query("fq"))])
    terminal.press(Key(.left), Key(.backspace))
    #expect(terminal.dispatched() == [.search(.query("q"))])
    terminal.press(Key(.escape))
    #expect(terminal.dispatched() == [.search(.query(""))])
    terminal.press(Key(.escape))
    #expect(terminal.dispatched() == [])
  }

  @Test func whatIsTypedIsThisTerminalsAndWhatIsFoundIsEverybodys() throws {
    var terminal = Terminal(try Self.sample())
    terminal.press("/", "a")
    terminal.shared.state.search.query = "lan"
    terminal.shared.state.search.ids = [5, 6]
    terminal.shared.state.search.total = 2
    let lines = terminal.lines()
    #expect(lines[0].hasSuffix("2 with “lan”"))
    #expect(lines[2].hasPrefix(" Title: a"))
    #expect(lines[3].contains("Movie 5") && lines[4].contains("Movie 6"))
    _ = terminal.dispatched()
    terminal.press(Key(.down), Key(.enter))
    #expect(terminal.dispatched() == [.open(6)])
  }

  @Test func enterOpensThePageAndEscapeClosesIt() throws {
    var terminal = Terminal(try Self.withPage(1, like: [8, 9]))
    terminal.press(Key(.enter))
    #expect(terminal.dispatched() == [.open(1)])
    #expect(terminal.program.presence == ["pages": [1]])
    let lines = terminal.lines()
    #expect(lines[0].hasPrefix(" Movie 1 (1999)") && lines[0].hasSuffix("7.5"))
    #expect(lines[2] == " Comedy, Crime, 99 minutes, by Ann")
    #expect(lines[4].hasPrefix(" word word") && lines[5].hasPrefix(" word"))
    #expect(terminal.shows("With Ben as the thief") && terminal.shows("Movies like it"))
    #expect(terminal.shows("Movie 8") && terminal.shows("Movie 9"))
    terminal.press(Key(.escape))
    #expect(terminal.dispatched() == [.close(1)])
    #expect(terminal.shows("[Popular]"))
  }

  @Test func aPageThatSomebodyElseLooksAtStaysOpen() throws {
    var terminal = Terminal(try Self.withPage(1, like: []))
    terminal.shared.presence = [
      Presence(client: "me", serial: 1, sinceMs: 0, state: ["pages": [1]]),
      Presence(client: "other", serial: 2, sinceMs: 0, state: ["pages": [4, 1]]),
    ]
    terminal.press(Key(.enter))
    _ = terminal.dispatched()
    #expect(terminal.lines()[0].hasSuffix("with other 7.5"))
    terminal.press(Key(.escape))
    #expect(terminal.dispatched() == [])
    terminal.shared.presence.removeLast()
    terminal.press(Key(.enter), Key(.escape))
    #expect(terminal.dispatched() == [.open(1), .close(1)])
  }

  @Test func onePageLeadsToAnotherAndBack() throws {
    var terminal = Terminal(try Self.withPage(1, like: [8, 9]))
    try terminal.shared.state.details.append(MovieDetail.State(id: 9, similar: [1]))
    terminal.press(Key(.enter), Key(.down), Key(.enter), Key(.enter))
    #expect(terminal.dispatched() == [.open(1), .open(9), .open(1)])
    // The first page is there twice now, so it is closed with the one that is left last.
    terminal.press(Key(.escape), Key(.escape))
    #expect(terminal.dispatched() == [.close(9)])
    #expect(terminal.press("q") == .quit)
    #expect(terminal.dispatched() == [.close(1)])
  }

  @Test func theFavouriteIsTheSelectedMovieOrThatOfThePage() throws {
    var terminal = Terminal(try Self.sample())
    terminal.press(Key(.down), "f", Key(.enter), "f")
    #expect(terminal.dispatched() == [.toggleFavourite(2), .open(2), .toggleFavourite(2)])
    terminal.press(Key(.escape), Key(.tab), Key(.tab))
    #expect(terminal.lines()[2].hasPrefix(" ♥ Movie 3"))
    terminal.shared.state.favourites.removeAll()
    #expect(terminal.shows("Nobody likes a movie yet"))
  }

  @Test func aMovieThatNothingIsKnownOfHasARowAndAPage() throws {
    var state = try Self.sample()
    state.popular.ids = [700]
    var terminal = Terminal(state)
    #expect(terminal.lines()[2] == "   movie 700, of which nothing is known yet")
    terminal.press(Key(.enter))
    #expect(terminal.dispatched() == [.open(700)])
    #expect(terminal.lines()[0] == " movie 700, of which nothing is known yet")
    #expect(terminal.shows("The page was closed."))
    terminal.press("r")
    #expect(terminal.dispatched() == [.open(700)])
    try terminal.shared.state.details.append(MovieDetail.State(id: 700))
    terminal.shared.state.details[id: 700]?.factsStatus = .failed(.missing)
    #expect(terminal.lines()[0].hasSuffix("✗ the catalogue knows no such movie"))
  }

  @Test func aSpinnerTurnsOnlyWhileWhatIsSeenIsLoaded() throws {
    var terminal = Terminal(try Self.sample())
    #expect(terminal.program.redrawInterval(terminal.shared) == nil)
    terminal.shared.state.popular.status = .loading
    #expect(terminal.program.redrawInterval(terminal.shared) == .milliseconds(100))
    let first = terminal.lines()[0]
    terminal.shared.nowMs += 100
    #expect(first.hasSuffix("loading") && terminal.lines()[0] != first)
    terminal.press(Key(.tab))
    #expect(terminal.program.redrawInterval(terminal.shared) == nil)
  }

  @Test func aFailureIsShownAndTriedAgain() throws {
    var terminal = Terminal(try Self.sample())
    terminal.shared.state.popular.status = .failed(.unreachable)
    #expect(terminal.lines()[0].hasSuffix("✗ the catalogue does not answer"))
    // It would fail again with each key.
    terminal.press(Key(.end))
    #expect(terminal.dispatched() == [])
    terminal.press("r")
    #expect(terminal.dispatched() == [.popular(.loadMore)])
    terminal.shared.state.popular = PopularMovies.State(status: .failed(.slow))
    #expect(terminal.shows("r tries again"))
    terminal.press("r")
    #expect(terminal.dispatched() == [.popular(.reload)])
    terminal.shared.state.search = MovieSearch.State(query: "lan", status: .failed(.garbled))
    terminal.press("/", .control("r"))
    #expect(terminal.dispatched() == [.search(.query("")), .search(.query("lan"))])
  }

  @Test func aRefusalIsShownUntilAKeyIsPressed() throws {
    var terminal = Terminal(try Self.sample())
    let refusal = RemoteRefusal(code: "rejected", reason: "unknown_movie", message: "no such movie")
    #expect(terminal.program.take(settled: .rejected(refusal), of: [], terminal.shared) == .redraw)
    #expect(terminal.shows("✗ no such movie"))
    terminal.press(Key(.down))
    #expect(!terminal.shows("no such movie"))
  }

  @Test func thePopularListIsMadeAnewOnlyWhenItHasChanged() throws {
    var terminal = Terminal(try Self.sample())
    _ = terminal.draw()
    terminal.shared.state.search.query = "somebody else's"
    terminal.shared.state.search.status = .loading
    try terminal.shared.state.details.append(MovieDetail.State(id: 1))
    _ = terminal.draw()
    #expect(terminal.program.popular.bodyCount == 1)
    terminal.shared.state.favourites.removeAll()
    _ = terminal.draw()
    terminal.press(Key(.down))
    _ = terminal.draw()
    #expect(terminal.program.popular.bodyCount == 3)
  }
}
