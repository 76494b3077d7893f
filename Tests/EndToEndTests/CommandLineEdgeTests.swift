import DuxJSON
import Glibc
import Testing

/// Both programs where whoever starts them gives them less, or other, than is usual.
struct CommandLineEdgeTests {
  private let daemon: DaemonProcess
  private let dux: CommandLine

  init() throws {
    daemon = try DaemonProcess()
    dux = CommandLine(daemon)
    #expect(try dux("set", "/a", "1").end == .code(0))
  }

  @Test(arguments: ["<&-", "2>&-", "<&- 2>&-"])
  func closedInputAndErrorsAreNoHindrance(closing: String) throws {
    let result = try dux.shell("dux get /a \(closing)")
    #expect(result.end == .code(0), "\(result.errors)")
    #expect(result.output == "1\n")
  }

  @Test func closedOutputIsAnOutputThatCannotBeWritten() throws {
    let result = try dux.shell("dux get /a >&-")
    #expect(result.end == .code(74), "\(result.errors)")
    #expect(result.errors.contains("Bad file descriptor"), "\(result.errors)")
  }

  @Test(arguments: ["set /a $'\\xff'", "get $'/\\xff'", "get /a --client $'\\xfe'"])
  func wordsThatAreNoTextAreRefusedAndNotRepaired(words: String) throws {
    let result = try dux.shell("dux \(words)")
    #expect(result.end == .code(64), "\(result.output)\(result.errors)")
    #expect(result.errors.contains("UTF-8"), "\(result.errors)")
    #expect(try dux("get").output == "{\"a\":1}\n")
  }

  @Test func aLineThatNoDaemonTakesIsRefusedByItsNumberAndTheOthersGoOn() throws {
    let script = """
      import json
      for value in (2, "x" * 1500000, 3):
        print(json.dumps({"type": "doc/set", "payload": {"path": "/a", "value": value}}))
      """
    let result = try dux.shell("python3 -c '\(script)' | dux dispatch")
    #expect(result.end == .code(1), "\(result.errors)")
    #expect(result.errors.contains("line 2: line_too_long"), "\(result.errors)")
    #expect(result.output.contains("2 accepted, 1 rejected"), "\(result.output)")
    #expect(!result.output.contains("unknown"), "\(result.output)")
    #expect(try dux("get", "/a").output == "3\n")
  }

  @Test func aWordTooManyIsNamedAsSuch() throws {
    let result = try dux("help", "get", "extra")
    #expect(result.end == .code(64))
    #expect(result.errors.contains("unexpected argument \"extra\""), "\(result.errors)")
  }

  @Test func aDaemonWithoutItsStandardDescriptorsKeepsItsLockFileToItself() throws {
    let data = daemon.data + "-closed"
    let socket = data + ".sock"
    let start = "exec \(programs)/duxd --data \(data) --listen 127.0.0.1:0 --socket \(socket)"
    let closed = try ChildProcess(
      ["/bin/bash", "-c", start + " <&- >&- 2>&-"], errorsPath: daemon.data + "-errors")
    let other = CommandLine(place: "unix:\(socket)")
    var isServing = false
    for _ in 0..<1_000 where !isServing { isServing = try other("ping").end == .code(0) }
    try #require(isServing)
    let lock = String(decoding: try contents(of: data + "/lock"), as: UTF8.self)
    #expect(lock.contains("\(closed.pid)"), "\(lock)")
    #expect(!lock.contains("duxd"), "\(lock)")
    closed.send(SIGHUP)
    #expect(try closed.waitForEnd() == .code(0))
  }
}
