import DuxJSON
import Glibc
import Testing

struct CommandLineWatchTests {
  @Test func aWatchOverKillsMissesNothingAndRepeatsNothing() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    _ = try dux("set", "/n", "0")
    let watch = try dux.start("watch", "--json", "--actions", errorsPath: daemon.folder("watch"))
    var lines = [try nextJSON(watch)]
    #expect(lines[0]["op"] == "snapshot")
    let total: Int64 = 90
    for round in 0..<3 {
      let writer = try Client(daemon, named: "writer\(round)")
      for n in 1...(total / 3) { try writer.accepted(.increment("/n"), n: n) }
      try daemon.killAndStart()
    }
    while lines.last?["seq"] != .integer(total + 1) || lines.last?["op"] != "patch" {
      lines.append(try nextJSON(watch))
    }
    let patches = lines.filter { $0["op"] == "patch" }
    #expect(patches.compactMap { $0["seq"]?.integerValue } == Array(2...total + 1))
    #expect(lines.filter { $0["op"] == "snapshot" }.count == 1)
    let log = try Client(daemon, named: nil).log()
    #expect(patches.map { $0["patch"] } == log.dropFirst().map { $0.patch.json })
    #expect(patches.map { $0["actions"] } == log.dropFirst().map { $0.actions })
    #expect(watch.errors.contains("connection lost: "))
    #expect(watch.errors.contains("nothing missed"))
  }

  @Test func elsewhereThanOnATerminalEachValueIsALine() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let watch = try dux.start("watch", "/a", errorsPath: daemon.folder("watch"))
    #expect(try watch.nextLine() == "")
    for value in ["{\"b\":1}", "{\"b\":1}", "2"] { _ = try dux("set", "/a", value) }
    _ = try dux("remove", "/a")
    for line in ["{\"b\":1}", "2", ""] { #expect(try watch.nextLine() == line) }
    watch.send(SIGINT)
    #expect(try watch.waitForEnd() == .signal(SIGINT))
    #expect(watch.errors.isEmpty)
  }

  @Test func aPipeThatClosesEndsAWatchAtOnceAndQuietly() throws {
    let dux = CommandLine(try DaemonProcess())
    _ = try dux("set", "/a", "1")
    let result = try dux.shell("dux watch /a | head -1; echo ${PIPESTATUS[0]}")
    #expect(result.output == "1\n141\n")
    #expect(result.errors.isEmpty)
    let log = try dux.shell("dux log --json | head -0; dux log | head -1 | cut -c1")
    #expect(log.output == "1\n")
    #expect(log.errors.isEmpty)
  }

  @Test func aTakeoverEndsAWatchWithOne() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let watch = try dux.start("watch", "--client", "tty1", errorsPath: daemon.folder("watch"))
    #expect(try watch.nextLine() == "{}")
    #expect(try dux("set", "/a", "1", "--client", "tty1").end == .code(0))
    _ = try watch.nextLine()
    #expect(try watch.waitForEnd() == .code(1))
    #expect(watch.errors.contains("another connection took over the client name \"tty1\""))
  }

  @Test func aWatchGoesOnBehindASeq() throws {
    let dux = CommandLine(try DaemonProcess())
    for value in 1...3 { _ = try dux("set", "/a", "\(value)") }
    let epoch = try #require(try dux("status", "--json").lines.first?["epoch"]?.stringValue)
    let known = try dux.shell("dux watch --json --since 1 --epoch \(epoch) | head -3")
    #expect(known.lines.map { $0["op"] } == ["resumed", "patch", "patch"])
    #expect(known.lines.map { $0["seq"] } == [3, 2, 3])
    let values = try dux.shell("dux watch /a --since 1 --epoch \(epoch) | head -2")
    #expect(values.output == "2\n3\n")
    let unknown = try dux.shell("dux watch --json --since 1 --epoch other | head -1")
    #expect(unknown.lines.map { $0["reason"] } == ["epoch"])
    #expect(unknown.errors.contains("a new snapshot (epoch"))
    let later = try dux.shell("dux watch --json --since 99 --epoch \(epoch) | head -1")
    #expect(later.lines.map { $0["reason"] } == ["ahead"])
  }

  @Test func aWatchMayWaitForADaemonThatIsNotThereYet() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    try daemon.kill()
    let watch = try dux.start("watch", "--wait", errorsPath: daemon.folder("watch"))
    try daemon.start()
    #expect(try watch.nextLine() == "{}")
  }

  @Test func aWatchOutlivesADaemonThatStopsInGoodOrder() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let watch = try dux.start("watch", errorsPath: daemon.folder("watch"))
    #expect(try watch.nextLine() == "{}")
    try #expect(daemon.stop() == .code(0))
    try daemon.start()
    _ = try dux("set", "/a", "1")
    #expect(try watch.nextLine() == "{\"a\":1}")
  }

  private func nextJSON(_ process: ChildProcess) throws -> JSON {
    guard let line = try process.nextLine() else {
      throw Unexpected("the watch ended: \(process.errors)")
    }
    return try JSON(parsing: line)
  }
}
