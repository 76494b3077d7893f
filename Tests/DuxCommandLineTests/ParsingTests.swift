import DuxCommandLine
import Testing

struct ParsingTests {
  @Test(arguments: [
    ["--server", "a:1"], ["--server=a:1"], ["-s", "a:1"], ["-sa:1"], ["-s=a:1"],
  ])
  func everySpellingOfAnOptionMeansTheSame(_ words: [String]) throws {
    for line in [words + ["get", "/x"], ["get"] + words + ["/x"], ["get", "/x"] + words] {
      let invocation = try Sample.program.parse(line)
      #expect(invocation.request == .run)
      #expect(invocation.path == "dux get")
      #expect(invocation.given == ["server": ["a:1"]])
      #expect(invocation.arguments("PATH") == ["/x"])
    }
  }

  @Test(arguments: [
    (["-v"], ["verbose": ["true"]]),
    (["--verbose"], ["verbose": ["true"]]),
    (["--verbose=no"], ["verbose": ["false"]]),
    (["-v=off"], ["verbose": ["false"]]),
    (["-vq"], ["verbose": ["true"], "quiet": ["true"]]),
    (["-qvsx:1"], ["verbose": ["true"], "quiet": ["true"], "server": ["x:1"]]),
    (["-vs", "x:1"], ["verbose": ["true"], "server": ["x:1"]]),
    (["-v", "-v", "--verbose"], ["verbose": ["true"]]),
    (["--server="], ["server": [""]]),
    (["--server=a=b"], ["server": ["a=b"]]),
    (["--server", "-"], ["server": ["-"]]),
    (["--server", "-5"], ["server": ["-5"]]),
    (["--server=--verbose"], ["server": ["--verbose"]]),
    (["--server", "a b"], ["server": ["a b"]]),
    (["--server", "a", "--server", "a"], ["server": ["a"]]),
  ])
  func optionsAreReadInAllTheirForms(_ words: [String], _ given: [String: [String]]) throws {
    let invocation = try Sample.program.parse(["watch", "/"] + words)
    #expect(invocation.given == given)
    #expect(invocation.arguments("PATH") == ["/"])
    #expect(invocation.arguments("FILTER").isEmpty)
  }

  @Test
  func aRepeatableOptionKeepsEveryValueInOrder() throws {
    let words = ["--listen", "a:1", "--listen=unix:/b", "--listen", "a:1"]
    #expect(try Sample.daemon.parse(words).given == ["listen": ["a:1", "unix:/b", "a:1"]])
  }

  @Test(arguments: [
    ["-5"], ["-.5"], ["-1e3"], ["-0"], ["-9223372036854775808"], ["--", "-x"], ["--", "--help"],
    ["-"], [""], ["5"], ["é"],
  ])
  func negativeNumbersADashAndWhatFollowsTwoDashesAreWords(_ words: [String]) throws {
    let invocation = try Sample.program.parse(["increment", "/a"] + words)
    #expect(invocation.argument("BY") == words.last)
    #expect(invocation.request == .run)
  }

