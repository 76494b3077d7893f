import DuxJSON
import Glibc
import Testing

/// `dux wait` and `dux exec`.
struct CommandLineWaitTests {
  private let daemon: DaemonProcess
  private let dux: CommandLine
  private let client: Client
  private let gate: Gate

  init() throws {
    daemon = try DaemonProcess()
    dux = CommandLine(daemon)
    client = try Client(daemon, named: "test")
    gate = try Gate(daemon.folder("gate"))
  }

  private func set(_ path: String, _ value: JSON) throws {
    try client.accepted(.set(path, value))
  }

  @Test func `a wait ends at once where what it waits for is so already`() throws {
    try set("/a", ["n": 3])
    let result = try dux("wait", "/a", "--until", "/n >= 3 and /failed missing")
    #expect(result.end == .code(0))
    #expect(result.output == "{\"n\":3}\n")
    #expect(result.errors.isEmpty)
    let json = try dux("wait", "/no", "--until", "missing", "--json")
    #expect(json.lines == [["path": "/no", "seq": 1, "missing": true]])
  }

  @Test func `no change is lost between looking and waiting`() throws {
    for n in 1...20 {
      let wait = try dux.start(
        "wait", "/n", "--until", "== \(n)", errorsPath: daemon.folder("wait"))
      try set("/n", .integer(Int64(n)))
      #expect(try wait.remainingOutput() == "\(n)\n")
    }
  }

  @Test func `a wait without an expression ends with the next change, over a kill of the daemon`()
    throws
  {
    try set("/a", 1)
    let wait = try dux.start("wait", "/a", errorsPath: daemon.folder("wait"))
    try client.until(subscriptions: 1)
    try set("/other", 1)
    try daemon.killAndStart()
    let after = try Client(daemon, named: "after")
    try after.until(subscriptions: 1)
    try after.accepted(.set("/a", 2))
    #expect(try wait.remainingOutput() == "2\n")
    #expect(try wait.waitForEnd() == .code(0))
    #expect(wait.errors.contains("connection lost"))
  }

  @Test func `a wait that takes too long ends with a status of its own, and says what is so`()
    throws
  {
    try set("/a", "other")
    let late = try dux("wait", "/a", "--until", "== v42", "--timeout", "1ms")
    #expect(late.end == .code(124))
    #expect(late.output.isEmpty)
    #expect(late.errors.contains("/a is"))
    let changed = try dux("wait", "/a", "--timeout", "2s")
    #expect(changed.end == .code(124))
    #expect(changed.errors == "dux: /a did not change within 2s\n")
    let wrong = try dux("wait", "/a", "--until", "= 3")
    #expect(wrong.end == .code(64))
    #expect(wrong.errors.contains("▸= 3 (equality is written ==)"))
  }

  @Test func `a command runs once for all that changes while it runs, and sees the last`() throws {
    try set("/n", 0)
    let exec = try dux.start(
      "exec", "/n", "--", "sh", "-c", "cat; read x < \(gate.path)",
      errorsPath: daemon.folder("exec"))
    #expect(try exec.nextLine() == "0")
    for n in 1...100 { try set("/n", .integer(Int64(n))) }
    var seen: [String] = []
    while seen.last != "100" {
      try gate.open()
      seen.append(try #require(try exec.nextLine()))
    }
    #expect(seen.count <= 5, "\(seen)")
    try set("/n", 101)
    try gate.open()
    #expect(try exec.nextLine() == "101")
    exec.send(SIGTERM)
    #expect(try exec.waitForEnd() == .signal(SIGTERM))
  }

  @Test func `a command gets the value, where it stands and the daemon`() throws {
    try set("/a b", ["x": "ä\"\n"])
    let script = """
      cat; printf '%s\\n' "$DUX_VALUE" "$DUX_PATH" "$DUX_SEQ" "${DUX_MISSING-no}" "$DUX_CONNECT"
      exit 9
      """
    let result = try dux("exec", "/a b", "--once", "--", "sh", "-c", script)
    #expect(result.end == .code(9))
    let value = #"{"x":"ä\"\n"}"#
    #expect(
      result.output.split(separator: "\n").map(String.init)
        == [value, value, "/a b", "1", "no", dux.place])
    let missing = try dux(
      "exec", "/no", "--once", "--", "sh", "-c", "wc -c; echo ${DUX_VALUE-none} $DUX_MISSING")
    #expect(missing.output == "0\nnone 1\n")
  }

