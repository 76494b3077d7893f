import DuxCommandLine
import DuxJSON

/// The commands that send one action of the app `document`: `set`, `remove`, `merge`, `patch`,
/// `increment`, `append`, `insert`.
enum WriteCommands {
  static let all = [set, remove, merge, patch, increment, append, insert]

  private static let path = Argument("PATH", summary: "Where, as a JSON Pointer")
  private static let value = Argument("VALUE", summary: "JSON, or a bare word, which is a string")

  private static let set = tool(
    "set", "Put a value at a path; missing parent objects are made.", [path, value],
    examples: [
      Example("dux set /deploy/web v42", summary: "Set a string"),
      Example("dux set /limits '{\"cpu\":2,\"memory\":512}'", summary: "Set an object"),
      Example(
        "dux set /leader \"$HOSTNAME\" --if-missing /leader", summary: "Set what nobody has set"),
    ]
  ) { (call) throws(Failure) in
    ["path": try target(call), "value": try given(call, value)]
  }

  private static let remove = tool(
    "remove", "Take the value at a path away.", [path],
    examples: [
      Example("dux remove /deploy/web", summary: "Take a member away"),
      Example("dux remove /leader --if /leader=tty1", summary: "Only if it is still the same"),
    ]
  ) { (call) throws(Failure) in
    ["path": try target(call)]
  }

  private static let merge = tool(
    "merge", "Merge a value into the one at a path (RFC 7396: null removes).", [path, value],
    examples: [
      Example("dux merge /limits '{\"cpu\":4,\"disk\":null}'", summary: "Set one, remove another"),
      Example("dux merge \"\" '{\"ready\":true}'", summary: "Merge into the whole state"),
    ]
  ) { (call) throws(Failure) in
    ["path": try target(call), "value": try given(call, value)]
  }

  private static let operations = Argument(
    "OPS", summary: "The operations, a JSON array, or - to read it from standard input")

  private static let patch = tool(
    "patch", "Apply a JSON Patch (RFC 6902) to the whole state, all of it or nothing.",
    [operations],
    examples: [
      Example(
        "dux patch '[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/b\"}]'",
        summary: "Rename a member"
      ),
      Example("dux patch - < changes.json", summary: "Read the operations from a file"),
    ]
  ) { (call) throws(Failure) in
    let text = call.invocation.argument(operations.name) ?? ""
    let bytes = text == "-" ? try StandardInput.readAll() : Array(text.utf8)
    return ["ops": try ValueText.readJSON(bytes, as: operations.name)]
  }

  private static let by = Argument("BY", .optional, summary: "How much, 1 if left out")

  private static let increment = tool(
    "increment", "Add to the number at a path.", [path, by],
    examples: [
      Example("dux increment /visits", summary: "Add 1"),
      Example("dux increment /stock -3", summary: "Take 3 away"),
    ]
  ) { (call) throws(Failure) in
    guard let text = call.invocation.argument(by.name) else { return ["path": try target(call)] }
    let amount = try ValueText.read(text, as: by.name)
    switch amount {
    case .integer, .double: return ["path": try target(call), "by": amount]
    default: throw Failure(.usage, "BY \"\(text.printable)\" is no number")
    }
  }

  private static let append = tool(
    "append", "Add a value to the end of the array at a path.", [path, value],
    examples: [
      Example("dux append /todos '{\"title\":\"milk\"}'", summary: "Add an object to a list")
    ]
  ) { (call) throws(Failure) in
    ["path": try target(call), "value": try given(call, value)]
  }

  private static let index = Argument("INDEX", summary: "Before which item, from 0")

  private static let insert = tool(
    "insert", "Put a value into the array at a path, before an item.", [path, index, value],
    examples: [Example("dux insert /queue 0 urgent", summary: "Put a string first")]
  ) { (call) throws(Failure) in
    let text = call.invocation.argument(index.name) ?? ""
    guard let place = Int64(text), place >= 0 else {
      throw Failure(.usage, "INDEX \"\(text.printable)\" is no whole number from 0 on")
    }
    return ["path": try target(call), "index": .integer(place), "value": try given(call, value)]
  }

  private static func target(_ call: Call) throws(Failure) -> JSON {
    .string(try call.path().description)
  }

  private static func given(_ call: Call, _ argument: Argument) throws(Failure) -> JSON {
    try ValueText.read(call.invocation.argument(argument.name) ?? "", as: argument.name)
  }

  private static func tool(
    _ name: String, _ summary: String, _ arguments: [Argument], examples: [Example],
    payload: @escaping @Sendable (Call) throws(Failure) -> JSON
  ) -> Tool {
    Tool(
      command: Command(
        name: name, summary: summary, discussion: Writing.discussion, arguments: arguments,
        options: Conditions.options, examples: examples)
    ) { (call) throws(Failure) in
      try Writing.run(
        ["type": .string("doc/" + name), "payload": try payload(call)], call)
    }
  }
}
