import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxNetwork

/// `dux status`: how the daemon is.
enum StatusCommand {
  static let tool = Tool(
    command: Command(
      name: "status", summary: "Print how the daemon is: versions, position, sizes, connections.",
      discussion: "With --json it prints the daemon's answer, {\"op\":\"status\",…}.",
      examples: [Example("dux status", summary: "Print a table")])
  ) { (call) throws(Failure) in
    try Conversation(call).run {
      _ = $0.status()
    } onEvent: { (event) throws(Failure) in
      switch event {
      case .answer(_, _, let json, _):
        if call.isJSON {
          call.output.print(json.description)
        } else {
          for line in table(json, place: call.endpoint.description, call.output.style) {
            call.output.print(line)
          }
        }
        call.output.flush()
        return .success
      case .failed(_, let failure):
        throw Failure(failure)
      default:
        return nil
      }
    }
  }

  /// The answer as a table; what an older or newer daemon does not tell is left out.
  static func table(_ json: JSON, place: String, _ style: Style) -> [String] {
    func number(_ name: String, _ text: (Int64) -> String = { $0.grouped }) -> String? {
      json[name]?.integerValue.map(text)
    }
    func word(_ name: String) -> String? { json[name]?.stringValue?.printable }
    func words(_ name: String, _ separator: String) -> String? {
      let words = (json[name]?.arrayValue ?? []).compactMap(\.stringValue?.printable)
      return words.isEmpty ? nil : words.joined(separator: separator)
    }
    /// What is only worth a line where there is any.
    func some(_ name: String, _ text: (Int64) -> String) -> String? {
      json[name]?.integerValue.flatMap { $0 > 0 ? text($0) : nil }
    }
    let log = [
      number("logEntries") { $0.counted("step") }, number("logBytes") { $0.byteText },
      number("floor") { "from seq \($0 + 1) on" },
      number("checkpointSeq") { "checkpoint at \($0)" },
    ]
    let state = [
      number("stateBytes") { $0.byteText }, number("stateDepth") { $0.counted("level") },
    ]
    let rows: [(String, String?)] = [
      ("daemon", word("server").map { "\($0) at \(place)" }),
      ("process", number("pid") { String($0) }),
      ("up", number("uptimeMs", ClockText.span)),
      ("app", word("app").map { "\($0), version \(number("appVersion") ?? "?")" }),
      ("seq", number("seq")),
      ("epoch", word("epoch")),
      ("state", joined(state)),
      ("log", joined(log)),
      ("durability", word("durability")),
      ("writes", json["readOnly"]?.boolValue.map { $0 ? "refused, the disk is full" : "taken" }),
      ("clients", number("clients")),
      ("subscriptions", number("subscriptions")),
      ("pipeline", words("pipeline", " → ")),
      ("effects", some("effects") { "\($0.grouped), see 'dux effects'" }),
      (
        "unknown slices",
        words("unknownSlices", ", ").map { "\($0): kept until the app knows them again" }
      ),
      (
        "unknown types",
        some("unknownActions") { "\($0.counted("action")) refused since the start" }
      ),
      (
        "late actions",
        some("lateActions") {
          "\($0.grouped) dropped since the start: their effects were cancelled"
        }
      ),
    ]
    return rows.compactMap { label, text in
      text.map { style.bold(label) + String(repeating: " ", count: 15 - label.count) + $0 }
    }
  }

  private static func joined(_ parts: [String?]) -> String? {
    let present = parts.compactMap { $0 }
    return present.isEmpty ? nil : present.joined(separator: ", ")
  }
}
