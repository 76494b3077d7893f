import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxProtocol

/// `dux who`: who is connected, and what each says of itself.
enum WhoCommand {
  private static let watch = Option(
    "watch", letter: "w", .flag, summary: "Go on, and tell who comes, leaves or says something else"
  )

  static let tool = Tool(
    command: Command(
      name: "who", summary: "Print who is connected, since when, and what each says of itself.",
      discussion: """
        This call leaves itself out. Programs say of themselves what they like: 'dux watch' says what \
        it follows. One that said something and is then silent for two and a half heartbeats is taken \
        for gone, until it is heard again; one that never said anything is shown as long as its \
        connection lasts.

        With --watch, a line tells of each change: + came, ~ says something else or has a new \
        connection, - left. A lost connection is made again by itself, without limit. Ctrl-C ends it.

        With --json it prints an object for each, {"client":"tty1","serial":17,"sinceMs":…,"state":…}, \
        and with --watch lines of the protocol, {"op":"snapshot",…} and {"op":"patch",…}, in which \
        this call is one of all.
        """,
      options: [watch],
      examples: [
        Example("dux who", summary: "Print a table"),
        Example("dux who --watch", summary: "Follow who comes and goes"),
        Example("dux who --json | wc -l", summary: "Count the others"),
      ])
  ) { (call) throws(Failure) in
    let isWatch = try call.isOn(watch)
    let conversation = try Conversation(call, patience: isWatch ? .endless : .limited)
    return try Looking(conversation, isWatch: isWatch).run()
  }
}

/// One run of `dux who`.
private final class Looking {
  private let conversation: Conversation
  private let isWatch: Bool
  private let view: WhoView
  private var others: [PresentClient] = []
  private var hasBegun = false

  init(_ conversation: Conversation, isWatch: Bool) {
    self.conversation = conversation
    self.isWatch = isWatch
    let terminal = conversation.call.output.terminal
    view = WhoView(
      style: conversation.call.output.style,
      columns: terminal.isInteractive ? terminal.columns : .max / 8)
  }

  private var call: Call { conversation.call }

  func run() throws(Failure) -> ExitStatus {
    if isWatch { conversation.endWhenAbandoned() }
    return try conversation.run { [self] session in
      if isWatch { session.say("dux who") }
      session.subscribeToPresence()
      // Behind its answer nothing is missing that was there when it was asked.
      if !isWatch { _ = session.ping() }
    } onEvent: { [self] (event) throws(Failure) in
      switch event {
      case .snapshot(let replica, let reason, _):
        try take(snapshot: replica, reason)
      case .patch(let patch, _, let replica, _):
        try take(patch, replica)
      case .answer:
        printAll()
        return .success
      case .failed(_, let failure):
        throw Failure(failure)
      default:
        break
      }
      return nil
    }
  }

  private func take(snapshot replica: Replica, _ reason: String?) throws(Failure) {
    let before = others
    others = try read(replica)
    guard isWatch else { return }
    if call.isJSON {
      call.output.print(WatchView.json(snapshot: replica, reason: reason).description)
    } else if hasBegun {
      call.output.print(contentsOf: view.changes(from: before, to: others, nowMs: ClockText.now()))
    } else {
      call.output.print(contentsOf: view.table(others, nowMs: ClockText.now()))
    }
    hasBegun = true
    call.output.flush()
  }

  private func take(_ patch: ServerMessage.Patch, _ replica: Replica) throws(Failure) {
    let before = others
    others = try read(replica)
    guard isWatch else { return }
    if call.isJSON {
      call.output.print(patch.json.description)
    } else {
      call.output.print(contentsOf: view.changes(from: before, to: others, nowMs: ClockText.now()))
    }
    call.output.flush()
  }

  private func printAll() {
    if call.isJSON {
      call.output.print(contentsOf: others.map(\.json.description))
    } else if others.isEmpty {
      call.note("nobody else is connected")
    } else {
      call.output.print(contentsOf: view.table(others, nowMs: ClockText.now()))
    }
    call.output.flush()
  }

  /// Those who are there, but for this call.
  private func read(_ replica: Replica) throws(Failure) -> [PresentClient] {
    do throws(RequestError) {
      return try PresentClient.all(in: replica.value)
        .filter { ByteText($0.client) != ByteText(call.client) }
    } catch {
      throw Failure(.internal, "who is connected cannot be read: " + error.message)
    }
  }
}
