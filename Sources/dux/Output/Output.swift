import DuxCommandLine
import Glibc

/// A descriptor to print to, and what is known of whoever looks at it.
final class Output {
  let terminal: Terminal
  let style: Style
  private let descriptor: Int32
  private var pending: [UInt8] = []

  /// Bytes that are kept back at most.
  private static let pendingLimit = 1 << 16

  /// Makes an output; without a style of its own it has the one that suits the terminal.
  init(_ descriptor: Int32, terminal: Terminal, style: Style? = nil) {
    self.descriptor = descriptor
    self.terminal = terminal
    self.style = style ?? terminal.style
  }

  /// Adds a line.
  func print(_ line: String) {
    write(line)
    write("\n")
  }

  /// Adds lines.
  func print(contentsOf lines: [String]) {
    lines.forEach(print)
  }

  /// Adds text.
  func write(_ text: String) {
    write(Array(text.utf8))
  }

  /// Adds bytes.
  func write(_ bytes: [UInt8]) {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.pendingLimit { flush() }
  }

  /// Hands everything to the system; ends the process where nobody takes it any more.
  func flush() {
    let bytes = pending
    pending.removeAll(keepingCapacity: true)
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
      }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        waitUntilWritable()
      } else if errno != EINTR {
        giveUp(errno)
      }
    }
  }

  /// Whether the other end of a pipe is closed, so that nothing written will be read.
  var isAbandoned: Bool {
    var request = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&request, 1, 0) == 1 && Int32(request.revents) & POLLERR != 0
  }

  /// Ends the process as the system ends one that writes to a closed pipe.
  func endAbandoned() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    exit(128 + SIGPIPE)
  }

  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&request, 1, -1)
  }

  private func giveUp(_ code: Int32) {
    if code == EPIPE { endAbandoned() }
    if descriptor != STDERR_FILENO {
      let complaints = Output(STDERR_FILENO, terminal: terminal)
      complaints.print("dux: cannot write the output: \(String(cString: strerror(code)))")
      complaints.flush()
    }
    exit(ExitStatus.output.rawValue)
  }

  /// Lines that the terminal shows; a usual number where it does not tell.
  var rows: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }
}
