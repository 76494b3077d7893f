import DuxCommandLine
import DuxJSON
import DuxProtocol

/// `dux dispatch`: actions of any app, one from the command line or many from standard input.
enum DispatchCommand {
  private static let type = Argument(
    "TYPE", .optional,
    summary: "Its type; without it, actions are read from standard input")
  private static let payload = Argument(
    "PAYLOAD", .optional, summary: "JSON, or a bare word, which is a string; null if left out")

  static let tool = Tool(
    command: Command(
      name: "dispatch", summary: "Send an action, or many from standard input.",
      discussion: """
        Standard input holds a step a line: an action, such as \
        {"type":"doc/increment","payload":{"path":"/n"}}, or an array of up to 1,000 actions that \
        happen in one step or not at all. Each step is taken exactly once, whatever becomes of the \
        connection and of the daemon meanwhile, and in order, but that one refused for the moment \
        comes behind those that were taken after it. Steps refused for good are told with the number \
        of their line; the others go on. A line that is no action ends the input. At the end the \
        counts are printed, and the exit status is 1 if any step was refused. Conditions hold for \
        each step.

        With --json it prints the daemon's answer to each step, {"op":"ack",…} or \
        {"op":"reject",…}, with "line" in it for those of standard input, and the counts on \
        standard error.
        """,
      arguments: [type, payload], options: Conditions.options,
      examples: [
        Example(
          "dux dispatch doc/set '{\"path\":\"/a\",\"value\":1}'", summary: "Send one action"),
        Example(
          "dux dispatch < actions.jsonl", summary: "Send one a line"),
      ])
  ) { (call) throws(Failure) in
    guard let name = call.invocation.argument(type.name) else {
      return try Feeding(Conversation(call), try Conditions.read(call.invocation.given)).run()
    }
    let text = call.invocation.argument(payload.name)
    var action: JSONObject = ["type": .string(name)]
    if let text { action["payload"] = try ValueText.read(text, as: payload.name) }
    return try Writing.run(.object(action), call)
  }
}
