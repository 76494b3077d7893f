import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// `dux get`: the value at a path, now or as it was.
enum GetCommand {
  private static let at = Option(
    "at", .value("SEQ"), summary: "The value right after this step, instead of now")

  static let tool = Tool(
    command: Command(
      name: "get", summary: "Print the value at a path.",
      discussion: """
        On a terminal the value is printed for people, otherwise (and with --json) in one line in \
        canonical form. Where there is no value, nothing is printed and the exit status is 2.
        """,
      arguments: [Argument("PATH", .optional, summary: "Which value; the whole state if left out")],
      options: [at],
      examples: [
        Example("dux get", summary: "Print the whole state"),
        Example("dux get /deploy/web", summary: "Print one value"),
        Example("dux get /deploy --at 40", summary: "Print what it was right after step 40"),
      ]), run: run)

  @Sendable private static func run(_ call: Call) throws(Failure) -> ExitStatus {
    let path = try call.path()
    let seq = try call.value(of: at, as: .count(in: 0...Int.max)).map { SequenceNumber(Int64($0)) }
    return try Conversation(call).run {
      _ = $0.get(path, at: seq)
    } onEvent: { (event) throws(Failure) in
      switch event {
      case .answer(_, _, let json, _):
        guard let value = json["value"] else {
          let place = seq.map { " at seq \($0)" } ?? ""
          let hint = path.description == "/" ? "; the whole state is 'dux get' without a path" : ""
          throw Failure(.notFound, "there is nothing at \(PathText.name(path))\(place)\(hint)")
        }
        call.printValue(value)
        return .success
      case .failed(_, let failure):
        // A seq that is not there yet is told as a bad request.
        let isLater = seq != nil && failure.code == ErrorCode.badRequest.rawValue
        throw isLater ? Failure(.notFound, Failure.text(of: failure)) : Failure(failure)
      default:
        return nil
      }
    }
  }
}
