import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxLog
import DuxNetwork
import DuxProtocol

/// `dux watch`: the value at a path, and every change of it.
enum WatchCommand {
  private static let patches = Option(
    "patches", .flag, summary: "Print the patches (RFC 6902), not the value")
  private static let actions = Option(
    "actions", .flag, summary: "Print the actions that made each change, too")
  private static let since = Option(
    "since", .value("SEQ"), summary: "Go on behind this step; together with --epoch")
  private static let epoch = Option(
    "epoch", .value("EPOCH"), summary: "The life of the log that SEQ belongs to ('dux status')")
  private static let wait = Option(
    "wait", .flag, summary: "Wait for a daemon that is not there yet")

  static let tool = Tool(
    command: Command(
      name: "watch", summary: "Print the value at a path, and again whenever it changes.",
      discussion: """
        On a terminal each change has a header with its seq, time, client and type, and what changed \
        is marked in the value: + new, ~ replaced, - gone. A value longer than the screen is not \
        shown; the changed paths are. Elsewhere the value alone is printed, in one line for each \
        change, empty where there is none. With --patches or --actions it is printed as on a terminal.

        With --json it prints lines of the protocol as they come: {"op":"snapshot",…}, \
        {"op":"resumed",…} and {"op":"patch",…}, big snapshots in one line.

        A lost connection is made again by itself, without limit, and no change is missed or printed \
        twice: where that cannot be, a new snapshot says why. Ctrl-C ends it.
        """,
      arguments: [
        Argument("PATH", .optional, summary: "What to follow, else the whole state")
      ],
      options: [patches, actions, since, epoch, wait],
      examples: [
        Example("dux watch /deploy", summary: "Follow a part of the state"),
        Example("dux watch --patches --actions", summary: "Follow every step, and who did what"),
        Example("dux watch /deploy/web | head -1", summary: "Print the value once, in one line"),
        Example("dux watch --json > changes.jsonl", summary: "Record every change"),
      ])
  ) { (call) throws(Failure) in
    let patience: Conversation.Patience = try call.isOn(wait) ? .endlessFromStart : .endless
    return try Watching(Conversation(call, patience: patience), request(call)).run()
  }

  /// What to subscribe to, and how to show it.
  fileprivate struct Request {
    let view: WatchView
    let withActions: Bool
    let position: DuxProtocol.Request.Position?
  }

  private static func request(_ call: Call) throws(Failure) -> Request {
    let isPatches = try call.isOn(patches)
    let withActions = try call.isOn(actions)
    let isForPeople = call.output.terminal.isInteractive || isPatches || withActions
    let view = WatchView(
      path: try call.path(), form: call.isJSON ? .json : isForPeople ? .people : .values,
      detail: isPatches ? .patches : .value, style: call.output.style,
      columns: call.output.terminal.isInteractive ? call.output.terminal.columns : .max / 8,
      // A header, and room for the prompt.
      rows: call.output.terminal.isInteractive ? max(4, call.output.rows - 2) : .max / 8)
    return Request(view: view, withActions: withActions, position: try position(call))
  }

  private static func position(
    _ call: Call
  ) throws(Failure) -> DuxProtocol.Request.Position? {
    let seq = try call.value(of: since, as: .count(in: 0...Int.max))
    let epoch = try call.value(of: epoch, as: .text)
    switch (seq, epoch) {
    case (nil, nil): return nil
    case (let seq?, let epoch?): return .init(epoch: epoch, seq: SequenceNumber(Int64(seq)))
    case (_?, nil):
      throw Failure(.usage, "--since needs --epoch, for a seq means nothing in another log")
    case (nil, _?): throw Failure(.usage, "--epoch needs --since")
    }
  }
}

/// One run of `dux watch`.
private final class Watching {
  private let conversation: Conversation
  private let request: WatchCommand.Request
  private var hasBegun = false

  init(_ conversation: Conversation, _ request: WatchCommand.Request) {
    self.conversation = conversation
    self.request = request
  }

  func run() throws(Failure) -> ExitStatus {
    conversation.endWhenAbandoned()
    let view = request.view
    return try conversation.run { [self] session in
      session.say("dux watch", at: view.path)
      if let position = request.position {
        // The patches say what changes in the value of that time, which has to be known first.
        _ = session.get(view.path, at: position.seq)
      } else {
        session.subscribe(to: view.path, withActions: request.withActions)
      }
    } onEvent: { [self] (event) throws(Failure) in
      try handle(event, view)
      return nil
    }
  }

  private func handle(_ event: RemoteSession.Event, _ view: WatchView) throws(Failure) {
    switch event {
    case .answer(_, _, let json, _):
      subscribe(from: json["value"])
    case .failed(_?, _):
      // The answer to the subscription says why the position can't be gone on from.
      subscribe(from: nil)
    case .failed(nil, let failure):
      throw Failure(failure)
    case .snapshot(let replica, let reason, _):
      if hasBegun || reason != nil { noteSnapshot(reason) }
      print(view.lines(snapshot: replica, reason: reason))
    case .resumed(let replica, let seq, let head):
      if hasBegun { conversation.call.note("back at seq \(head), nothing missed") }
      print(view.lines(resumed: replica, from: seq, head: head))
    case .patch(let patch, let before, let replica, _):
      print(view.lines(patch: patch, before: before, after: replica.value))
    default:
      break
    }
  }

  private func subscribe(from value: JSON?) {
    guard let position = request.position else { return }
    let replica = Replica(
      path: request.view.path.description, value: value, position: position)
    conversation.ask {
      $0.subscribe(to: request.view.path, withActions: request.withActions, from: replica)
    }
  }

  private func noteSnapshot(_ reason: String?) {
    let why =
      switch reason {
      case "epoch": "epoch: the daemon's log is another one"
      case "ahead": "ahead: the daemon has lost what was seen here"
      case "compacted": "compacted: the changes in between are no longer kept"
      case "lagged": "lagged: too far behind to be sent every change"
      case let other: other ?? "begun anew"
      }
    conversation.call.note("\(hasBegun ? "back with " : "")a new snapshot (\(why.printable))")
  }

  private func print(_ lines: [String]) {
    hasBegun = true
    let output = conversation.call.output
    lines.forEach(output.print)
    output.flush()
  }
}
