import DuxJSON
import Testing

/// What the log keeps, and what is said of the rest.
struct HistoryTests {
  @Test func aResumeFromBeforeTheLogIsASnapshotThatSaysSo() throws {
    let daemon = try DaemonProcess(["--retain-count", "50"])
    let writer = try Client(daemon, named: "writer")
    try writer.accepted(.set("", ["count": 0]))
    var replica = Replica(path: "")
    let watcher = try Client(daemon, named: "watcher")
    try watcher.send(replica.request)
    try replica.take(watcher.next())
    watcher.socket.endWithReset()
    let floor = try writeUntilCompacted(writer)

    let back = try Client(daemon, named: "back")
    try back.send(replica.request)
    let snapshot = try back.next()
    #expect(snapshot["op"] == "snapshot")
    #expect(snapshot["reason"] == "compacted")
    try replica.take(snapshot)
    #expect(try replica.state?.bytes == writer.get().value?.bytes)

    let epoch = replica.position?.epoch ?? ""
    let reader = try Client(daemon, named: "reader")
    try reader.send(.subscribe("", from: Position(epoch: epoch, seq: floor)))
    #expect(try reader.next()["op"] == "resumed")
    let refused = try Client(daemon, named: nil).ask(["op": "log", "after": .integer(floor - 1)])
    #expect(refused["code"] == "compacted")
    #expect(refused["floor"]?.integerValue ?? -1 >= floor)
    let past = try writer.ask(["op": "get", "at": .integer(floor - 1)])
    #expect(past["code"] == "compacted")

    try daemon.killAndStart()
    let again = try Client(daemon, named: "writer")
    #expect(try again.get().value?.bytes == replica.state?.bytes)
    let start = try again.ask(["op": "status"])["floor"]?.integerValue ?? -1
    let log = try again.log(after: start)
    #expect(Laws.totalOrder(log, first: start + 1).isEmpty)
  }

  /// Writes until the log has been shortened.
  ///
  /// - Returns: the smallest position that is still served.
  private func writeUntilCompacted(_ client: Client) throws -> Int64 {
    let deadline = Deadline()
    while true {
      try client.accepted(.increment("/count"))
      let floor = try client.ask(["op": "status"])["floor"]?.integerValue ?? -1
      if floor > 0 { return floor }
      if deadline.hasPassed { throw Unexpected("the log is never shortened") }
    }
  }

  @Test func theLogComesInPagesAndStatesOfThePastCanBeAskedFor() throws {
    let daemon = try DaemonProcess()
    let client = try Client(daemon, named: "writer")
    for step in 1...25 { try client.accepted(.set("/a", .integer(Int64(step)))) }
    try client.send(["op": "log", "id": "page", "after": 10, "limit": 7])
    for seq: Int64 in 11...17 { #expect(try client.next()["seq"] == .integer(seq)) }
    #expect(try client.next() == ["op": "end", "id": "page", "seq": 17, "more": true])
    #expect(try client.log(page: 4).count == 25)
    for seq: Int64 in [1, 13, 25] { #expect(try client.get("/a", at: seq).value == .integer(seq)) }
    #expect(try client.get("/a", at: 0).value == nil)
    #expect(try client.ask(["op": "get", "at": 26])["code"] == "bad_request")
    #expect(try client.ask(["op": "log", "after": 0, "limit": 0])["code"] == "bad_request")
    #expect(try client.ask(["op": "log", "after": 25])["op"] == "end")
  }

  @Test func retriesAreKnownAlsoAfterTheLogWasShortened() throws {
    let daemon = try DaemonProcess(["--retain-count", "50"])
    let client = try Client(daemon, named: "counted")
    try client.accepted(.set("", ["count": 0]), n: 1)
    try client.accepted(.increment("/count", by: 100), n: 2)
    let other = try Client(daemon, named: "other")
    _ = try writeUntilCompacted(other)
    let before = try other.get("/count").value
    try daemon.killAndStart()
    let again = try Client(daemon, named: "counted")
    let retry = try again.dispatch(.increment("/count", by: 100), n: 2)
    #expect(retry["duplicate"] == true)
    #expect(retry["seq"] == 2)
    #expect(try again.get("/count").value == before)
  }
}
