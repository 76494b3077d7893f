import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxProtocol

/// Sending one step and telling how it ended.
enum Writing {
  static let discussion = """
    Prints the number that the step took, such as 'seq 58', once it is on the daemon's disk. With \
    --json it prints the daemon's answer, {"op":"ack",…} or {"op":"reject",…}. A connection lost \
    in between is made again for as long as --timeout says, and the step is taken once all the same.
    """

  /// Sends an action under the conditions of the command line.
  static func run(_ action: JSON, _ call: Call) throws(Failure) -> ExitStatus {
    let conditions = try Conditions.read(call.invocation.given)
    return try Conversation(call).run {
      _ = $0.dispatch([action], preconditions: conditions)
    } onEvent: { (event) throws(Failure) in
      guard case .settled(_, let settlement) = event else { return nil }
      if call.isJSON { call.output.print(settlement.json.description) }
      defer { call.output.flush() }
      switch settlement.result {
      case .success(let accepted):
        if !call.isJSON { call.output.print(text(of: accepted)) }
        return .success
      case .failure(let failure):
        throw Failure(failure)
      }
    }
  }

  /// The confirmation of a step, in a line.
  static func text(of accepted: ServerMessage.Accepted) -> String {
    "seq \(accepted.seq)" + (accepted.changed ? "" : " (nothing changed)")
  }
}
