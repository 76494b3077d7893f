import DuxJSON
import DuxNetwork
import Glibc

/// The program `dux`, talking to one daemon.
struct CommandLine {
  /// What `--connect` is given.
  let place: String
  /// Kept running as long as somebody may talk to it.
  private let daemon: DaemonProcess?

  init(_ daemon: DaemonProcess) {
    self.daemon = daemon
    place = "\(daemon.host):\(daemon.port)"
  }

  init(place: String) {
    daemon = nil
    self.place = place
  }

  struct Result {
    let end: ChildProcess.End
    let output: String
    let errors: String

    /// The lines of the output as JSON; `null` for a line that is none.
    var lines: [JSON] {
      output.split(separator: "\n").map { (try? JSON(parsing: String($0))) ?? .null }
    }
  }

  /// Runs it to its end.
  func callAsFunction(_ words: String...) throws -> Result {
    let result = try run(arguments(words))
    return Result(end: result.end, output: result.output, errors: result.errors)
  }

  /// Runs a line of the shell in which `dux` is the program, to its end.
  func shell(_ line: String) throws -> Result {
    let result = try run(shellArguments(line))
    return Result(end: result.end, output: result.output, errors: result.errors)
  }

  /// Starts it, and goes on.
  func start(_ words: String..., errorsPath: String) throws -> ChildProcess {
    try ChildProcess(arguments(words), errorsPath: errorsPath)
  }

  /// Starts a line of the shell in which `dux` is the program, and goes on.
  func startShell(_ line: String, errorsPath: String) throws -> ChildProcess {
    try ChildProcess(shellArguments(line), errorsPath: errorsPath)
  }

  private func arguments(_ words: [String]) -> [String] {
    // A loaded machine is no fault of the daemon; a test that waits on purpose gives its own limit.
    let limit = words.contains("--timeout") ? [] : ["--timeout", "60s"]
    return [programs + "/dux", "--connect", place] + limit + words
  }

  private func shellArguments(_ line: String) -> [String] {
    let dux = (["DUX_CONNECT=\(place)", "\(programs)/dux", "--timeout", "60s"])
      .joined(separator: " ")
    return ["/bin/bash", "-c", "dux() { \(dux) \"$@\"; }; \(line)"]
  }
}

/// A server in the daemon's place that says what a test wants.
final class FakeDaemon {
  let place: String
  private let listener: Int32
  private let thread: SerialThread

  /// Serves one connection after the other, with the lines that `answer` gives to each request;
  /// with silence from a request on that gets none.
  init(_ answer: @escaping @Sendable (JSON) -> [JSON]?) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    listener = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) + listen(descriptor, 16)
          + getsockname(descriptor, pointer, &length)
      }
    }
    guard status == 0 else { throw SystemFailure("listen") }
    place = "127.0.0.1:\(address.sin_port.bigEndian)"
    thread = try SerialThread(named: "fake-daemon")
    thread.submit { Self.serve(descriptor, answer) }
  }

  deinit {
    // Wakes the thread, which ends with the listener.
    shutdown(listener, Int32(SHUT_RDWR))
    thread.stopAndJoin()
    close(listener)
  }

  static func welcome(_ request: JSON) -> JSON {
    [
      "op": "welcome", "protocol": 1, "server": "fake", "epoch": "e", "seq": 0,
      "client": request["client"] ?? "", "lastN": 0, "maxLine": 1_000, "maxDepth": 128,
      "heartbeatMs": 15_000,
    ]
  }

  private static func serve(_ listener: Int32, _ answer: (JSON) -> [JSON]?) {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      var pending: [UInt8] = []
      var byte: UInt8 = 0
      var isSilent = false
      while read(connection, &byte, 1) == 1 {
        guard byte == 0x0A else {
          pending.append(byte)
          continue
        }
        let request = try? JSON(parsing: pending)
        pending = []
        guard !isSilent, let request, let lines = answer(request) else {
          isSilent = true
          continue
        }
        let bytes = lines.flatMap { $0.bytes + [0x0A] as [UInt8] }
        _ = bytes.withUnsafeBytes { Glibc.write(connection, $0.baseAddress, $0.count) }
      }
      close(connection)
    }
  }
}
