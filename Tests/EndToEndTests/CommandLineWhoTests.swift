import DuxJSON
import Glibc
import Testing

/// Presence by the real programs.
struct CommandLineWhoTests {
  /// The next lines of `dux who --watch`, without their times.
  private func next(_ count: Int, _ process: ChildProcess) throws -> [String] {
    try (0..<count).map { _ in
      guard let line = try process.nextLine() else {
        throw Unexpected("it ended: \(process.errors)")
      }
      return String(line.dropFirst("14:02:11  ".count))
    }
  }

  @Test func whoPrintsTheOthers() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let alone = try dux("who")
    #expect(alone.end == .code(0))
    #expect(alone.output.isEmpty)
    #expect(alone.errors.contains("nobody else is connected"))
    let tty = try Client(daemon, named: "tty1")
    let mute = try Client(daemon, named: "a\u{1F600}b")
    try tty.ask(["op": "presence", "state": ["program": "editor", "text": "\u{1B}[31m"]])
    let table = try dux("who").output.split(separator: "\n")
    #expect(table.count == 3)
    #expect(table[0].split(separator: " ") == ["NAME", "SINCE", "FOR", "STATE"])
    #expect(table[1].hasPrefix("a\u{1F600}b"))
    #expect(table[2].hasPrefix("tty1"))
    #expect(table[2].hasSuffix(#"{"program":"editor","text":"\u001b[31m"}"#))
    let lines = try dux("who", "--json").lines
    #expect(lines.map { $0["client"] } == ["a\u{1F600}b", "tty1"])
    #expect(lines.last?["state"]?["program"] == "editor")
    withExtendedLifetime((tty, mute)) {}
  }

  @Test func coloursComeOnATerminalOnly() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let tty = try Client(daemon, named: "tty1")
    #expect(try !dux("who").output.contains("\u{1B}"))
    let typed = "\(programs)/dux --connect \(dux.place) who"
    let terminal = try dux.shell("NO_COLOR= TERM=xterm script -qec '\(typed)' /dev/null")
    #expect(terminal.output.contains("\u{1B}[34mtty1"))
    withExtendedLifetime(tty) {}
  }

  @Test func aWatchTellsWhoComesSaysAndLeaves() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let who = try dux.start("who", "--watch", "--client", "me", errorsPath: daemon.folder("who"))
    #expect(try who.nextLine()?.hasPrefix("NAME") == true)
    let watch = try dux.start(
      "watch", "/deploy", "--client", "w", errorsPath: daemon.folder("watch"))
    #expect(try watch.nextLine() == "")
    // Coming and saying may be told at once.
    var lines = try next(1, who)
    if lines == ["+ w"] { lines = try next(1, who).map { "+" + $0.dropFirst() } }
    #expect(lines == [#"+ w  {"path":"/deploy","program":"dux watch"}"#])
    let seen = try dux("who", "--json", "--client", "other").lines.map { $0["client"] }
    #expect(seen == ["me", "w"])
    #expect(try next(1, who) == ["+ other"])
    #expect(try next(1, who)[0].hasPrefix("- other"))
    watch.send(SIGKILL)
    #expect(try next(1, who)[0].hasPrefix("- w  (was here for "))
    let first = try Client(daemon, named: "tty1")
    #expect(try next(1, who) == ["+ tty1"])
    let second = try Client(daemon, named: "tty1")
    #expect(try next(1, who) == ["~ tty1  (a new connection)"])
    try second.ask(["op": "presence", "state": [1]])
    #expect(try next(1, who) == ["~ tty1  [1]"])
    who.send(SIGINT)
    #expect(try who.waitForEnd() == .signal(SIGINT))
    #expect(who.errors.isEmpty)
    withExtendedLifetime(first) {}
  }

  @Test func aProgramThatStandsStillIsGoneUntilItGoesOn() throws {
    let daemon = try DaemonProcess(["--heartbeat", "1s"])
    let dux = CommandLine(daemon)
    let watch = try dux.start("watch", "--client", "w", errorsPath: daemon.folder("watch"))
    #expect(try watch.nextLine() == "{}")
    let who = try dux.start("who", "--watch", "--json", errorsPath: daemon.folder("who"))
    #expect(try who.nextLine() != nil)
    watch.send(SIGSTOP)
    #expect(try operation(of: "w", who)?["op"] == "remove")
    watch.send(SIGCONT)
    #expect(try operation(of: "w", who)?["op"] == "add")
    #expect(try dux("set", "/a", "1").end == .code(0))
    #expect(try watch.nextLine() == #"{"a":1}"#)
  }

  /// Reads on to the next operation about a client.
  private func operation(of client: String, _ who: ChildProcess) throws -> JSON? {
    while let line = try who.nextLine() {
      for operation in try JSON(parsing: line)["patch"]?.arrayValue ?? []
      where operation["path"] == .string("/" + client) {
        return operation
      }
    }
    return nil
  }

  @Test func theyFindEachOtherAgainAfterAKillOfTheDaemon() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let watch = try dux.start("watch", "--client", "w", errorsPath: daemon.folder("watch"))
    #expect(try watch.nextLine() == "{}")
    let who = try dux.start("who", "-w", "--json", errorsPath: daemon.folder("who"))
    let before = try JSON(parsing: who.nextLine() ?? "")
    try daemon.killAndStart()
    var copy: JSON = [:]
    var epoch: JSON?
    while copy["w"]?["state"]?["program"] != "dux watch" {
      let line = try JSON(parsing: who.nextLine() ?? "")
      if line["op"] == "snapshot" {
        copy = line["state"] ?? [:]
        epoch = line["epoch"]
        #expect(line["reason"] == "epoch")
      } else {
        try JSONPatch(line["patch"] ?? []).apply(to: &copy)
      }
    }
    #expect(epoch != nil && epoch != before["epoch"])
  }

  @Test func aFollowerThatDoesNotReadCostsNothingMuch() throws {
    let daemon = try DaemonProcess()
    let follower = try Client(daemon, named: "slow")
    try follower.send(["op": "subscribe", "path": "@presence"])
    let speaker = try Client(daemon, named: "loud")
    let text = String(repeating: "x", count: 4_000)
    let before = try daemon.residentMemory
    for round in 0..<100 {
      let lines = (0..<100).map { #"{"op":"presence","state":"\#(text)\#(round * 100 + $0)"}"# }
      try speaker.send(raw: lines.joined(separator: "\n") + "\n")
      for _ in lines { try speaker.next("presence") }
    }
    #expect(try daemon.residentMemory - before < 16 << 20)
    var copy: JSON = [:]
    while copy["loud"]?["state"]?.stringValue != "\(text)9999" {
      let line = try follower.next()
      if let state = line["state"] { copy = state }
      if let patch = line["patch"] { try JSONPatch(patch).apply(to: &copy) }
    }
  }
}
