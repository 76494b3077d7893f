import CatalogueServer
import DuxCommandLine
import ExampleHTTP

/// The catalogue's program.
@main
struct Program {
  private static let port = ServerProgram.port(8391)
  private static let latency = Option(
    "latency", .value("DURATION"), summary: "How long each answer takes", defaultValue: "0")
  private static let failRate = Option(
    "fail-rate", .value("PERCENT"), summary: "How many of a hundred requests fail, with status 503",
    defaultValue: "0")
  private static let seed = Option(
    "seed", .value("N"), summary: "Decides which requests fail", defaultValue: "1")

  private static let command = Command(
    name: "dux-catalogue",
    summary: "Serve made-up movies, places and their weather over HTTP",
    discussion: """
      GET /movies?page=N, GET /movies?query=TEXT, GET /movies/ID, GET /movies/ID/similar, \
      GET /cities?query=TEXT, GET /weather?city=ID; answers are JSON, refusals {"error": …}. The \
      data are the same on every start.

      \(ServerProgram.exitStatuses)
      """,
    options: [ServerProgram.host, port, latency, failRate, seed],
    examples: [
      Example("dux-catalogue", summary: "Serve on this machine"),
      Example("dux-catalogue --latency 800ms --fail-rate 20", summary: "Serve like a bad network"),
      Example("curl 'localhost:8391/movies?query=lighthouse'", summary: "Search"),
    ])

  static func main() async {
    await ServerProgram.run(command) { settings in
      try CatalogueServer.start(
        host: settings.value(of: ServerProgram.host, as: .text),
        port: UInt16(settings.value(of: port, as: .count(in: 0...65_535))),
        temper: CatalogueServer.Temper(
          latency: settings.value(of: latency, as: .duration(in: .zero ... .seconds(3_600))),
          failurePercent: settings.value(of: failRate, as: .count(in: 0...100)),
          seed: UInt64(settings.value(of: seed, as: .count(in: 0...Int.max)))))
    }
  }
}
