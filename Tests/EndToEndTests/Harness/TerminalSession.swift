import Foundation

/// A program on a terminal of a test's own: a private tmux server with one window.
///
/// Nothing of the user's tmux is read or touched, and server and program end with the session. Waiting is
/// for what the screen shows, never for time.
///
/// ```swift
/// let terminal = try TerminalSession([programs + "/dux-todos", "--connect", daemon.address])
/// try terminal.wait(for: "No todos")
/// try terminal.type("a")
/// try terminal.press("Enter")
/// try terminal.wait { $0.lines[0].hasPrefix("1 todo") }
/// ```
final class TerminalSession {
  /// What the terminal shows.
  struct Screen: Equatable, CustomStringConvertible {
    /// The lines, blanks at their ends left out.
    let lines: [String]
    /// The cursor's column and row, from 0.
    let cursor: (column: Int, row: Int)
    let isCursorVisible: Bool
    /// Whether a program has the terminal's other screen, as `vi` does.
    let isAlternate: Bool
    /// Whether clicks go to the program.
    let takesMouse: Bool

    var text: String { lines.joined(separator: "\n") }
    var description: String { text }

    func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    static func == (left: Screen, right: Screen) -> Bool {
      left.lines == right.lines && left.cursor == right.cursor
    }
  }

  private let folder: TemporaryFolder
  private let socket: String
  private var serverPid: pid_t = -1
  /// The process that was started: the program, or the shell it runs in.
  private(set) var pid: pid_t = -1

  /// Whether there is a tmux to test with.
  static let isAvailable =
    ProcessInfo.processInfo.environment["PATH"]?
    .split(separator: ":").contains { access("\($0)/tmux", X_OK) == 0 } ?? false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: the program's path and its arguments.
  ///   - columns: how wide the terminal is.
  ///   - rows: how high it is.
  ///   - environment: what the program finds beside the usual; `TERM` is `tmux-256color`.
  /// - Throws: what kept tmux or the program from starting.
  init(
    _ command: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws {
    folder = try TemporaryFolder()
    socket = folder("tmux")
    try Data(Self.configuration.utf8).write(to: URL(fileURLWithPath: folder("tmux.conf")))
    let variables = environment.map { "\($0)=\($1)" }
    try tmux(
      ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "--", "env"] + variables + command)
    let pids = try tmux(["display-message", "-p", "#{pid} #{pane_pid}"]).split(separator: " ")
    guard pids.count == 2, let server = pid_t(pids[0]), let pane = pid_t(pids[1]) else {
      throw Unexpected("tmux says \(pids) of its processes")
    }
    serverPid = server
    pid = pane
  }

  /// Starts a shell, to see what a program leaves behind; the first thing on screen is `ready$`.
  static func shell(columns: Int = 80, rows: Int = 24) throws -> TerminalSession {
    let session = try TerminalSession(
      ["bash", "--norc", "--noprofile", "-i"], columns: columns, rows: rows,
      environment: ["PS1": "ready$ ", "HISTFILE": ""])
    try session.wait(for: "ready$")
    return session
  }

  /// Starts a front end as a client of a daemon, and waits until it is live.
  static func frontEnd(
    _ program: String, as name: String, on daemon: DaemonProcess
  ) throws -> TerminalSession {
    let session = try TerminalSession([
      programs + "/" + program, "--connect", "\(daemon.host):\(daemon.port)", "--client", name,
    ])
    try session.wait(for: "● live")
    return session
  }

  deinit {
    end()
  }

  /// Ends the program and the terminal.
  func end() {
    guard serverPid > 0 else { return }
    _ = try? tmux(["kill-server"])
    // The terminal has hung up; a program that does not mind is not waited for.
    if kill(pid, 0) == 0 { kill(pid, SIGKILL) }
    serverPid = -1
  }

