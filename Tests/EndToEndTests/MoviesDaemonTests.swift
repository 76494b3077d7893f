import DuxJSON
import Testing

/// The example `movies` on a daemon.
struct MoviesDaemonTests {
  private func movies(_ options: String...) throws -> ExampleDaemon {
    try ExampleDaemon("movies", ["dux-catalogue"] + options, "DUX_CATALOGUE")
  }

  @Test func twoClientsLeafThroughTheSamePages() throws {
    let movies = try movies()
    try movies.dispatch("popular/ensureLoaded")
    try movies.wait(at: "/popular") { $0["page"] == 1 && $0["status"] == "idle" }
    try movies.dispatch("popular/loadMore")
    let popular = try movies.wait(at: "/popular") { $0["page"] == 2 }
    #expect(popular["ids"]?.arrayValue?.compactMap(\.integerValue) == Array(1...40))
    try movies.dispatch("toggleFavourite", 7)
    #expect(try movies.wait(at: "/favourites") { _ in true }["rows"]?["7"]?["id"] == 7)
    try movies.dispatch("open", 7)
    let page = try movies.wait(at: "/details/rows/7") { $0["similarStatus"] == "idle" }
    #expect(page["facts"]?["director"] == "Rufus Quillfeather")
  }

  @Test func whatWasOnItsWayWhenTheDaemonWasKilledComesAfterItsStart() throws {
    let movies = try movies()
    movies.pauseServer()
    try movies.dispatch("popular/loadMore")
    try movies.dispatch("search/query", "lantern")
    try movies.dispatch("open", 7)
    try movies.waitForRequest()
    try movies.daemon.kill()
    movies.resumeServer()
    try movies.daemon.start()
    let state = try movies.wait(at: "") { state in
      state["popular"]?["status"] == "idle" && state["search"]?["status"] == "idle"
        && state["details"]?["rows"]?["7"]?["similarStatus"] == "idle"
    }
    #expect(state["popular"]?["page"] == 1)
    #expect(state["search"]?["total"] == 12)
    #expect(state["details"]?["rows"]?["7"]?["facts"]?["minutes"] == 73)
  }

  @Test func aServerThatIsNotThereIsACodeInTheState() throws {
    let folder = try TemporaryFolder()
    let daemon = try DaemonProcess(
      ["--app", "movies"], in: folder, prefix: ["env", "DUX_CATALOGUE=http://127.0.0.1:1"])
    let client = try Client(daemon, named: nil)
    try client.accepted(["type": "popular/loadMore"])
    while try client.get("/popular/status").value == "loading" {}
    #expect(try client.get("/popular/status").value == "unreachable")
  }
}
