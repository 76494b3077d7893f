import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxLog
import DuxNetwork

/// `dux wait`: waits for a value.
enum WaitCommand {
  private static let until = Option(
    "until", .value("EXPR"), summary: "What has to hold of the value; without it any change will do"
  )

  static let tool = Tool(
    command: Command(
      name: "wait", summary: "Wait until a value changes, or is as it should be, and print it.",
      discussion: """
        With --until it returns as soon as EXPR holds, at once if it holds already: what matters is \
        the value, so that nothing is missed that happens before it begins to look. Without it, it \
        returns with the first change after it has begun; to wait for the next change of a value that \
        was read before, write --until '!= VALUE'.

        EXPR is one of exists, missing, == VALUE, != VALUE, < VALUE, > VALUE, <= VALUE, >= VALUE and \
        contains VALUE, or several of them with and, or, not and parentheses. A JSON Pointer before it \
        asks about what is below PATH. VALUE is JSON or a bare word, which is a string. Numbers are \
        compared by value, strings by their bytes; what has no order, or is not there, is neither less \
        nor greater. An array contains an equal element, an object a key, a string a part.

        Prints the value in one line, an empty line where there is none; with --json it prints \
        {"path":…,"seq":…,"value":…}, or "missing":true in place of the value.

        --timeout is here how long to wait at most, without limit if left out; after that the exit \
        status is 124. A lost connection is made again by itself.
        """,
      arguments: [
        Argument("PATH", .optional, summary: "Which value; the whole state if left out")
      ], options: [until],
      examples: [
        Example("dux wait /deploy/web --until '== v42'", summary: "Wait for a value"),
        Example(
          "dux wait /jobs --until '/left == 0 or /failed exists' --timeout 5m",
          summary: "Wait for one of two things, and not for ever"),
        Example("dux wait /@leases/deploy --until missing", summary: "Wait until a lease is free"),
        Example("dux wait /config", summary: "Wait for the next change"),
      ])
  ) { (call) throws(Failure) in
    let expression: Expression?
    if let text = try call.value(of: until, as: .text) {
      expression = try Expression(text)
    } else {
      expression = nil
    }
    return try run(call, try call.path(), expression)
  }

  private static func run(
    _ call: Call, _ path: JSONPointer, _ expression: Expression?
  ) throws(Failure) -> ExitStatus {
    let conversation = try Conversation(call, patience: .endless)
    var following = Following()
    if let limit = call.givenTimeout {
      conversation.loop.timer(after: limit) { [unowned conversation] in
        conversation.finish(.failure(late(limit, path, expression, following)))
      }
    }
    return try conversation.run {
      $0.say("dux wait", at: path)
      $0.subscribe(to: path, withActions: false)
    } onEvent: { (event) throws(Failure) in
      guard let news = try following.take(event) else { return nil }
      guard expression.map({ $0.holds(for: following.value) }) ?? (news == .changed) else {
        return nil
      }
      print(following, path, call)
      return .success
    }
  }

  private static func late(
    _ limit: Duration, _ path: JSONPointer, _ expression: Expression?, _ following: Following
  ) -> Failure {
    let place = PathText.name(path)
    let span = DurationText.text(limit)
    guard following.seq != nil else {
      return Failure(.timedOut, "\(place) is not known after \(span)")
    }
    let now = following.value.map { "is " + $0.shortText(60) } ?? "is missing"
    return Failure(
      .timedOut,
      expression == nil
        ? "\(place) did not change within \(span)"
        : "\(place) \(now) after \(span), and does not fulfil --until")
  }

  private static func print(_ following: Following, _ path: JSONPointer, _ call: Call) {
    guard !call.isJSON else {
      var object: JSONObject = ["path": .string(path.description)]
      object["seq"] = following.seq.map { .integer($0.value) }
      if let value = following.value {
        object["value"] = value
      } else {
        object["missing"] = true
      }
      call.output.print(JSON.object(object).description)
      return call.output.flush()
    }
    guard let value = following.value else {
      call.output.print("")
      return call.output.flush()
    }
    call.printValue(value)
  }
}