  @Test func `a command has no descriptor of dux's own`() throws {
    try set("/a", 1)
    let list = "readlink /proc/$$/fd/* | grep -E \"socket|anon_inode\" | sort"
    let result = try dux.shell(
      "list='\(list)'; eval \"$list\"; echo --; dux exec /a --once -- sh -c \"$list\"")
    let halves = result.output.split(separator: "--\n", omittingEmptySubsequences: false)
    #expect(halves.count == 2)
    #expect(halves.first == halves.last)
  }

  @Test func `a value too large for a variable is on standard input all the same`() throws {
    try set("/a", .string(String(repeating: "x", count: 300_000)))
    let result = try dux(
      "exec", "/a", "--once", "--", "sh", "-c", "wc -c; echo ${DUX_VALUE-none}${DUX_MISSING-}")
    #expect(result.output == "300003\nnone\n")
  }

  @Test func `without the initial run it waits for a change, over a kill of the daemon`() throws {
    try set("/a", 1)
    let exec = try dux.start(
      "exec", "/a", "--no-initial", "--once", "--", "cat", errorsPath: daemon.folder("exec"))
    try client.until(subscriptions: 1)
    try daemon.kill()
    try daemon.start()
    let after = try Client(daemon, named: "after")
    try after.until(subscriptions: 1)
    try after.accepted(.set("/a", 2))
    #expect(try exec.remainingOutput() == "2\n")
    #expect(try exec.waitForEnd() == .code(0))
  }

  @Test func `a failure of the command is told, and the next change runs it again`() throws {
    try set("/a", 1)
    let exec = try dux.start(
      "exec", "/a", "--", "sh", "-c", "cat; exit 3", errorsPath: daemon.folder("exec"))
    #expect(try exec.nextLine() == "1")
    try set("/a", 2)
    #expect(try exec.nextLine() == "2")
    exec.send(SIGTERM)
    try exec.waitForEnd()
    #expect(exec.errors.contains("dux: sh ended with status 3\n"))
    let none = try dux("exec", "/a", "--", "/no/such", "program")
    #expect(none.end == .code(127))
    #expect(none.errors == "dux: cannot start /no/such: no such file or directory\n")
    let notRunnable = try dux("exec", "/a", "--", "/etc/passwd")
    #expect(notRunnable.end == .code(126))
  }

  @Test func `a signal reaches the command, and its end ends dux`() throws {
    let exec = try dux.start(
      "exec", "/a", "--", "sh", "-c",
      "trap 'echo ended; exit 0' TERM; echo up; while :; do read x < \(gate.path); done",
      errorsPath: daemon.folder("exec"))
    #expect(try exec.nextLine() == "up")
    exec.send(SIGTERM)
    #expect(try exec.nextLine() == "ended")
    #expect(try exec.waitForEnd() == .signal(SIGTERM))
  }

  @Test func `the end of the session ends the command`() throws {
    let exec = try dux.start(
      "exec", "/a", "--client", "tty1", "--", "sh", "-c",
      "trap 'echo ended; exit 0' TERM; echo up; while :; do read x < \(gate.path); done",
      errorsPath: daemon.folder("exec"))
    #expect(try exec.nextLine() == "up")
    _ = try Client(daemon, named: "tty1")
    #expect(try exec.nextLine() == "ended")
    #expect(try exec.waitForEnd() == .code(1))
    #expect(exec.errors.contains("took over the client name"))
  }
}
