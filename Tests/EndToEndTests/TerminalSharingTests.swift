import DuxJSON
import Glibc
import Testing

/// Two terminals on one daemon show one state.
@Suite(.serialized, .enabled(if: TerminalSession.isAvailable, "needs tmux"))
struct TerminalSharingTests {
  private static let sample = programs + "/terminal-sample"

  private func startDaemon() throws -> DaemonProcess {
    // `env` before the program, for it is the sample's other role.
    try DaemonProcess(prefix: ["env", "SAMPLE_ROLE=daemon"], program: "terminal-sample")
  }

  private func terminal(
    on daemon: DaemonProcess, _ options: [String] = []
  ) throws -> TerminalSession {
    let terminal = try TerminalSession(
      [Self.sample, "--connect", "\(daemon.host):\(daemon.port)"] + options)
    try terminal.wait(for: ", live")
    return terminal
  }

  @Test func whatOneDoesTheOtherShows() throws {
    let daemon = try startDaemon()
    let first = try terminal(on: daemon)
    let second = try terminal(on: daemon)
    try first.wait(for: "2 here")
    try first.type("+++")
    try second.wait(for: "count 3")
    try second.type("-")
    try first.wait(for: "count 2")
    try second.type("q")
    #expect(try second.waitForEnd() == .code(0))
    try first.wait(for: "1 here")
  }

  @Test func bothAgreeAfterTheDaemonWasKilled() throws {
    let daemon = try startDaemon()
    let first = try terminal(on: daemon)
    let second = try terminal(on: daemon)
    try first.type("+")
    try second.wait(for: "count 1")
    try daemon.kill()
    try first.wait { !$0.contains(", live") }
    try first.type("++")
    try first.wait(for: "count 3")
    try second.type("+")
    try second.wait(for: "count 2")
    try daemon.start()
    try first.wait(for: "count 4, live")
    try second.wait(for: "count 4, live")
  }

  @Test func aRefusalTakesBackItsChangeAndIsShown() throws {
    let daemon = try startDaemon()
    let terminal = try terminal(on: daemon)
    try terminal.type("-")
    try terminal.wait(for: "the count is never negative")
    #expect(try terminal.screen().contains("count 0"))
  }

  @Test func aFloodOfChangesDrawsTheLast() throws {
    let daemon = try startDaemon()
    let first = try terminal(on: daemon)
    let second = try terminal(on: daemon)
    for _ in 0..<5 { try first.type("f") }
    try second.wait(for: "count 5000")
    try first.wait(for: "count 5000")
  }

  @Test func aNameThatAnotherTakesOverEndsTheFirst() throws {
    let daemon = try startDaemon()
    let first = try terminal(on: daemon, ["--client", "me"])
    let second = try terminal(on: daemon, ["--client", "me"])
    try first.wait(for: "ended replaced")
    try first.type("+")
    try first.wait(for: "the session is over")
    try first.type("q")
    #expect(try first.waitForEnd() == .code(1))
    try second.type("+")
    try second.wait(for: "count 1, live")
  }

  @Test func aDaemonOfAnotherAppIsNamedAndNothingBreaks() throws {
    let daemon = try DaemonProcess()
    let terminal = try TerminalSession(
      [Self.sample, "--connect", "\(daemon.host):\(daemon.port)"])
    try terminal.wait(for: ", ended")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .code(1))
  }

  @Test func changesMadeWithoutADaemonWaitInTheFileOfTheQueue() throws {
    let daemon = try startDaemon()
    let folder = try TemporaryFolder()
    try daemon.kill()
    let command = [
      Self.sample, "--connect", "\(daemon.host):\(daemon.port)", "--queue", folder("queue"),
    ]
    let first = try TerminalSession(command)
    try first.wait(for: "count 0")
    try first.type("++")
    try first.wait(for: "count 2")
    try first.type("q")
    #expect(try first.waitForEnd() == .code(0))
    try daemon.start()
    let second = try TerminalSession(command)
    try second.wait(for: "count 2, live")
    let witness = try Client(daemon, named: nil)
    #expect(try witness.get().value?["count"] == 2)
  }

  @Test func aTerminalThatShowsALiveStateTakesNoTime() throws {
    let daemon = try startDaemon()
    let terminal = try terminal(on: daemon)
    let before = try terminal.processorTicks
    // What is measured is that nothing happens for a while, so a while has to pass.
    poll(nil, 0, 2_000)
    #expect(try terminal.processorTicks - before <= 4)
  }
}
