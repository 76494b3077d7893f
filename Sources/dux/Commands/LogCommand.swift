import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// `dux log`: which actions made the state what it is.
enum LogCommand {
  private static let after = Option(
    "after", .value("SEQ"), summary: "Begin behind this step; 0 for the first")
  private static let from = Option(
    "from", .value("TIME"),
    summary:
      "Begin with the first step at this time or later: 14:02, 2025-11-30T14:02:11, 15m (ago)")
  private static let limit = Option(
    "limit", letter: "n", .value("N"), summary: "Print so many steps at most", defaultValue: "100")

  static let tool = Tool(
    command: Command(
      name: "log", summary: "Print the steps of the log: when, who, what, and what it changed.",
      discussion: """
        Without --after and --from it prints the newest steps. Steps that the daemon takes by itself, \
        such as what an effect answers, are those of @duxd, with the client and the step they are \
        owed to: '@duxd for tty1 after 57'. With --json it prints the daemon's \
        lines, {"op":"entry",…}, with all actions and patches.
        """,
      options: [after, from, limit],
      examples: [
        Example("dux log -n 20", summary: "Print the newest 20 steps"),
        Example(
          "dux log --from 14:02", summary: "Print what happened since two minutes past two"),
        Example("dux log --after 0 --limit 1000000 --json", summary: "Print all that is kept"),
      ])
  ) { (call) throws(Failure) in
    let first = try call.value(of: after, as: .count(in: 0...Int.max))
    let time = try call.value(of: from, as: TimeText.reader(nowMs: ClockText.now()))
    let count =
      try call.value(of: limit, as: .count(in: 1...Limits.maximumLogEntries)) ?? 100
    guard first == nil || time == nil else {
      throw Failure(.usage, "--after and --from cannot both say where to begin")
    }
    let start: Request.LogRange.Start? =
      first.map { .after(SequenceNumber(Int64($0))) } ?? time.map { .time($0) }
    return try LogPrinting(Conversation(call), start: start, limit: count).run()
  }
}

/// One run of `dux log`.
private final class LogPrinting {
  private let conversation: Conversation
  private let start: Request.LogRange.Start?
  private let limit: Int
  private var hasAsked = false

  init(_ conversation: Conversation, start: Request.LogRange.Start?, limit: Int) {
    self.conversation = conversation
    self.start = start
    self.limit = limit
  }

  func run() throws(Failure) -> ExitStatus {
    try conversation.run { _ in
    } onEvent: { [self] (event) throws(Failure) in
      switch event {
      case .live(let welcome):
        if !hasAsked { ask(start ?? .after(newest(before: welcome.seq))) }
      case .answer(_, "entry", let json, _):
        print(json)
      case .answer(_, _, let json, _):
        end(json)
        return .success
      case .failed(_, let failure):
        try retry(failure)
      default:
        break
      }
      return nil
    }
  }

  private func newest(before head: SequenceNumber) -> SequenceNumber {
    SequenceNumber(max(0, head.value - Int64(limit)))
  }

  private func ask(_ start: Request.LogRange.Start) {
    hasAsked = true
    conversation.ask { _ = $0.log(.init(start: start, limit: limit)) }
  }

  /// The newest steps are asked for as far as they are kept; a place that was named is not moved.
  private func retry(_ failure: ServerMessage.Failure) throws(Failure) {
    guard failure.code == ErrorCode.compacted.rawValue,
      let floor = failure.json["floor"]?.integerValue
    else { throw Failure(failure) }
    guard start == nil else {
      throw Failure(
        .notFound, Failure.text(of: failure) + "; what is kept begins with --after \(floor)")
    }
    ask(.after(SequenceNumber(floor)))
  }

  private func print(_ json: JSON) {
    let output = conversation.call.output
    guard !conversation.call.isJSON else { return output.print(json.description) }
    let columns = output.terminal.isInteractive ? output.terminal.columns : Int.max / 2
    output.print(LogLine(style: output.style, columns: columns).text(of: json))
  }

  private func end(_ json: JSON) {
    conversation.call.output.flush()
    if start != nil, json["more"]?.boolValue == true, let seq = json["seq"]?.integerValue {
      conversation.call.note("there is more: go on with --after \(seq)")
    }
  }
}

/// A step of the log as a line for people.
struct LogLine {
  let style: Style
  let columns: Int

  /// The line of an `entry`.
  func text(of json: JSON) -> String {
    let seq = "\(json["seq"]?.integerValue ?? 0)"
    let time = ClockText.dayAndTime(json["time"]?.integerValue ?? 0)
    let author = StepText.author(of: json) ?? ""
    let types = StepText.types(of: json)
    let patch = json["patch"].flatMap { try? JSONPatch($0) } ?? JSONPatch()
    let used = seq.count + time.count + author.count + types.count + 8
    let changes = OperationText.summary(of: patch).cut(to: max(20, columns - used))
    return [
      style.bold(seq), style.faint(time), author, style.coloured(types, .cyan), changes,
    ].joined(separator: "  ")
  }
}
