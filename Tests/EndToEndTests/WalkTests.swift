import DuxJSON
import Testing

/// The protocol from end to end, once.
struct WalkTests {
  @Test func aChangeByOneClientIsSeenByAnotherAndOutlivesAKill() throws {
    let daemon = try DaemonProcess()
    let writer = try Client(daemon, named: "writer")
    let watcher = try Client(daemon, named: "watcher")
    var replica = Replica(path: "/todos")
    try watcher.send(replica.request)
    try replica.take(watcher.next())
    #expect(replica.state == nil)

    try #expect(writer.accepted(.set("/todos", ["milk"]), n: 1) == 1)
    try #expect(writer.accepted(.append("/todos", "bread"), n: 2) == 2)
    try replica.take(watcher.next())
    try replica.take(watcher.next())
    #expect(replica.state == ["milk", "bread"])

    try daemon.killAndStart()
    let again = try Client(daemon)
    let welcome = try again.hello("writer")
    #expect(welcome["lastN"] == 2)
    #expect(welcome["seq"] == 2)
    let retry = try again.dispatch(.append("/todos", "bread"), n: 2)
    #expect(retry["duplicate"] == true)
    #expect(retry["seq"] == 2)
    try again.accepted(.append("/todos", "salt"), n: 3)

    let back = try Client(daemon, named: "watcher")
    try back.send(replica.request)
    let resumed = try back.next()
    #expect(resumed["op"] == "resumed")
    try replica.take(resumed)
    try replica.take(back.next())
    #expect(replica.state == ["milk", "bread", "salt"])
    let log = try again.log(page: 2)
    #expect(Laws.totalOrder(log).isEmpty)
    try #expect(Laws.noGapNoRepeat(replica, log: log).isEmpty)
    try #expect(Laws.exactRecovery(log, state: again.get().value).isEmpty)
    try #expect(daemon.stop() == .code(0))
  }
}
