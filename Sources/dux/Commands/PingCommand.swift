import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxNetwork

/// `dux ping`: whether the daemon answers, and how fast.
enum PingCommand {
  private static let count = Option(
    "count", letter: "n", .value("N"), summary: "Ask so many times, a second apart",
    defaultValue: "1")

  static let tool = Tool(
    command: Command(
      name: "ping", summary: "Ask the daemon for a sign of life, and time it.",
      discussion: """
        The time is that from the request to the answer, on an open connection. With --json it \
        prints {"ms":0.213,"op":"pong","seq":58} for each answer.
        """,
      options: [count],
      examples: [
        Example("dux ping", summary: "Ask once"),
        Example("dux ping --count 5", summary: "Ask five times"),
      ])
  ) { (call) throws(Failure) in
    let wanted = try call.value(of: count, as: .count(in: 1...1_000_000)) ?? 1
    return try Pinging(Conversation(call), count: wanted).run()
  }
}

/// One run of `dux ping`.
private final class Pinging {
  private let conversation: Conversation
  private var left: Int
  private var askedAt: ContinuousClock.Instant?

  init(_ conversation: Conversation, count: Int) {
    self.conversation = conversation
    left = count
  }

  func run() throws(Failure) -> ExitStatus {
    try conversation.run { _ in
    } onEvent: { [self] (event) throws(Failure) in
      switch event {
      case .live:
        if askedAt == nil { ask() }
        return nil
      case .answer(_, _, let json, _):
        tell(json)
        return left == 0 ? .success : nil
      default:
        return nil
      }
    }
  }

  private func ask() {
    conversation.awaitsAnswer = true
    askedAt = ContinuousClock().now
    conversation.ask { _ = $0.ping() }
  }

  private func tell(_ json: JSON) {
    guard let askedAt else { return }
    let call = conversation.call
    let (seconds, attoseconds) = (ContinuousClock().now - askedAt).components
    let ms = Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    let seq = json["seq"] ?? 0
    if call.isJSON {
      let rounded = JSON.double((ms * 1_000).rounded() / 1_000)
      call.output.print(JSON.object(["op": "pong", "seq": seq, "ms": rounded]).description)
    } else {
      call.output.print("seq \(seq) from \(call.endpoint) in \(ms.fixed(2)) ms")
    }
    call.output.flush()
    left -= 1
    guard left > 0 else { return }
    conversation.awaitsAnswer = false
    conversation.loop.timer(after: .seconds(1)) { [self] in ask() }
  }
}