  private static let configuration = """
    set -g default-terminal tmux-256color
    set -g status off
    set -g remain-on-exit on
    set -g escape-time 0
    set -g exit-empty on
    set -g mouse off
    set -g update-environment ''
    set -g history-limit 0
    set -s set-clipboard off

    """

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let result = try run(
      [
        "env", "-u", "TMUX", "-u", "NO_COLOR", "LC_ALL=C.UTF-8", "tmux", "-f", folder("tmux.conf"),
        "-S", socket,
      ]
        + arguments)
    guard result.end == .code(0) else {
      throw Unexpected("tmux \(arguments): \(result.errors)")
    }
    return result.output.hasSuffix("\n") ? String(result.output.dropLast()) : result.output
  }

  // What is done to it.

  /// Types a text, character by character.
  func type(_ text: String) throws {
    try tmux(["send-keys", "-l", "--", text])
  }

  /// Presses keys by tmux's names for them, such as `Enter`, `C-c`, `M-x`, `Up`, `F1`, `Escape`.
  func press(_ keys: String...) throws {
    try tmux(["send-keys", "--"] + keys)
  }

  /// Sends bytes as if the terminal had, to a program or a shell.
  func send(_ bytes: [UInt8]) throws {
    try tmux(["send-keys", "-H"] + bytes.map { String($0, radix: 16) })
  }

  /// Pastes bytes as the user's terminal would.
  func paste(_ bytes: [UInt8]) throws {
    let file = folder("paste")
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try tmux(["load-buffer", file])
    try tmux(["paste-buffer", "-p", "-r", "-d"])
  }

  /// Clicks in a cell, counted from 0.
  func click(column: Int, row: Int) throws {
    let place = "\(column + 1);\(row + 1)"
    try send(Array("\u{1B}[<0;\(place)M\u{1B}[<0;\(place)m".utf8))
  }

  /// Turns the wheel in a cell, counted from 0.
  func wheel(_ notches: Int, column: Int, row: Int) throws {
    let notch = "\u{1B}[<\(notches < 0 ? 64 : 65);\(column + 1);\(row + 1)M"
    try send(Array(String(repeating: notch, count: abs(notches)).utf8))
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Sends a signal to the process that was started.
  func signal(_ signal: Int32) {
    kill(pid, signal)
  }

  /// The terminal's device.
  var devicePath: String {
    get throws { try tmux(["display-message", "-p", "#{pane_tty}"]) }
  }

  // What is seen of it.

  /// What the terminal shows now.
  func screen() throws -> Screen {
    let facts =
      "#{cursor_x} #{cursor_y} #{cursor_flag} #{alternate_on} #{mouse_any_flag}"
    let text = try tmux(["display-message", "-p", facts, ";", "capture-pane", "-p", "-N"])
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.reversed().drop { $0 == " " }.reversed().map(String.init).joined()
    }
    let numbers = lines.removeFirst().split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 5 else { throw Unexpected("tmux says \(numbers) of its pane") }
    return Screen(
      lines: lines, cursor: (numbers[0], numbers[1]), isCursorVisible: numbers[2] == 1,
      isAlternate: numbers[3] == 1, takesMouse: numbers[4] == 1)
  }

  /// The screen with the sequences for colours and attributes in it.
  func styledText() throws -> String {
    try tmux(["capture-pane", "-p", "-e"])
  }

  /// Waits until the screen is as wanted.
  ///
  /// - Returns: the screen.
  /// - Throws: ``Unexpected``, with the screen, where it has not become so in time.
  @discardableResult
  func wait(
    _ deadline: Deadline = Deadline(), until isThere: (Screen) -> Bool
  ) throws -> Screen {
    while true {
      let screen = try screen()
      if isThere(screen) { return screen }
      guard !deadline.hasPassed else {
        throw Unexpected("the screen has not become what was waited for:\n\(screen.text)")
      }
      // Another look is no use before the program had a moment; and tests share the machine.
      var nothing = pollfd(fd: -1, events: 0, revents: 0)
      poll(&nothing, 1, Self.pauseMilliseconds)
    }
  }

  private static let pauseMilliseconds: Int32 = 10

  /// Waits until a text is seen.
  @discardableResult
  func wait(for text: String, _ deadline: Deadline = Deadline()) throws -> Screen {
    do {
      return try wait(deadline) { $0.contains(text) }
    } catch let error as Unexpected {
      throw Unexpected("no “\(text)”: \(error)")
    }
  }

  /// Waits until the process that was started has ended.
  ///
  /// - Returns: how it ended.
  func waitForEnd(_ deadline: Deadline = Deadline()) throws -> ChildProcess.End {
    while true {
      let facts = try tmux(
        ["display-message", "-p", "#{pane_dead} #{pane_dead_status} #{pane_dead_signal}"])
      let words = facts.split(separator: " ", omittingEmptySubsequences: false)
      // A pane is dead from the end of its output on; how its process ended is known a little later.
      if words.first == "1", words.count == 3 {
        if let signal = Int32(words[2]) { return .signal(signal) }
        if let code = Int32(words[1]) { return .code(code) }
        // tmux 3.3a has seen the terminal closed and misses now and then that its child has ended.
        kill(serverPid, SIGCHLD)
      }
      guard !deadline.hasPassed else { throw Unexpected("process \(pid) has not ended in time") }
      var nothing = pollfd(fd: -1, events: 0, revents: 0)
      poll(&nothing, 1, Self.pauseMilliseconds)
    }
  }

  /// How much processor time the process that was started has used, in clock ticks of 10 ms.
  var processorTicks: Int {
    get throws {
      let stat = try String(decoding: contents(of: "/proc/\(pid)/stat"), as: UTF8.self)
      // The name, in parentheses, may hold anything; utime and stime are the 12th and 13th after it.
      let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
      guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
        throw Unexpected("no times in the status of process \(pid)")
      }
      return user + system
    }
  }
}
