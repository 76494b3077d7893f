import Glibc

/// Gives the terminal back when the process ends in a way that leaves no time: a trap, a fault, an
/// abort, `exit` from anywhere.
///
/// A signal handler may do next to nothing, so all that it needs lies ready: the bytes to send, the modes
/// to set, and the place where messages of the process were kept while the screen was its own.
/// After `kill -9` nothing runs any more; the shell's `reset` helps then.
enum TerminalRestoration {
  /// What a handler needs, in plain memory.
  private struct Prepared {
    var terminal: Int32
    var modes: termios
    var bytes: UnsafeMutableRawPointer
    var byteCount: Int
    var messages: Int32
    var errors: Int32
    /// Room for the messages on their way: a handler can't ask for memory, which may be what broke.
    var room: UnsafeMutableRawBufferPointer
  }

  // Unsafe since a signal handler reads it: a pointer that is there before the handlers are, and is
  // set to nil by the first that has restored.
  nonisolated(unsafe) private static var prepared: UnsafeMutablePointer<Prepared>?
  // Unsafe for the same reason: written once, before the handlers are there.
  nonisolated(unsafe) private static var former: UnsafeMutablePointer<sigaction>?

  /// Signals that end the process at once; those that ask it to end are the loop's.
  private static let signals = [
    SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGQUIT, SIGXCPU, SIGXFSZ, SIGALRM,
    SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
  ]
  private static let signalLimit = 65

  /// Gets everything ready; from now on until ``disarm()`` the terminal is given back whatever comes.
  ///
  /// - Parameters:
  ///   - terminal: its descriptor, open until ``disarm()``.
  ///   - modes: the modes it had.
  ///   - bytes: what it is to be sent.
  ///   - messages: the file that holds what was said on standard error meanwhile; -1 for none.
  ///   - errors: where that belongs.
  static func arm(
    terminal: Int32, modes: termios, bytes: [UInt8], messages: Int32, errors: Int32
  ) {
    disarm()
    installOnce()
    let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
    bytes.withUnsafeBytes {
      copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: bytes.count)
    }
    let new = UnsafeMutablePointer<Prepared>.allocate(capacity: 1)
    new.initialize(
      to: Prepared(
        terminal: terminal, modes: modes, bytes: copy, byteCount: bytes.count, messages: messages,
        errors: errors,
        room: .allocate(byteCount: messageLimit, alignment: 16)))
    prepared = new
  }

  /// Leaves the terminal to whoever has given it back in the usual way.
  static func disarm() {
    guard let old = prepared else { return }
    prepared = nil
    old.pointee.bytes.deallocate()
    old.pointee.room.deallocate()
    old.deallocate()
  }

  /// Gives the terminal back, with calls that a signal handler may make.
  private static func restore() {
    guard let prepared else { return }
    Self.prepared = nil
    var sent = 0
    while sent < prepared.pointee.byteCount {
      let count = write(
        prepared.pointee.terminal, prepared.pointee.bytes + sent, prepared.pointee.byteCount - sent)
      // The terminal is not waited for: the descriptor is non-blocking.
      guard count > 0 else { break }
      sent += count
    }
    tcsetattr(prepared.pointee.terminal, TCSANOW, &prepared.pointee.modes)
    copyMessages(prepared.pointee)
  }

  /// The last messages, those that tell of the end.
  private static func copyMessages(_ prepared: Prepared) {
    guard prepared.messages >= 0 else { return }
    let room = prepared.room
    let end = lseek(prepared.messages, 0, SEEK_END)
    let count = pread(
      prepared.messages, room.baseAddress, room.count, max(0, end - off_t(room.count)))
    guard count > 0 else { return }
    PatientWriting.write(UnsafeRawBufferPointer(rebasing: room[..<count]), to: prepared.errors)
  }

  private static let messageLimit = 8_192

  private static func installOnce() {
    guard former == nil else { return }
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: signalLimit)
    actions.initialize(repeating: sigaction(), count: signalLimit)
    former = actions
    useStackOfItsOwn()
    for signal in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { TerminalRestoration.end($0) }
      action.sa_flags = Int32(SA_ONSTACK)
      sigaction(signal, &action, actions + Int(signal))
    }
    atexit { TerminalRestoration.restore() }
  }

  /// A handler that runs because the stack is used up needs another one.
  private static func useStackOfItsOwn() {
    var current = stack_t()
    sigaltstack(nil, &current)
    guard current.ss_flags & Int32(SS_DISABLE) != 0 else { return }
    let bytes = 1 << 16
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
    stack.ss_size = bytes
    sigaltstack(&stack, nil)
  }

  /// The handler: restores, and lets the signal have the effect that it would have had.
  private static func end(_ signal: Int32) {
    restore()
    guard let former, signal > 0, signal < signalLimit else { return }
    sigaction(signal, former + Int(signal), nil)
    // Held back until the handler returns, so that whoever looks finds the place of the fault.
    raise(signal)
  }
}
