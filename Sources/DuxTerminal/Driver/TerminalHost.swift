package import DuxNetwork
import Glibc

/// A terminal that was taken over: what comes from it, and what it shows.
///
/// It waits on a loop of libuv, as the rest of Dux does: the terminal, signals, timers and whatever else
/// its user has on the loop are all things that such a loop waits for at once, so that nothing is ever
/// asked for in turn. While nothing happens it does nothing.
///
/// What is to be seen is asked for at most once a ``frameInterval``, and not before the terminal has
/// taken the frame before: of many changes the newest state is drawn, and a slow terminal gets fewer
/// frames, never older ones.
package final class TerminalHost {
  /// Called with what comes from the terminal; Ctrl-Z does not.
  package var onEvent: (InputEvent) -> Reaction = { _ in .nothing }
  /// Called for what is to be seen in a size.
  package var onDraw: (Size) -> Grid = { Grid(size: $0) }

  private let loop: EventLoop
  private let device: TerminalDevice
  private let screen: Screen
  private var decoder = InputDecoder()
  private var size: Size

  private var watch: DescriptorWatch?
  private var isDirty = true
  private var lastFrame: Duration?
  private var frameTimer: LoopTimer?
  private var patienceTimer: LoopTimer?
  private var status: Int32?

  /// The shortest time between two frames.
  package static let frameInterval = Duration.milliseconds(16)

  /// Makes a host of the terminal that the process was started from; it is not taken over yet.
  ///
  /// - Throws: where standard input and output are no terminal that one can draw on.
  package init(on loop: EventLoop) throws(TerminalError) {
    let environment = TerminalDriver.environment(["TERM", "NO_COLOR"])
    let traits = try TerminalTraits(environment: environment)
    self.loop = loop
    device = try TerminalDevice()
    screen = try Screen(traits)
    size = device.size
  }

  /// Takes the terminal over, and runs the loop until ``end(_:)`` or a signal.
  ///
  /// - Returns: the status to end the process with.
  package func run() throws(TerminalError) -> Int32 {
    try TerminalError.wrapping { () throws(NetworkError) in
      watch = try loop.watch(device.descriptor) { [unowned self] in obey($0) }
      try watchSignals()
    }
    loop.atEndOfTurn = { [unowned self] in drawIfDue() }
    takeOver()
    loop.run()
    watch?.cancel()
    frameTimer?.cancel()
    patienceTimer?.cancel()
    device.giveBack(leaving: screen.leave())
    return status ?? 0
  }

  /// Asks for a new frame, soon.
  package func needsDrawing() {
    isDirty = true
  }

  /// Asks for a frame that takes nothing for granted of what the terminal shows.
  package func needsDrawingAnew() {
    screen.forget()
    isDirty = true
  }

  /// Puts a text on the clipboard, where the terminal allows that.
  ///
  /// - Source: XTerm Control Sequences, OSC 52.
  package func copy(_ text: String) {
    device.write(Array("\u{1B}]52;c;".utf8) + Base64.encoded(text) + [0x07])
    watchDevice()
  }

  /// Ends ``run()``, with the status that came first.
  package func end(_ status: Int32) {
    self.status = self.status ?? status
    loop.stop()
  }

  /// Does what a program wants done.
  package func react(_ reaction: Reaction) {
    switch reaction {
    case .nothing: break
    case .redraw: isDirty = true
    case .quit(let status): end(status)
    case .suspend: suspend()
    }
  }

  private func takeOver() {
    device.takeOver(leaving: Screen.leavingBytes + screen.exitBytes)
    device.write(Screen.enteringBytes)
    isDirty = true
    lastFrame = nil
    watchDevice()
  }

  // What comes from the terminal.

  private func watchDevice() {
    watch?.watch(for: device.isWritten ? .readable : [.readable, .writable])
  }

  private func obey(_ readiness: DescriptorWatch.Readiness) {
    if readiness.contains(.writable) { device.flush() }
    if readiness.contains(.readable) { read() }
    watchDevice()
  }

  private func read() {
    switch device.read() {
    case .nothing: break
    case .end: end(Self.status(of: SIGHUP))
    case .bytes(let bytes):
      take(decoder.decode(bytes))
      patienceTimer?.cancel()
      guard let wait = decoder.wait else { return }
      patienceTimer = loop.timer(after: wait.patience) { [unowned self] in
        take(decoder.timeOut())
      }
    }
  }

  private func take(_ events: [InputEvent]) {
    for event in events where status == nil {
      if event == .key(.control("z")) {
        suspend()
      } else {
        react(onEvent(event))
      }
    }
  }

  // Drawing.

  private func drawIfDue() {
    guard status == nil, isDirty, device.isWritten else { return }
    if let lastFrame {
      let wait = lastFrame + Self.frameInterval - loop.now
      guard wait <= .zero else {
        if frameTimer?.isActive != true { frameTimer = loop.timer(after: wait) {} }
        return
      }
    }
    isDirty = false
    lastFrame = loop.now
    let bytes = screen.draw(onDraw(size))
    if !bytes.isEmpty {
      device.write(bytes)
      watchDevice()
    }
  }

  // Signals.

  private func watchSignals() throws(NetworkError) {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      _ = try loop.onSignal(signal) { [unowned self] in end(Self.status(of: signal)) }
    }
    _ = try loop.onSignal(SIGWINCH) { [unowned self] in resize() }
    _ = try loop.onSignal(SIGTSTP) { [unowned self] in suspend() }
    _ = try loop.onSignal(SIGCONT) { [unowned self] in comeBack() }
  }

  /// As shells have it for a process that a signal has ended.
  private static func status(of signal: Int32) -> Int32 { 128 + signal }

  private func resize() {
    let now = device.size
    guard now != size else { return }
    size = now
    isDirty = true
    take([.resize(now)])
  }

  /// Gives the terminal back and stops, with all processes that were started together; returns when
  /// the shell lets it go on.
  private func suspend() {
    // What has given the terminal back for good does not take it again.
    guard status == nil else { return }
    device.giveBack(leaving: screen.leave())
    Self.stopJob()
    takeOver()
    resize()
  }

  private static func stopJob() {
    var ignored = sigaction()
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    var former = sigaction()
    sigaction(SIGTSTP, &ignored, &former)
    kill(0, SIGTSTP)
    var usual = sigaction()
    usual.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &usual, nil)
    // The process stops here: unlike `kill`, this does not return before.
    raise(SIGTSTP)
    sigaction(SIGTSTP, &former, nil)
  }

  /// Somebody may have used the terminal meanwhile.
  private func comeBack() {
    guard status == nil else { return }
    _ = screen.leave()
    takeOver()
    resize()
  }
}

extension InputDecoder.Wait {
  /// How long to wait for bytes that may belong together.
  fileprivate var patience: Duration {
    switch self {
    // Long enough for a sequence that comes over a network in two parts, and hardly felt.
    case .sequence: .milliseconds(50)
    case .paste: .seconds(2)
    }
  }
}
