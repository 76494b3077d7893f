import DuxJSON
import Glibc
import Testing

/// `dux lock` and `dux lease`.
struct CommandLineLockTests {
  private let daemon: DaemonProcess
  private let dux: CommandLine
  private let gate: Gate

  init() throws {
    daemon = try DaemonProcess()
    dux = CommandLine(daemon)
    gate = try Gate(daemon.folder("gate"))
  }

  /// The types of the steps in the log.
  private func steps() throws -> [String] {
    try Client(daemon, named: nil).log().flatMap { entry in
      entry.actions.arrayValue?.compactMap { $0["type"]?.stringValue } ?? []
    }
  }

  /// A command that says its name and fence, and waits.
  private func holding(_ name: String, _ rest: String = "") -> [String] {
    ["sh", "-c", "echo \(name) $DUX_LEASE $DUX_FENCE; read x < \(gate.path); \(rest)"]
  }

  private func startLock(
    _ ttl: String, _ words: [String], errors: String
  ) throws -> ChildProcess {
    try ChildProcess(
      [programs + "/dux", "--connect", dux.place, "lock", "deploy", "--ttl", ttl, "--"] + words,
      errorsPath: daemon.folder(errors))
  }

  @Test func `a command runs under a lease, which is given back with its status`() throws {
    let result = try dux("lock", "a/b~c", "--", "sh", "-c", "echo $DUX_LEASE $DUX_FENCE; exit 7")
    #expect(result.end == .code(7))
    #expect(result.output == "a/b~c 1\n")
    #expect(result.errors.isEmpty)
    #expect(try steps() == ["@lease/acquire", "@lease/release"])
    #expect(try dux("get").output == "{\"@fence\":1}\n")
    #expect(try dux("lock", "a", "--", "sh", "-c", "kill -9 $$").end == .code(137))
    #expect(try dux("lock", "a", "--", "/no/such").end == .code(127))
    #expect(try dux("get", "/@leases").end == .code(2))
  }

