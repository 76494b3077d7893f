import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxProtocol

/// `dux effects cancel`: ends effects by their keys.
enum CancelCommand {
  private static let keys = Argument(
    "KEY", .atLeastOne, summary: "Which effects, by the keys that 'dux effects' prints")

  static let tool = Tool(
    command: Command(
      name: "cancel", summary: "End effects, whatever they are doing.",
      discussion: """
        Prints 'cancelled KEY' for each once that is on the daemon's disk: no try begins any more, \
        and nothing that one under way still says reaches the state. A key that no effect has is told \
        on standard error, the others are cancelled all the same, and the exit status is 2.

        With --json it prints the daemon's answer for each key, {"key":"…","op":"cancelled",…} or \
        {"code":"not_found","key":"…","op":"error",…}.
        """,
      arguments: [keys],
      examples: [Example("dux effects cancel KEY", summary: "End one")])
  ) { (call) throws(Failure) in
    try Cancelling(Conversation(call), call.invocation.arguments(keys.name)).run()
  }
}

/// One run of `dux effects cancel`.
private final class Cancelling {
  private let conversation: Conversation
  private let keys: [String]
  private var asked: [RemoteSession.ReadTicket: String] = [:]
  private var status = ExitStatus.success

  /// Keys after which something is asked that is never refused: a daemon hangs up on a client all
  /// of whose requests are.
  private static let refusalsInARow = Limits.maximumRefusedLines / 2

  init(_ conversation: Conversation, _ keys: [String]) {
    self.conversation = conversation
    var seen: Set<[UInt8]> = []
    self.keys = keys.filter { seen.insert(Array($0.utf8)).inserted }
  }

  private var call: Call { conversation.call }

  func run() throws(Failure) -> ExitStatus {
    try conversation.run { [self] session in
      for (index, key) in keys.enumerated() {
        if index > 0, index % Self.refusalsInARow == 0 { _ = session.ping() }
        asked[session.cancel(key: key)] = key
      }
    } onEvent: { [self] (event) throws(Failure) in
      switch event {
      case .answer(let ticket, _, let json, _):
        guard let key = asked.removeValue(forKey: ticket) else { return nil }
        call.output.print(call.isJSON ? json.description : "cancelled " + key.printable)
      case .failed(let ticket?, let failure):
        try tell(failure, of: asked.removeValue(forKey: ticket) ?? "")
      case .failed(nil, let failure):
        throw Failure(failure)
      default:
        return nil
      }
      call.output.flush()
      return asked.isEmpty ? status : nil
    }
  }

  private func tell(_ failure: ServerMessage.Failure, of key: String) throws(Failure) {
    guard failure.code == ErrorCode.notFound.rawValue else { throw Failure(failure) }
    status = .notFound
    if call.isJSON {
      var object = failure.json.objectValue ?? [:]
      object["key"] = .string(key)
      call.output.print(JSON.object(object).description)
    } else {
      call.complaints.print("dux: " + Failure.text(of: failure))
      call.complaints.flush()
    }
  }
}
