import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxNetwork

/// `dux exec`: runs a command for a value, and again whenever it changes.
enum ExecCommand {
  private static let initial = Option(
    "initial", .flag, summary: "Run it for the value as it is at the beginning",
    defaultValue: "true")
  private static let noInitial = Option(
    "no-initial", .flag, summary: "Run it for changes alone, the same as --initial=false")
  private static let once = Option(
    "once", .flag, summary: "Run it once, and end with its exit status")
  private static let words = Argument(
    "CMD", .atLeastOne, summary: "The command and its arguments, behind --")

  static let tool = Tool(
    command: Command(
      name: "exec", summary: "Run a command for a value, and again whenever it changes.",
      discussion: """
        The command gets the value as one line of JSON on standard input (nothing where there is no \
        value) and in the environment: DUX_PATH, DUX_SEQ, and DUX_VALUE with the JSON; where there is \
        no value DUX_MISSING is 1 and DUX_VALUE is not set, nor is it for a value of more than 100,000 \
        bytes. DUX_CONNECT tells it the same daemon.

        One runs at a time. What changes while it runs makes it run once more, for the newest value. \
        How it ends does not matter, but for a line on standard error; with --once its exit status is \
        that of dux. Signals are passed on to it, and end dux once it has ended; it is ended when dux \
        ends, with SIGTERM and after 5 s with SIGKILL.

        A lost connection is made again by itself, without limit. Exit status 126 or 127: the command \
        cannot be run, or there is none.
        """,
      arguments: [Argument("PATH", summary: "Which value; '' is the whole state"), words],
      options: [initial, noInitial, once],
      examples: [
        Example(
          "dux exec /nginx -- sh -c 'cat > /etc/nginx/conf.json; nginx -s reload'",
          summary: "Keep a file like a value"),
        Example(
          "dux exec /build --no-initial -- make", summary: "Build whenever somebody says so"),
        Example(
          "dux exec /deploy/web --once --no-initial -- ./deploy.sh",
          summary: "Deploy at the next change"),
      ])
  ) { (call) throws(Failure) in
    let path = try call.path()
    let isInitial = try call.isOn(noInitial) ? false : call.isOn(initial)
    let conversation = try Conversation(call, patience: .endless)
    let program = RunningProgram(conversation, call.invocation.arguments(words.name))
    return try Executing(conversation, program, path, initial: isInitial, once: call.isOn(once))
      .run()
  }
}

/// One run of `dux exec`.
private final class Executing {
  private let conversation: Conversation
  private let program: RunningProgram
  private let path: JSONPointer
  private let isInitial: Bool
  private let isOnce: Bool
  private var following = Following()
  /// Whether the value is one that the command has not been run for.
  private var isDue = false

  /// A variable with more than that may not fit beside the others.
  private static let greatestVariable = 100_000

  init(
    _ conversation: Conversation, _ program: RunningProgram, _ path: JSONPointer, initial: Bool,
    once: Bool
  ) {
    self.conversation = conversation
    self.program = program
    self.path = path
    isInitial = initial
    isOnce = once
  }

  func run() throws(Failure) -> ExitStatus {
    try program.watchSignals { [unowned self] _ in
      if !program.isRunning { conversation.finish(.success(.interrupted)) }
    }
    let status = try conversation.run { [self] in
      $0.say("dux exec", at: path)
      $0.subscribe(to: path, withActions: false)
    } onEvent: { [self] (event) throws(Failure) in
      guard let news = try following.take(event) else { return nil }
      if news == .changed || isInitial { isDue = true }
      try startIfDue()
      return nil
    }
    if !isOnce || status == .interrupted { program.endAsAsked() }
    return status
  }

  private func startIfDue() throws(Failure) {
    guard isDue, !program.isRunning, program.endSignal == nil else { return }
    isDue = false
    try program.start(variables, input: .bytes(input)) { [unowned self] in ended($0) }
  }

  private func ended(_ end: ChildProcess.End) {
    let status = ExitStatus(rawValue: end.status)
    guard program.endSignal == nil, !isOnce else { return conversation.finish(.success(status)) }
    switch end {
    case .exited(0): break
    case .exited(let code): conversation.call.note("\(program.name) ended with status \(code)")
    case .killed(let signal):
      conversation.call.note("\(program.name) was ended by signal \(signal)")
    }
    do throws(Failure) {
      try startIfDue()
    } catch {
      conversation.finish(.failure(error))
    }
  }

  private var input: [UInt8] {
    guard let value = following.value else { return [] }
    return value.bytes + [UInt8(ascii: "\n")]
  }

  private var variables: [String: String?] {
    var variables: [String: String?] = [
      "DUX_PATH": path.description, "DUX_SEQ": following.seq.map { "\($0)" },
      "DUX_MISSING": String?.none, "DUX_VALUE": String?.none,
    ]
    guard let value = following.value else {
      variables["DUX_MISSING"] = "1"
      return variables
    }
    if value.encodedByteCount <= Self.greatestVariable {
      variables["DUX_VALUE"] = value.description
    }
    return variables
  }
}
