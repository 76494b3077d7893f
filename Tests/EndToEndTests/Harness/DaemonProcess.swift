import Glibc

/// A daemon of a test's own, with a data folder that goes with it.
///
/// It has a loopback address of its own, so that the port it got at its first start is free for the
/// next ones.
final class DaemonProcess {
  let folder: TemporaryFolder
  /// Where its log is.
  let data: String
  /// What stands before the program, to run it under limits or as another user.
  private let prefix: [String]
  private let options: [String]
  private let program: String
  private var child: ChildProcess?
  let host: String
  private(set) var port: UInt16 = 0

  /// Starts it and waits until it listens.
  init(
    _ options: [String] = [], in folder: TemporaryFolder? = nil, data: String? = nil,
    prefix: [String] = [], program: String = "duxd"
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    self.data = data ?? folder("data")
    self.options = options
    self.prefix = prefix
    self.program = program
    host =
      "127.\(UInt8.random(in: 1...254)).\(UInt8.random(in: 1...254)).\(UInt8.random(in: 1...254))"
    try start()
  }

  /// Starts it again on the same data, once it has ended.
  func start() throws {
    let child = try ChildProcess(
      prefix + Self.command(program, data: data, options, listen: "\(host):\(port)"),
      errorsPath: folder("stderr"))
    self.child = child
    let address = try Self.address(in: child.nextLine() ?? "", host: host)
    guard let address else {
      let end = try child.waitForEnd()
      throw Unexpected("no daemon: \(end), \(child.errors)")
    }
    port = address
  }

  static func command(
    _ program: String = "duxd", data: String, _ options: [String] = [],
    listen: String = "127.0.0.1:0"
  ) -> [String] {
    let socket = options.contains("--socket") ? [] : ["--socket", "none"]
    return [programs + "/" + program, "--data", data, "--listen", listen] + socket + options
  }

  private static func address(in line: String, host: String) -> UInt16? {
    guard let range = line.firstRange(of: host + ":") else { return nil }
    return UInt16(line[range.upperBound...].prefix { $0.isNumber })
  }

  var pid: pid_t { child?.pid ?? -1 }

  /// What it has said on standard error since the first start.
  var errors: String { child?.errors ?? "" }

  /// Whether it has ended by itself.
  var isRunning: Bool { child?.end == nil && Glibc.kill(pid, 0) == 0 }

  /// Ends it as a crash does.
  func kill() throws {
    child?.send(SIGKILL)
    try child?.waitForEnd()
  }

  /// Asks it to stop.
  @discardableResult
  func stop() throws -> ChildProcess.End {
    terminate()
    return try waitForEnd()
  }

  /// Asks it to stop, and does not wait.
  func terminate() {
    child?.send(SIGTERM)
  }

  func waitForEnd() throws -> ChildProcess.End {
    guard let child else { throw Unexpected("there is no daemon") }
    return try child.waitForEnd()
  }

  func killAndStart() throws {
    try kill()
    try start()
  }

  func pause() {
    child?.send(SIGSTOP)
  }

  func resume() {
    child?.send(SIGCONT)
  }

  // What the system says of it.

  /// How many file descriptors it has open.
  var descriptorCount: Int {
    get throws { try names(in: "/proc/\(pid)/fd").count }
  }

  /// The most memory it has had resident so far, in bytes.
  var peakMemory: Int {
    get throws { try memory("VmHWM:") }
  }

  /// The memory it has resident, in bytes.
  var residentMemory: Int {
    get throws { try memory("VmRSS:") }
  }

  /// The part of its memory that lies in huge pages, in bytes.
  var hugeMemory: Int {
    get throws { try memory("AnonHugePages:", in: "smaps_rollup") }
  }

  private func memory(_ name: String, in file: String = "status") throws -> Int {
    let status = try String(decoding: contents(of: "/proc/\(pid)/\(file)"), as: UTF8.self)
    for line in status.split(separator: "\n") where line.hasPrefix(name) {
      let words = line.split { $0 == " " || $0 == "\t" }
      if words.count > 1, let kibibytes = Int(words[1]) { return kibibytes << 10 }
    }
    throw Unexpected("no \(name) in the \(file) of process \(pid)")
  }
}
