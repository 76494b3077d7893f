import DuxJSON
import Testing

/// The daemon ends in good order.
struct ShutdownTests {
  @Test func everyoneIsToldAndNothingAcknowledgedIsLost() throws {
    let daemon = try DaemonProcess()
    let writer = try Client(daemon, named: "writer")
    let watcher = try Client(daemon, named: "watcher")
    let idle = try Client(daemon)
    try watcher.send(.subscribe(""))
    _ = try watcher.next("snapshot")
    let count: Int64 = 300
    for n in 1...count {
      writer.socket.queue(JSON.dispatch([.set("/a", .integer(n))], n: n).bytes + [10])
    }
    writer.socket.flush()
    _ = try writer.next("ack")
    daemon.terminate()

    var acknowledged: Int64 = 1
    var refused: Set<Int64> = []
    var bye: JSON?
    while let message = try writer.nextOrEnd() {
      switch message["op"] {
      case "ack": acknowledged = max(acknowledged, message["seq"]?.integerValue ?? 0)
      case "reject":
        #expect(message["code"] == "shutting_down")
        #expect(message["final"] == false)
        refused.insert(message["n"]?.integerValue ?? 0)
      default: bye = message
      }
    }
    var seen: Int64 = 0
    while let message = try watcher.nextOrEnd() {
      if message["op"] == "patch" {
        seen = message["seq"]?.integerValue ?? 0
      } else {
        #expect(message["op"] == "bye")
      }
    }
    for message in [bye, try idle.nextOrEnd()] {
      #expect(message?["code"] == "shutting_down")
      #expect(message?["retryMs"]?.integerValue != nil)
    }
    try #expect(daemon.waitForEnd() == .code(0))

    try daemon.start()
    let again = try Client(daemon, named: "writer")
    let log = try again.log()
    #expect(Laws.totalOrder(log).isEmpty)
    #expect(log.count >= acknowledged)
    #expect(log.count >= seen)
    #expect(log.allSatisfy { !refused.contains($0.n ?? -1) })
    for n in 1...count { try again.dispatch(.set("/a", .integer(n)), n: n) }
    let all = try again.log()
    #expect(all.count == count)
    #expect(Laws.exactlyOnce(all, told: []).isEmpty)
  }

  @Test func aSecondSignalOrADeafClientDoesNotHoldItUp() throws {
    let daemon = try DaemonProcess()
    let client = try Client(daemon, named: nil)
    try client.accepted(.set("/big", .string(String(repeating: "x", count: 900_000))))
    let deaf = try Client(daemon, named: nil)
    deaf.socket.shrinkReceiveBuffer()
    for _ in 0..<100 { try deaf.send(["op": "get"]) }
    daemon.terminate()
    daemon.terminate()
    try #expect(daemon.waitForEnd() == .code(0))
    try daemon.start()
    #expect(try Client(daemon, named: nil).get().seq == 1)
  }
}
