import DuxJSON
import Glibc
import Testing

/// `dux bench`, short runs of it against real daemons.
struct CommandLineBenchTests {
  private static let short = [
    "--duration": "300ms", "--warm": "100ms", "--items": "50", "--timeout": "60s",
  ]

  private func bench(_ dux: CommandLine, _ words: String...) throws -> CommandLine.Result {
    let usual = Self.short.filter { !words.contains($0.key) }.flatMap { [$0.key, $0.value] }
    let result = try run(
      [programs + "/dux", "--connect", dux.place, "bench"] + usual + words)
    return .init(end: result.end, output: result.output, errors: result.errors)
  }

  @Test func `a closed loop measures, finds nothing wrong and leaves nothing behind`() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    _ = try dux("set", "/mine", "1")
    let result = try bench(dux, "--writers", "2", "--depth", "4", "--subscribers", "3", "--json")
    #expect(result.end == .code(0), "\(result.errors)")
    #expect(result.errors.isEmpty)
    let json = result.lines.first ?? .null
    #expect(result.lines.count == 1)
    #expect(json["failures"] == [])
    #expect(json["ending"] == "complete")
    #expect(json["loop"] == "closed")
    #expect(json["seconds"]?.number == 0.3)
    #expect(json["sent"] == json["acked"])
    #expect(json["acked"]?.integerValue ?? 0 > 8)
    #expect(json["ackedPerSecond"]?.number ?? 0 > 0)
    #expect(json["bytesPerDelivery"]?.number ?? 0 > 100)
    #expect(json["ackMs"]?["p50"]?.number ?? 0 > 0)
    #expect(json["lastMs"]?["count"]?.integerValue == json["ackMs"]?["count"]?.integerValue)
    #expect(json["daemon"]?["busy"]?.number != nil)
    #expect(try dux("get").output == "{\"mine\":1}\n")
  }

  @Test func `an open loop keeps its rate, and what it wrote stays where it is asked for`() throws {
    let dux = CommandLine(try DaemonProcess())
    _ = try dux("set", "/a/b", "{}")
    let result = try bench(
      dux, "--rate", "200", "--writers", "2", "--subscribers", "1", "--path", "/a/b", "--keep",
      "--json")
    #expect(result.end == .code(0), "\(result.errors)")
    let json = result.lines.first ?? .null
    #expect(json["rate"] == 200)
    #expect(json["heldBack"] == 0)
    #expect(json["sent"] == 80)
    let path = json["path"]?.stringValue ?? "?"
    #expect(path.hasPrefix("/a/b/"))
    #expect(result.errors.contains("\(path) holds what the run wrote"))
    #expect(try dux("get", path).output.hasPrefix("{\""))
    let value = try JSON(parsing: try dux("get", path).output)
    #expect(value.objectValue?.first { _ in true }?.value["v"]?.stringValue?.utf8.count == 100)
  }

  @Test func `people get a table, a chart and a verdict`() throws {
    let dux = CommandLine(try DaemonProcess())
    let result = try bench(dux, "--subscribers", "0", "--writers", "1", "--depth", "1")
    #expect(result.end == .code(0), "\(result.errors)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("dux bench of duxd/") == true)
    #expect(lines.contains { $0.contains("p99.9") })
    #expect(lines.contains { $0.contains(" ms  ") && $0.hasSuffix(" %") })
    #expect(lines.last?.hasPrefix("checks      ") == true)
    #expect(!result.output.contains("\u{1b}"))
  }

  @Test func `Ctrl-C ends it with what was measured`() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let client = try Client(daemon, named: "test")
    let bench = try dux.start(
      "bench", "--json", "--duration", "1h", "--warm", "0s", "--subscribers", "1",
      errorsPath: daemon.folder("bench"))
    try client.until(subscriptions: 1)
    try wait("the first changes") { try client.ask(["op": "ping"])["seq"]?.integerValue ?? 0 > 99 }
    bench.send(SIGINT)
    let json = try JSON(parsing: try bench.remainingOutput())
    #expect(try bench.waitForEnd() == .code(130))
    #expect(json["ending"] == "interrupted")
    #expect(json["acked"]?.integerValue ?? 0 > 50)
    #expect(json["failures"] == [])
    #expect(try dux("get").output == "{}\n")
  }

  @Test func `a daemon that is killed ends it with 69 and what was measured`() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let client = try Client(daemon, named: "test")
    let bench = try dux.start(
      "bench", "--json", "--duration", "1h", "--warm", "0s", errorsPath: daemon.folder("bench"))
    try client.until(subscriptions: 10)
    try wait("the first changes") { try client.ask(["op": "ping"])["seq"]?.integerValue ?? 0 > 99 }
    try daemon.kill()
    let json = try JSON(parsing: try bench.remainingOutput())
    #expect(try bench.waitForEnd() == .code(69))
    #expect(json["ending"] == "broken")
    #expect(json["acked"]?.integerValue ?? 0 > 50)
    #expect(bench.errors.contains("dux: the daemon at \(dux.place) was lost: "), "\(bench.errors)")
    #expect(bench.errors.contains("may still hold what the run wrote"))
  }

  @Test func `another app than document is refused, and so is a path without room`() throws {
    let other = CommandLine(try DaemonProcess(["--app", "counter"]))
    let refused = try bench(other)
    #expect(refused.end == .code(1))
    #expect(refused.errors.contains("serves the app \"counter\", and bench needs \"document\""))
    let dux = CommandLine(try DaemonProcess())
    _ = try dux("set", "/bench", "[1]")
    let full = try bench(dux)
    #expect(full.end == .code(64))
    #expect(full.errors.contains("what is at /bench is no object"))
    let long = try bench(dux, "--path", "/x", "--size", "512K", "--items", "1000")
    #expect(long.end == .code(64))
    #expect(long.errors.contains("the daemon's state may have"), "\(long.errors)")
    #expect(try dux("get").output == "{\"bench\":[1]}\n")
  }

  @Test func `a load that makes no sense is refused before anything is asked`() throws {
    let dux = CommandLine(place: "127.0.0.1:1")
    for (words, reason) in [
      (["--writers", "0"], "--writers: \"0\" is too small"), (["--rate", "x"], "--rate"),
      (["--depth", "2", "--rate", "5"], "--depth and --rate"), (["--size", "1"], "--size"),
      (["--duration", "2h"], "--duration"), (["--subscribers", "900000"], "descriptors"),
      (["--writers", "1000", "--depth", "10000"], "--writers 1000 times --depth 10000"),
      (["--path", "bench"], "did you mean /bench?"), (["--items", "0"], "--items"),
    ] {
      let result = try run([programs + "/dux", "--connect", dux.place, "bench"] + words)
      #expect(result.end == .code(64), "\(words): \(result.errors)")
      #expect(result.errors.contains(reason), "\(words): \(result.errors)")
    }
    #expect(try dux("bench").end == .code(69))
  }

  @Test func `a server that loses and repeats changes ends it with 3`() throws {
    let server = try UnfaithfulServer()
    let result = try bench(
      CommandLine(place: server.place), "--writers", "1", "--depth", "1", "--subscribers", "1",
      "--timeout", "2s", "--json")
    #expect(result.end == .code(3), "\(result.errors)")
    #expect(result.errors.contains("dux: bench: "))
    #expect(result.errors.contains("lost"), "\(result.errors)")
    #expect(result.errors.contains("twice"), "\(result.errors)")
  }
}

extension JSON {
  /// A number, whether or not it is whole.
  fileprivate var number: Double? {
    if case .double(let number) = self { number } else { integerValue.map { Double($0) } }
  }
}
