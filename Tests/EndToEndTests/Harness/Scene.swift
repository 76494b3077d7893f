import DuxJSON
import Testing

/// A daemon with some state, a witness who follows all of it, and a client that misbehaves.
final class Scene {
  let daemon: DaemonProcess
  let witness: Client
  let offender: Client
  private var replica = Replica(path: "")

  init(_ options: [String] = [], state: JSON = ["a": 1, "list": [1, 2, 3]]) throws {
    daemon = try DaemonProcess(options)
    witness = try Client(daemon, named: "witness")
    offender = try Client(daemon, named: "offender")
    try witness.accepted(.set("", state))
    try witness.send(replica.request)
    try replica.take(witness.next())
  }

  /// A connection in the offender's place.
  func another() throws -> Client {
    try Client(daemon, named: nil)
  }

  /// What was done since the last look left the state, the log and the witness alone.
  func expectUntouched(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try witness.send(["op": "ping"])
    let pong = try witness.next()
    #expect(pong["op"] == "pong", "the witness saw \(pong)", sourceLocation: sourceLocation)
    #expect(pong["seq"]?.integerValue == replica.position?.seq, sourceLocation: sourceLocation)
    let value = try witness.get().value
    #expect(value?.bytes == replica.state?.bytes, sourceLocation: sourceLocation)
  }

  /// One step was taken, and the witness saw it.
  func expectStep(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try replica.take(witness.next())
    try expectUntouched(sourceLocation: sourceLocation)
  }
}