  @Test
  func argumentsAreAssignedByPlace() throws {
    #expect(try Sample.program.parse(["increment", "/a"]).words == ["PATH": ["/a"]])
    #expect(
      try Sample.program.parse(["watch", "/a", "b", "c"]).words
        == ["PATH": ["/a"], "FILTER": ["b", "c"]])
    #expect(try Sample.program.parse(["get", "/a", "/b"]).arguments("PATH") == ["/a", "/b"])
    #expect(try Sample.program.parse(["increment", "/a"]).argument("BY") == nil)
  }

  @Test(arguments: [
    (["--help"], "dux"), (["-h"], "dux"), (["help"], "dux"), (["watch", "--help"], "dux watch"),
    (["watch", "-h"], "dux watch"), (["help", "watch"], "dux watch"), (["-vh"], "dux"),
    (["watch", "/x", "--help", "--nonsense"], "dux watch"), (["--help", "nonsense"], "dux"),
  ])
  func helpIsGivenWhereverItIsAskedFor(_ words: [String], _ path: String) throws {
    let invocation = try Sample.program.parse(words)
    #expect(invocation.request == .help)
    #expect(invocation.path == path)
  }

  @Test
  func theVersionIsAskedOfTheProgram() throws {
    #expect(try Sample.program.parse(["--version"]).request == .version)
    #expect(throws: UsageError.self) { try Sample.program.parse(["watch", "/", "--version"]) }
  }

  @Test(arguments: [
    (
      ["watch", "/", "--servre", "x"], "dux watch",
      "unknown option \"--servre\", did you mean --server?"
    ),
    (
      ["watch", "/", "--SERVER=x"], "dux watch",
      "unknown option \"--SERVER\", did you mean --server?"
    ),
    (["-server", "x"], "dux", "unknown command \"x\", the commands are watch, increment, get"),
    (["-zerver"], "dux", "unknown option \"-z\", did you mean --server?"),
    (["--ver"], "dux", "unknown option \"--ver\""),
    (["--serv"], "dux", "unknown option \"--serv\", did you mean --server?"),
    (["--frobnicate"], "dux", "unknown option \"--frobnicate\""),
    (["-x"], "dux", "unknown option \"-x\""),
    (["get", "-vx"], "dux get", "unknown option \"-x\""),
    (["---"], "dux", "unknown option \"---\""),
    (["--=x"], "dux", "unknown option \"--\""),
    (["gte"], "dux", "unknown command \"gte\", did you mean get?"),
    (["wach"], "dux", "unknown command \"wach\", did you mean watch?"),
    (["frob"], "dux", "unknown command \"frob\", the commands are watch, increment, get"),
    (["help", "wach"], "dux", "unknown command \"wach\", did you mean watch?"),
    (
      ["--", "--help"], "dux", "unknown command \"--help\", the commands are watch, increment, get"
    ),
    ([], "dux", "a command is missing, one of watch, increment, get"),
    (["-v"], "dux", "a command is missing, one of watch, increment, get"),
    (["--server"], "dux", "--server needs a value: --server ENDPOINT"),
    (["-s"], "dux", "--server needs a value: --server ENDPOINT"),
    (
      ["--server", "--verbose"], "dux",
      "--server needs a value, and \"--verbose\" looks like an option "
        + "(if it is the value, write --server=--verbose)"
    ),
    (["--verbose=maybe"], "dux", "--verbose takes no value but true or false, not \"maybe\""),
    (["--verbose="], "dux", "--verbose takes no value but true or false, not \"\""),
    (
      ["--server", "a", "-s", "b"], "dux", "--server is given twice, as \"a\" and as \"b\""
    ),
    (["watch"], "dux watch", "PATH is missing"),
    (["get"], "dux get", "PATH is missing"),
    (["increment", "/a", "1", "2"], "dux increment", "unexpected argument \"2\""),
    (["increment", "/a", "1", "\u{1b}[2J"], "dux increment", #"unexpected argument "\u{1B}[2J""#),
  ])
  func whatCannotBeUnderstoodIsNamedWithTheWayOut(
    _ words: [String], _ path: String, _ message: String
  ) throws {
    let error = #expect(throws: UsageError.self) { try Sample.program.parse(words) }
    #expect(error?.path == path)
    #expect(error?.description == "\(message); see '\(path) --help'")
  }

  @Test
  func aProgramWithoutArgumentsRefusesWords() {
    let error = #expect(throws: UsageError.self) { try Sample.daemon.parse(["serve"]) }
    #expect(error?.problem == .unexpectedArgument("serve"))
  }

  @Test
  func linesOfEveryShapeAreReadOrRefusedAndNeverTrap() {
    let pieces = [
      "", "-", "--", "=", "-s", "--server", "--verbose=", "help", "watch", "-5", "é", "-é",
    ]
    for first in pieces {
      for second in pieces {
        for third in pieces {
          _ = try? Sample.program.parse([first, second, third])
          _ = try? Sample.program.parse([first + second + third])
          _ = try? Sample.program.parse(["watch", first + second, third])
        }
      }
    }
  }

  @Test
  func aCommandThatStandsAloneIsCalledWithAndWithoutASubcommand() throws {
    let stop = Command(
      name: "stop", summary: "Stop some",
      arguments: [Argument("KEY", .atLeastOne, summary: "Which")])
    let jobs = Command(
      name: "jobs", summary: "List what runs", subcommands: [stop], standsAlone: true)
    let program = Command(name: "dux", summary: "Talk to a duxd", subcommands: [jobs])
    #expect(try program.parse(["jobs"]).path == "dux jobs")
    let stopping = try program.parse(["jobs", "stop", "a", "b"])
    #expect(stopping.path == "dux jobs stop")
    #expect(stopping.arguments("KEY") == ["a", "b"])
    #expect(throws: UsageError.self) { try program.parse(["jobs", "a"]) }
    #expect(throws: UsageError.self) { try program.parse(["jobs", "stop"]) }
    #expect(throws: UsageError.self) { try program.parse([]) }
    let help = try program.parse(["help", "jobs"]).helpText(width: 80, style: .plain)
    #expect(help.hasPrefix("Usage: dux jobs [OPTIONS] [COMMAND]\n"))
  }
}
