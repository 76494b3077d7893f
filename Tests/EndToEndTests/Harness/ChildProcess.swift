import Glibc

/// A program that a test runs; it never outlives the test.
final class ChildProcess {
  /// How a process ended.
  enum End: Equatable {
    case code(Int32)
    case signal(Int32)
  }

  let pid: pid_t
  private let output: Int32
  private let errorsPath: String
  private var pending: [UInt8] = []
  private var outputEnded = false
  private(set) var end: End?

  /// Starts a program with nothing on standard input.
  ///
  /// - Parameters:
  ///   - arguments: the first is the program, found along `PATH`.
  ///   - errorsPath: the file that takes standard error.
  /// - Throws: ``SystemFailure`` where there is no such program.
  init(_ arguments: [String], errorsPath: String) throws {
    self.errorsPath = errorsPath
    var ends: [Int32] = [-1, -1]
    // A pair of sockets because a pipe cannot be made close-on-exec in one step here, and a process
    // that another test starts meanwhile would hold the end that must close.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemFailure("socketpair") }
    let errors = open(errorsPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { [ends[1], errors, input].forEach { close($0) } }
    output = ends[0]
    pid = try Self.spawn(arguments, descriptors: [input, ends[1], errors])
  }

  deinit {
    if end == nil {
      Glibc.kill(pid, SIGKILL)
      reap()
    }
    close(output)
  }

  private static func spawn(_ arguments: [String], descriptors: [Int32]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    // Threads of a test process may block signals, and a program would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var argv = arguments.map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, arguments[0], &actions, &attributes, &argv, environ)
    guard code == 0 else { throw SystemFailure("start \(arguments[0])", code) }
    return child
  }

  func send(_ signal: Int32) {
    if end == nil { Glibc.kill(pid, signal) }
  }

  /// The next line on standard output, without its LF; `nil` once the program has closed it.
  func nextLine(_ deadline: Deadline = Deadline()) throws -> String? {
    while true {
      if let newline = pending.firstIndex(of: 10) {
        defer { pending.removeFirst(newline + 1) }
        return String(decoding: pending[..<newline], as: UTF8.self)
      }
      if outputEnded { return nil }
      try readOutput(deadline)
    }
  }

  /// Waits for the program's end, which the end of its standard output tells.
  @discardableResult
  func waitForEnd(_ deadline: Deadline = Deadline()) throws -> End {
    while !outputEnded { try readOutput(deadline) }
    return reap()
  }

  /// Everything that is left on standard output, once the program has ended.
  func remainingOutput(_ deadline: Deadline = Deadline()) throws -> String {
    try waitForEnd(deadline)
    defer { pending = [] }
    return String(decoding: pending, as: UTF8.self)
  }

  /// What it has said on standard error so far.
  var errors: String {
    (try? String(decoding: contents(of: errorsPath), as: UTF8.self)) ?? ""
  }

  private func readOutput(_ deadline: Deadline) throws {
    var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let ready = poll(&wanted, 1, deadline.milliseconds)
    if ready < 0 && errno == EINTR { return }
    guard ready > 0 else {
      throw Unexpected("process \(pid) said nothing more in time; stderr: \(errors)")
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output, &chunk, chunk.count)
    if count < 0 && errno == EINTR { return }
    if count <= 0 {
      outputEnded = true
    } else {
      pending += chunk[..<count]
    }
  }

  @discardableResult
  private func reap() -> End {
    if let end { return end }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    let end: End = signal == 0 ? .code((status >> 8) & 0xff) : .signal(signal)
    self.end = end
    return end
  }
}

/// Runs a program to its end.
///
/// - Returns: how it ended, and what it said on standard output and standard error.
func run(
  _ arguments: [String], within limit: Duration = Deadline.usual
) throws -> (end: ChildProcess.End, output: String, errors: String) {
  let folder = try TemporaryFolder()
  let child = try ChildProcess(arguments, errorsPath: folder("stderr"))
  let output = try child.remainingOutput(Deadline(limit))
  return (try child.waitForEnd(), output, child.errors)
}