  @Test func `a holder that is killed loses its lease by the daemon's timer, over a crash`() throws
  {
    let first = try startLock("3s", holding("first"), errors: "first")
    #expect(try first.nextLine() == "first deploy 1")
    let second = try startLock("3s", ["sh", "-c", "echo second $DUX_FENCE"], errors: "second")
    try Client(daemon, named: nil).until(subscriptions: 2)
    first.send(SIGKILL)
    try daemon.killAndStart()
    #expect(try second.nextLine() == "second 2")
    #expect(try second.waitForEnd() == .code(0))
    // What the killed one ran lives on; its fence tells it from the second.
    try gate.open()
    try first.waitForEnd()
    let steps = try steps().filter { $0 != "@lease/renew" }
    #expect(
      steps == ["@lease/acquire", "@@lease/expire", "@lease/acquire", "@lease/release"])
    #expect(try dux("get").output == "{\"@fence\":2}\n")
  }

  @Test func `a lease outlives a crash of the daemon, and is renewed meanwhile`() throws {
    let lock = try startLock("30s", holding("up", "exit 5"), errors: "lock")
    #expect(try lock.nextLine() == "up deploy 1")
    try daemon.killAndStart()
    #expect(try dux("lease", "show", "deploy", "--json").lines.first?["fence"] == 1)
    try gate.open()
    #expect(try lock.waitForEnd() == .code(5))
    #expect(try steps() == ["@lease/acquire", "@lease/release"])
  }

  @Test func `a lease is renewed while the command runs`() throws {
    let lock = try startLock("3s", holding("up"), errors: "lock")
    #expect(try lock.nextLine() == "up deploy 1")
    let watch = try Client(daemon, named: nil)
    let before = try #require(try watch.get("/@leases/deploy/expiresMs").value?.integerValue)
    let later = try dux("wait", "/@leases/deploy/expiresMs", "--until", "> \(before)")
    #expect(later.end == .code(0))
    try gate.open()
    #expect(try lock.waitForEnd() == .code(0))
  }

  @Test func `a lease that somebody gives back ends the command, and the status says so`() throws {
    let lock = try startLock(
      "30s",
      [
        "sh", "-c",
        "trap 'echo ended; exit 0' TERM; echo up; while :; do read x < \(gate.path); done",
      ], errors: "lock")
    #expect(try lock.nextLine() == "up")
    #expect(try dux("lease", "release", "deploy", "1").end == .code(0))
    #expect(try lock.nextLine() == "ended")
    #expect(try lock.waitForEnd() == .code(125))
    #expect(lock.errors.contains("the lease \"deploy\" was lost: somebody else has ended it"))
  }

  @Test func `a daemon that stays away for longer than the lease ends the command`() throws {
    let lock = try startLock(
      "3s",
      ["sh", "-c", "trap 'exit 0' TERM; echo up; while :; do read x < \(gate.path); done"],
      errors: "lock")
    #expect(try lock.nextLine() == "up")
    daemon.pause()
    #expect(try lock.waitForEnd() == .code(125))
    #expect(lock.errors.contains("could not be renewed for 3s"))
    daemon.resume()
    #expect(try dux("wait", "/@leases/deploy", "--until", "missing").end == .code(0))
  }

  @Test func `who waits too long is told who holds it, and leaves nothing behind`() throws {
    #expect(
      try dux("lease", "acquire", "deploy", "--holder", "ada", "--ttl", "1h").output == "1\n")
    let late = try dux("lock", "deploy", "--timeout", "2s", "--", "true")
    #expect(late.end == .code(124))
    #expect(
      late.errors == "dux: the lease \"deploy\" is still held by \"ada\" after 2s\n")
    #expect(try dux("get", "/@leases/deploy/holder").output == "\"ada\"\n")
    let waiting = try startLock("30s", ["true"], errors: "waiting")
    try Client(daemon, named: nil).until(subscriptions: 1)
    waiting.send(SIGINT)
    #expect(try waiting.waitForEnd() == .signal(SIGINT))
    #expect(try dux("lease", "release", "deploy", "1").end == .code(0))
    #expect(try dux("lock", "deploy", "--", "true").end == .code(0))
  }

  @Test func `many that want it have it one after another, with rising fences`() throws {
    let all = try (0..<6).map { index in
      try startLock("30s", ["sh", "-c", "echo $DUX_FENCE"], errors: "lock\(index)")
    }
    var fences: [Int] = []
    for lock in all {
      fences.append(try #require(try lock.nextLine().flatMap { Int($0) }))
      #expect(try lock.waitForEnd() == .code(0), "\(lock.errors)")
    }
    #expect(fences.sorted() == Array(1...6))
    let steps = try steps()
    #expect(steps == (0..<6).flatMap { _ in ["@lease/acquire", "@lease/release"] })
  }

  @Test func `scripts take, keep and give back leases step by step`() throws {
    let granted = try dux("lease", "acquire", "a", "--ttl", "1m", "--json", "--client", "me")
    let lease = try #require(granted.lines.first)
    #expect(lease["fence"] == 1)
    #expect(lease["holder"] == "me")
    #expect(lease["ttlMs"] == 60_000)
    #expect(lease["seq"] == 1)
    let refused = try dux("lease", "acquire", "a")
    #expect(refused.end == .code(1))
    #expect(refused.errors.contains("rejected (lease_held): the lease \"a\" is held by \"me\""))
    #expect(try dux("lease", "renew", "a", "1", "--ttl", "2m").output == "1\n")
    #expect(try dux("lease", "renew", "a", "2").end == .code(1))
    #expect(try dux("lease", "show", "a", "--json").lines.first?["ttlMs"] == 120_000)
    #expect(try dux("lease", "list").output.contains("a     me"))
    // A write that only the holder of this lease may do.
    #expect(try dux("set", "/x", "1", "--if", "/@leases/a/fence=1").end == .code(0))
    #expect(try dux("set", "/x", "2", "--if", "/@leases/a/fence=2").end == .code(1))
    #expect(try dux("lease", "release", "a", "1").output == "seq 4\n")
    #expect(try dux("lease", "release", "a", "1").end == .code(1))
    #expect(try dux("lease", "show", "a").end == .code(2))
    #expect(try dux("lease", "list", "--json").output.isEmpty)
  }
}
