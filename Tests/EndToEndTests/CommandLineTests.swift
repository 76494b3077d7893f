import DuxJSON
import Testing

struct CommandLineTests {
  @Test func everyWriteChangesTheStateAndTellsItsSeq() throws {
    let dux = CommandLine(try DaemonProcess())
    let steps: [([String], String)] = [
      (["set", "/a", "1"], #"{"a":1}"#),
      (["set", "/b/c", "a word"], #"{"a":1,"b":{"c":"a word"}}"#),
      (["increment", "/a"], #"{"a":2,"b":{"c":"a word"}}"#),
      (["increment", "/a", "-5"], #"{"a":-3,"b":{"c":"a word"}}"#),
      (["merge", "/b", #"{"c":null,"d":[]}"#], #"{"a":-3,"b":{"d":[]}}"#),
      (["append", "/b/d", "y"], #"{"a":-3,"b":{"d":["y"]}}"#),
      (["insert", "/b/d", "0", "x"], #"{"a":-3,"b":{"d":["x","y"]}}"#),
      (
        ["patch", #"[{"op":"move","from":"/b","path":"/e"}]"#],
        #"{"a":-3,"e":{"d":["x","y"]}}"#
      ),
      (["remove", "/e"], #"{"a":-3}"#),
      (["dispatch", "doc/set", #"{"path":"/z","value":true}"#], #"{"a":-3,"z":true}"#),
    ]
    for (index, (words, state)) in steps.enumerated() {
      let result = try run([programs + "/dux", "--connect", dux.place] + words)
      #expect(result.end == .code(0), "\(words): \(result.errors)")
      #expect(result.output == "seq \(index + 1)\n", "\(words)")
      #expect(try dux("get").output == state + "\n", "\(words)")
    }
    #expect(try dux("set", "/a", "-3").output == "seq 11 (nothing changed)\n")
    let piped = try dux.shell(#"echo '[{"op":"remove","path":"/z"}]' | dux patch -"#)
    #expect(piped.output == "seq 12\n")
  }

  @Test func aValueIsPrintedInOneLineAndAMissingOneOnlyAsAnError() throws {
    let dux = CommandLine(try DaemonProcess())
    _ = try dux("set", "/b", #"{"y":[1.50,"ä"],"x":null}"#)
    #expect(try dux("get", "/b").output == "{\"x\":null,\"y\":[1.5,\"ä\"]}\n")
    #expect(try dux("get", "/b", "--json").output == "{\"x\":null,\"y\":[1.5,\"ä\"]}\n")
    #expect(try dux("get", "/b/x").output == "null\n")
    #expect(try dux("get", "--at", "0").output == "{}\n")
    for words in [["get", "/nope"], ["get", "/b", "--at", "0"], ["get", "--at", "99"]] {
      let result = try run([programs + "/dux", "--connect", dux.place] + words)
      #expect(result.end == .code(2), "\(words)")
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("dux: "))
    }
  }

  @Test func whatTheDaemonRefusesEndsWithOne() throws {
    let dux = CommandLine(try DaemonProcess())
    for (words, reason) in [
      (["remove", "/nope"], "rejected (missing): "),
      (["set", "/a/b", "1", "--if", "/x=1"], "precond"),
      (["dispatch", "nope"], "unknown_action: "), (["dispatch", "doc/set"], "bad_action: "),
    ] {
      let result = try run([programs + "/dux", "--connect", dux.place] + words)
      #expect(result.end == .code(1), "\(words)")
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("dux: " + reason), "\(result.errors)")
    }
    let long = try dux.shell(
      #"head -c 1100000 /dev/zero | tr '\0' x | sed 's/.*/[{"op":"add","path":"\/a","value":"&"}]/' | dux patch -"#
    )
    #expect(long.end == .code(1))
    #expect(long.errors.hasPrefix("dux: line_too_long: "), "\(long.errors.prefix(200))")
    #expect(try dux("get").output == "{}\n")
  }

  @Test func conditionsDecideWhetherAWriteHappens() throws {
    let dux = CommandLine(try DaemonProcess())
    #expect(try dux("set", "/leader", "a", "--if-missing", "/leader").end == .code(0))
    #expect(try dux("set", "/leader", "b", "--if-missing", "/leader").end == .code(1))
    #expect(try dux("set", "/leader", "b", "--if", "/leader=x").end == .code(1))
    #expect(try dux("get").output == "{\"leader\":\"a\"}\n")
    let both = try dux("set", "/leader", "b", "--if", "/leader=a", "--if-missing", "/x", "--json")
    #expect(both.lines == [["op": "ack", "n": 1, "seq": 2, "changed": true]])
  }

  @Test func aWrongCommandLineEndsWith64AndSaysWhatIsRight() throws {
    let dux = CommandLine(place: "127.0.0.1:1")
    for (words, way) in [
      (["gte"], "did you mean get?"), (["set", "/a"], "VALUE is missing"),
      (["get", "todos"], "did you mean /todos?"), (["set", "/a", "{\"b\":"], "at byte 5"),
      (["increment", "/a", "many"], "no number"), (["insert", "/a", "-1", "x"], "INDEX"),
      (["get", "--at", "-1"], "--at"), (["get", "--timeout", "10"], "unit"),
      (["get", "--connect", "nowhere"], "port is missing"), (["get", "--color", "blue"], "auto"),
      (["set", "/a", "1", "--if", "/b="], "--if-missing /b"),
      (["log", "--from", "25:00"], "14:02"),
      (["log", "--after", "1", "--from", "0"], "--after"), (["watch", "--since", "1"], "--epoch"),
      ([], "a command is missing"), (["get", "--client", ""], "--client"),
    ] {
      let connect = words.contains("--connect") ? [] : ["--connect", dux.place]
      let result = try run([programs + "/dux"] + words + connect)
      #expect(result.end == .code(64), "\(words): \(result.errors)")
      #expect(result.output.isEmpty)
      #expect(result.errors.contains(way), "\(words): \(result.errors)")
    }
  }

  @Test func withoutADaemonEveryCommandEndsAtOnceWith69() throws {
    let folder = try TemporaryFolder()
    // A port that was free a moment ago, on an address of this test's own.
    let daemon = try DaemonProcess()
    let place = CommandLine(daemon).place
    try daemon.kill()
    for place in [place, "unix:" + folder("none.sock")] {
      for words in [
        ["get"], ["set", "/a", "1"], ["watch"], ["log"], ["status"], ["ping"], ["dispatch"],
        ["dispatch", "doc/set"],
      ] {
        let result = try run([programs + "/dux", "--connect", place] + words)
        #expect(result.end == .code(69), "\(words)")
        #expect(
          result.errors.contains("dux: no daemon at \(place): start one with duxd"),
          "\(words): \(result.errors)")
      }
    }
  }

  @Test func aUnixSocketServesAsWell() throws {
    let folder = try TemporaryFolder()
    let path = folder("dux.sock")
    let daemon = try DaemonProcess(["--socket", path])
    let dux = CommandLine(place: "unix:" + path)
    #expect(try dux("set", "/a", "1").end == .code(0))
    #expect(try CommandLine(daemon)("get", "/a").output == "1\n")
  }

  @Test func theLogTellsWhoDidWhat() throws {
    let dux = CommandLine(try DaemonProcess())
    for value in ["1", "2", "2"] { _ = try dux("set", "/a", value, "--client", "me") }
    let lines = try dux("log").output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("1  20") == true)
    #expect(lines.first?.hasSuffix("  me  doc/set  /a = 1") == true)
    #expect(lines.last?.hasSuffix("(nothing changed)") == true)
    #expect(try dux("log", "-n", "1", "--json").lines.map { $0["seq"] } == [3])
    let first = try dux("log", "--after", "0", "--limit", "1", "--json")
    #expect(first.lines.map { $0["op"] } == ["entry"])
    #expect(first.lines.first?["actions"] == [.set("/a", 1)])
    #expect(first.errors.contains("--after 1"))
    #expect(try dux("log", "--from", "1h", "--json").lines.map { $0["n"] } == [1, 2, 3])
    #expect(try dux("log", "--after", "9").output.isEmpty)
  }

  @Test func statusPingAndVersionAnswer() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    _ = try dux("set", "/a", "1")
    let status = try dux("status", "--json").lines
    #expect(status.map { $0["op"] } == ["status"])
    #expect(status.first?["pid"] == .integer(Int64(daemon.pid)))
    #expect(try dux("status").output.contains("\nseq            1\n"))
    let pings = try dux("ping", "--count", "2", "--json").lines
    #expect(pings.map { $0["seq"] } == [1, 1])
    #expect(try dux("ping").output.hasPrefix("seq 1 from \(dux.place) in "))
    #expect(
      try CommandLine(place: "127.0.0.1:1")("version", "--json").lines.first?["protocol"] == 1)
  }

  @Test func helpIsThereForEveryCommand() throws {
    let dux = CommandLine(place: "127.0.0.1:1")
    let help = try dux("--help")
    #expect(help.end == .code(0))
    #expect(help.output.contains("75 refused for"))
    for name in [
      "get", "set", "remove", "merge", "patch", "increment", "append", "insert", "dispatch",
      "watch", "log", "status", "ping", "bench", "version",
    ] {
      #expect(help.output.contains("\n  \(name) "))
      let result = try dux(name, "--help")
      #expect(result.end == .code(0))
      #expect(result.output.contains("Examples:\n  dux \(name)"), "\(name)")
      #expect(try dux("help", name).output == result.output)
    }
  }

  @Test func aDaemonThatKeepsSilentIsGivenUpAfterTheTimeout() throws {
    let fake = try FakeDaemon { $0["op"] == "hello" ? [FakeDaemon.welcome($0)] : nil }
    let result = try CommandLine(place: fake.place)("get", "--timeout", "300ms")
    #expect(result.end == .code(69))
    #expect(result.errors.contains("did not answer within 300ms"), "\(result.errors)")
  }

  @Test func aRefusalForTheMomentIsRetriedThenEndsWith75() throws {
    let fake = try FakeDaemon { request in
      guard request["op"] == "dispatch", let n = request["n"] else {
        return [FakeDaemon.welcome(request)]
      }
      return [
        ["op": "reject", "n": n, "code": "storage_full", "message": "no space", "final": false]
      ]
    }
    let dux = CommandLine(place: fake.place)
    let result = try dux("set", "/a", "1", "--timeout", "1500ms")
    #expect(result.end == .code(75))
    #expect(result.output.isEmpty)
    #expect(result.errors.hasSuffix("dux: storage_full: no space\n"))
    #expect(result.errors.split(separator: "\n").count >= 3, "\(result.errors)")
  }

  @Test func aDaemonOfAnotherProtocolIsAFault() throws {
    let fake = try FakeDaemon { _ in
      [["op": "error", "code": "unsupported_protocol", "message": "2 is", "supported": [2]]]
    }
    let result = try CommandLine(place: fake.place)("get")
    #expect(result.end == .code(70))
    #expect(
      result.errors
        == "dux: unsupported_protocol: the daemon speaks protocol 2, this client 1\n")
  }
}
