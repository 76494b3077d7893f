import DuxClient
import DuxJSON
import DuxStore
import Foundation
import Todos

/// A program with an offline queue, for tests that kill it.
///
///     queue-program ADDRESS FOLDER [TITLE…]
///
/// It adds a todo for each title, says `saved` when they are in the queue, and then a line for each
/// step that is settled, those of earlier runs too. It goes on until it is ended.
@main
struct Program {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let store = try RemoteStore(
      TodosApp(), at: DaemonAddress(arguments[1]),
      options: ClientOptions(offlineQueue: arguments[2]))
    let settlements = store.settlements
    say("client \(store.name)")
    for title in arguments.dropFirst(3) { store.dispatch(.add(title)) }
    try await store.saved()
    say("saved")
    for await settlement in settlements {
      let title = settlement.actions.first?.payload?.stringValue ?? ""
      switch settlement.outcome {
      case .confirmed: say("confirmed \(title)")
      case .rejected(let refusal): say("rejected \(title): \(refusal.reason ?? refusal.code)")
      case .cancelled: say("cancelled \(title)")
      case .unknown: say("unknown \(title)")
      }
    }
  }

  private static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }
}
