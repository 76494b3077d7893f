import DuxJSON
import Testing

/// Two terminals with dux-movies, on one daemon with a catalogue of its own.
@Suite(.serialized, .enabled(if: TerminalSession.isAvailable, "needs tmux"))
struct MoviesTerminalTests {
  private func start() throws -> ExampleDaemon {
    try ExampleDaemon("movies", ["dux-catalogue"], "DUX_CATALOGUE")
  }

  private func terminal(
    on movies: ExampleDaemon, as name: String = "ann"
  ) throws -> TerminalSession {
    let address = "\(movies.daemon.host):\(movies.daemon.port)"
    let terminal = try TerminalSession(
      [programs + "/dux-movies", "--connect", address, "--client", name])
    try terminal.wait { $0.contains("● live") && $0.contains("page 1 of 10") }
    return terminal
  }

  @Test func whatOneLoadsAndLikesTheOtherSees() throws {
    let movies = try start()
    let first = try terminal(on: movies)
    let second = try terminal(on: movies, as: "ben")
    try first.press("End")
    try second.wait(for: "page 2 of 10")
    try first.press("Home")
    try first.type("f")
    try second.wait { $0.lines[2].hasPrefix(" ♥ ") }
    try second.press("Tab", "Tab")
    try second.wait { $0.contains("[Favourites]") && $0.lines[2].hasPrefix(" ♥ ") }
    try second.type("f")
    try first.wait { $0.lines[2].hasPrefix("   ") }
    try second.wait(for: "Nobody likes a movie yet")
  }

  @Test func aSearchIsSharedAndWhatIsTypedIsNot() throws {
    let movies = try start()
    let first = try terminal(on: movies)
    let second = try terminal(on: movies, as: "ben")
    try first.type("/lantern")
    try first.wait(for: "12 with “lantern”")
    try second.type("/")
    let screen = try second.wait(for: "12 with “lantern”")
    #expect(screen.lines[2] == " Title: a part of it")
    try second.type("piano")
    try first.wait(for: "with “piano”")
    #expect(try first.screen().lines[2] == " Title: lantern")
  }

  @Test func aPageIsClosedWhenNobodyLooksAtItAnyMore() throws {
    let movies = try start()
    let first = try terminal(on: movies)
    let second = try terminal(on: movies, as: "ben")
    try first.press("Enter")
    try first.wait { $0.contains("Movies like it") && $0.contains("minutes") }
    #expect(try second.screen().contains("[Popular]"))
    try second.press("Enter")
    try second.wait(for: "minutes")
    try first.wait { $0.lines[0].contains("with ben") }
    try second.wait { $0.lines[0].contains("with ann") }
    try first.press("Escape")
    try first.wait(for: "[Popular]")
    try second.type("f")
    try first.wait { $0.lines[2].hasPrefix(" ♥ ") }
    #expect(try second.screen().contains("minutes"))
    try second.press("Escape")
    try movies.wait(at: "/details/rows") { $0.objectValue?.isEmpty == true }
  }

  @Test func aPageThatIsLongOnItsWayIsWaitedFor() throws {
    let movies = try start()
    let terminal = try terminal(on: movies)
    movies.pauseServer()
    try terminal.press("End")
    try terminal.wait { $0.lines[0].hasSuffix("loading") }
    movies.resumeServer()
    try terminal.wait(for: "page 2 of 10")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .code(0))
  }
}
