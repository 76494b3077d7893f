import Glibc

/// The terminal itself: its modes, its size, bytes to it and from it.
///
/// It is opened anew, so that making it non-blocking does not make that of the shell so.
final class TerminalDevice {
  /// The terminal, open for both directions and non-blocking.
  let descriptor: Int32
  private let formerModes: termios
  /// What the terminal has not taken yet, from `sent` on.
  private var backlog: [UInt8] = []
  private var sent = 0
  private var messages: CapturedMessages?

  /// What came of reading.
  enum Piece {
    case bytes([UInt8])
    case nothing
    /// The terminal is gone.
    case end
  }

  /// Opens the terminal that standard input and output are.
  ///
  /// - Throws: ``TerminalError`` where they are none.
  init() throws(TerminalError) {
    for (descriptor, name) in [(STDIN_FILENO, "input"), (STDOUT_FILENO, "output")]
    where isatty(descriptor) != 1 {
      throw TerminalError(
        "standard \(name) is not a terminal, and this program can only be used on one")
    }
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    var descriptor = ttyname(STDIN_FILENO).map { open($0, flags) } ?? -1
    if descriptor < 0 { descriptor = open("/dev/tty", flags) }
    guard descriptor >= 0 else {
      throw TerminalError("cannot open the terminal: \(String(cString: strerror(errno)))")
    }
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else {
      close(descriptor)
      throw TerminalError("cannot ask the terminal: \(String(cString: strerror(errno)))")
    }
    self.descriptor = descriptor
    formerModes = modes
  }

  deinit {
    close(descriptor)
  }

  /// The terminal's size; that of a usual one where it has none.
  var size: Size {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Takes the terminal over: every key arrives at once and as bytes, and nothing else writes to it.
  ///
  /// - Parameter leaving: the bytes that give it back should the process end early.
  func takeOver(leaving: [UInt8]) {
    var modes = formerModes
    cfmakeraw(&modes)
    setModes(modes)
    if messages == nil { messages = CapturedMessages() }
    TerminalRestoration.arm(
      terminal: descriptor, modes: formerModes, bytes: leaving,
      messages: messages?.file ?? -1, errors: messages?.errors ?? STDERR_FILENO)
  }

  /// Gives the terminal back, and shows what was said on standard error meanwhile.
  ///
  /// What the terminal has not taken is dropped: who does not read gets no more to read. So is what was
  /// typed or clicked and not read, which is none of the shell's business.
  func giveBack(leaving: [UInt8]) {
    // A frame is not left in its middle, though, where the terminal takes the rest soon.
    write(leaving)
    waitUntilWritten()
    TerminalRestoration.disarm()
    tcflush(descriptor, TCIFLUSH)
    setModes(formerModes)
    messages?.release()
    messages = nil
  }

  private func setModes(_ modes: termios) {
    var modes = modes
    while tcsetattr(descriptor, TCSANOW, &modes) != 0, errno == EINTR {}
  }

  /// Whether the terminal has taken everything.
  var isWritten: Bool { backlog.isEmpty }

  /// Sends bytes, those that the terminal does not take now with a later ``flush()``.
  func write(_ bytes: [UInt8]) {
    backlog += bytes
    flush()
  }

  /// Sends what is left over, as much as the terminal takes.
  func flush() {
    while sent < backlog.count {
      let count = backlog.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        // A terminal that is gone takes nothing more; reading tells of it.
        if errno != EAGAIN { break }
        return
      }
      sent += count
    }
    backlog.removeAll(keepingCapacity: true)
    sent = 0
  }

  /// Waits for the terminal a while, for it may have been stopped with Ctrl-S for ever.
  private func waitUntilWritten() {
    for _ in 0..<Self.patiencePieces where !isWritten {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&request, 1, Self.pieceMilliseconds)
      flush()
    }
    guard !isWritten else { return }
    backlog = []
    sent = 0
    tcflush(descriptor, TCOFLUSH)
  }

  private static let patiencePieces = 10
  private static let pieceMilliseconds: Int32 = 50

  /// Reads what has come, a part of it when it is much.
  func read() -> Piece {
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) {
        buffer, initializedCount in
        count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        initializedCount = max(0, count)
      }
      if count > 0 { return .bytes(bytes) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      default: return .end
      }
    }
  }

  private static let pieceBytes = 1 << 14
}
