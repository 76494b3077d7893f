import DuxJSON
import Testing

/// The example clients of `Protocol/examples`, against the real daemon.
struct ExampleTests {
  private let daemon: DaemonProcess
  private let examples = packageRoot + "/Protocol/examples"
  private var address: String { "\(daemon.host):\(daemon.port)" }

  init() throws {
    daemon = try DaemonProcess()
  }

  private func python(_ words: String...) throws -> ChildProcess {
    try ChildProcess(
      ["python3", examples + "/python/dux.py", address] + words,
      errorsPath: daemon.folder("python-\(words.joined(separator: "-").hashValue)"))
  }

  private func shell(_ script: String, _ words: String...) throws -> ChildProcess {
    try ChildProcess(
      ["sh", "\(examples)/shell/\(script).sh", daemon.host, "\(daemon.port)"] + words,
      errorsPath: daemon.folder("shell-\(script)"))
  }

  /// Reads lines up to one that fits.
  private func line(of child: ChildProcess, where fits: (String) -> Bool) throws -> String {
    while let line = try child.nextLine() {
      if fits(line) { return line }
    }
    throw Unexpected("it ended: \(child.errors)")
  }

  @Test func whatPythonSetsTheShellSeesAndTheOtherWayRound() throws {
    let watchers = try (python("watch", "/deploy"), shell("watch", "/deploy"))
    #expect(try watchers.0.nextLine() == "0 missing")
    #expect(try watchers.1.nextLine()?.contains(#""op":"snapshot""#) == true)

    let setter = try python("set", "/deploy", #"{"web":"v41"}"#)
    #expect(try setter.remainingOutput() == "1\n")
    #expect(try watchers.0.nextLine() == #"1 {"web": "v41"}"#)
    #expect(try watchers.1.nextLine()?.contains(#"{"web":"v41"}"#) == true)

    let answer = try shell("set", "/deploy/web", #""v42""#).remainingOutput()
    #expect(answer.contains(#""op":"ack""#))
    #expect(try watchers.0.nextLine() == #"2 {"web": "v42"}"#)
    #expect(try watchers.1.nextLine()?.contains(#""v42""#) == true)
    #expect(try python("get", "/deploy").remainingOutput() == #"{"web": "v42"}"# + "\n")
  }

  @Test func thePythonClientComesBackAfterAKillAndMissesNothing() throws {
    let writer = try Client(daemon, named: "writer")
    try writer.accepted(.set("/count", 0))
    let watcher = try python("watch", "/count")
    #expect(try watcher.nextLine() == "1 0")
    for round: Int64 in 1...3 {
      try daemon.killAndStart()
      let again = try Client(daemon, named: "writer")
      let seq = try again.accepted(.increment("/count"))
      #expect(try watcher.nextLine() == "\(seq) \(round)")
    }
    #expect(watcher.errors.contains("connected to"))
  }

  @Test func theShellWatcherComesBackAfterAKill() throws {
    let watcher = try shell("watch", "/a")
    _ = try watcher.nextLine()
    try daemon.killAndStart()
    try Client(daemon, named: nil).accepted(.set("/a", "back"))
    _ = try line(of: watcher) { $0.contains(#""back""#) }
  }

  @Test func refusalsEndTheToolsWithAnError() throws {
    let python = try python("set", "/~", "1")
    try #expect(python.waitForEnd() == .code(1))
    #expect(python.errors.contains("bad_action"))
    let shell = try shell("set", "/a~2", "1")
    try #expect(shell.waitForEnd() == .code(1))
    #expect(shell.errors.contains("bad_action"))
  }
}
