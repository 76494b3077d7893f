import DuxJSON
import Glibc
import Testing

struct CommandLineDispatchTests {
  @Test func aLongInputOverTwoKillsIsTakenExactlyOnce() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let count: Int64 = 20_000
    _ = try dux("set", "/n", "0")
    let input = daemon.folder("input")
    let line = JSON.increment("/n").bytes + [0x0A]
    try write(Array(repeatElement(line, count: Int(count)).joined()), to: input)
    let errors = daemon.folder("dispatch")
    let dispatch = try dux.startShell("dux dispatch < '\(input)'", errorsPath: errors)
    for mark in [count / 5, count / 2] {
      try waitForSeq(mark, daemon)
      try daemon.killAndStart()
    }
    #expect(try dispatch.remainingOutput() == "20,000 accepted, 0 rejected\n")
    #expect(try dispatch.waitForEnd() == .code(0))
    #expect(try dux("get", "/n").output == "\(count)\n")
    let log = try Client(daemon, named: nil).log()
    #expect(log.count == Int(count) + 1)
    let errorLines = dispatch.errors
    #expect(errorLines.split(separator: "connection lost").count == 3, "\(errorLines)")
  }

  @Test func rejectionsNameTheirLineAndTheOthersGoOn() throws {
    let dux = CommandLine(try DaemonProcess())
    let input = [
      JSON.set("/a", 1), .array([.set("/b", 1), .remove("/nope")]), .remove("/nope"), .set("/c", 1),
    ]
    let text = input.map(\.description).joined(separator: "\n")
    let people = try dux.shell("dux dispatch <<'END'\n\n\(text)\nEND")
    #expect(people.end == .code(1))
    #expect(people.output == "2 accepted, 2 rejected\n")
    #expect(people.errors.contains("dux: line 3: rejected (missing): "), "\(people.errors)")
    #expect(people.errors.contains("dux: line 4: rejected (missing): "))
    #expect(try dux("get").output == "{\"a\":1,\"c\":1}\n")
    let json = try dux.shell("dux dispatch --json <<'END'\n\(text)\nEND")
    #expect(json.end == .code(1))
    #expect(json.lines.map { $0["op"] } == ["ack", "reject", "reject", "ack"])
    #expect(json.lines.map { $0["line"] } == [1, 2, 3, 4])
    #expect(json.errors.hasSuffix("2 accepted, 2 rejected\n"))
  }

  @Test func aLineThatIsNoActionEndsTheInputAfterWhatWasSent() throws {
    let dux = CommandLine(try DaemonProcess())
    for bad in ["{\"type\":", "[]", "7", "{}"] {
      let result = try dux.shell(
        "printf '%s\\n' '\(JSON.set("/a", 1))' '\(bad)' '\(JSON.set("/never", 1))' | dux dispatch")
      #expect(result.end == .code(64), "\(bad)")
      #expect(result.output == "1 accepted, 0 rejected\n")
      #expect(result.errors.hasPrefix("dux: line 2 is "), "\(result.errors)")
    }
    #expect(try dux("get").output == "{\"a\":1}\n")
  }

  @Test func inputMayComeSlowlyAndWithoutALastLineFeed() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let set = JSON.set("/a", 1).description
    let result = try dux.shell(
      "{ echo '\(set)'; dux watch /a | grep -m1 1 >/dev/null; printf '%s' '\(JSON.set("/b", 2))'; }"
        + " | dux dispatch")
    #expect(result.end == .code(0), "\(result.errors)")
    #expect(result.output == "2 accepted, 0 rejected\n")
    #expect(try dux("get").output == "{\"a\":1,\"b\":2}\n")
  }

  @Test func emptyInputIsNoFault() throws {
    let dux = CommandLine(try DaemonProcess())
    let result = try dux.shell("dux dispatch < /dev/null")
    #expect(result.end == .code(0))
    #expect(result.output == "0 accepted, 0 rejected\n")
  }

  @Test func conditionsHoldForEachStep() throws {
    let dux = CommandLine(try DaemonProcess())
    let set = JSON.set("/a", 1).description
    let result = try dux.shell("printf '%s\\n' '\(set)' '\(set)' | dux dispatch --if-missing /a")
    #expect(result.end == .code(1))
    #expect(result.output == "1 accepted, 1 rejected\n")
    #expect(result.errors.contains("line 2: precondition_failed"))
  }

  @Test func anInterruptTellsWhatWasTakenAndEndsWith130() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let fifo = daemon.folder("fifo")
    mkfifo(fifo, 0o600)
    let writer = open(fifo, O_RDWR | O_CLOEXEC)
    defer { close(writer) }
    let line = JSON.set("/a", 1).bytes + [0x0A]
    #expect(line.withUnsafeBytes { Glibc.write(writer, $0.baseAddress, $0.count) } == line.count)
    let dispatch = try ChildProcess(
      ["/bin/sh", "-c", "exec '\(programs)/dux' -c \(dux.place) dispatch < '\(fifo)'"],
      errorsPath: daemon.folder("dispatch"))
    try waitForSeq(1, daemon)
    dispatch.send(SIGINT)
    #expect(try dispatch.waitForEnd() == .code(130))
    #expect(try dispatch.remainingOutput().hasPrefix("1 accepted, 0 rejected"))
  }

  private func waitForSeq(_ seq: Int64, _ daemon: DaemonProcess) throws {
    let client = try Client(daemon)
    let deadline = Deadline()
    while try client.ask(["op": "ping"])["seq"]?.integerValue ?? 0 < seq {
      if deadline.hasPassed { throw Unexpected("seq \(seq) was not reached in time") }
    }
  }
}
