import DuxJSON
import Testing

/// What a client may count on when it does not wait for answers, or asks twice.
struct OrderTests {
  @Test func whatIsSentBehindHelloIsHandledInOrder() throws {
    let daemon = try DaemonProcess()
    let client = try Client(daemon)
    let requests: [JSON] = [
      ["op": "hello", "protocol": 1, "client": "c"], .dispatch([.set("/a", 1)], n: 1),
      .subscribe(""), .dispatch([.set("/a", 2)], n: 2), ["op": "get", "path": "/a"],
    ]
    try client.send(raw: requests.flatMap { $0.bytes + [10] })
    let answers = try (0..<6).map { _ in try client.next() }
    #expect(
      answers.map { $0["op"]?.stringValue }
        == ["welcome", "ack", "snapshot", "patch", "ack", "value"])
    #expect(answers[2]["state"] == ["a": 1])
    #expect(answers[5]["value"] == 2)
  }

  @Test func aWriteRepeatedOnASecondConnectionWhileTheDaemonIsStoppedIsOneWrite() throws {
    let daemon = try DaemonProcess()
    let first = try Client(daemon, named: "same")
    try first.accepted(.set("/count", 0), n: 1)
    daemon.pause()
    try first.send(.dispatch([.increment("/count")], n: 2))
    let second = try Client(daemon)
    try second.send(["op": "hello", "protocol": 1, "client": "same"])
    try second.send(.dispatch([.increment("/count")], n: 2))
    daemon.resume()
    #expect(try second.next("ack")["seq"] == 2)
    #expect(try second.get("/count").value == 1)
    #expect(try second.log().count == 2)
  }

  @Test func oneNumberWithTwoBodiesIsAConflictAndSpellingIsNone() throws {
    let daemon = try DaemonProcess()
    let client = try Client(daemon, named: "c")
    try client.accepted(.set("/a", ["x": 1, "y": 2]), n: 5)
    #expect(try client.dispatch(.set("/a", 2), n: 5)["code"] == "n_conflict")
    try client.send(
      raw: #" { "n":5, "op":"dispatch","action":{"payload":{"value":{"y":2,"x":1},"path":"/a"},"#
        + #""type":"doc/set"}} "# + "\n")
    let retry = try client.next()
    #expect(retry["duplicate"] == true)
    #expect(retry["seq"] == 1)
    #expect(try client.dispatch(.set("/a", 3), n: 4)["code"] == "outcome_unknown")
    try daemon.killAndStart()
    let again = try Client(daemon, named: "c")
    #expect(try again.dispatch(.set("/a", 2), n: 5)["code"] == "n_conflict")
    #expect(try again.dispatch(.set("/a", 3), n: 4)["code"] == "outcome_unknown")
    #expect(try again.get("/a").value == ["x": 1, "y": 2])
  }

  @Test func aThousandRetriesAfterAKillAreAllKnown() throws {
    let daemon = try DaemonProcess()
    let numbers: ClosedRange<Int64> = 1...1_000
    var lines: [UInt8] = []
    for n in numbers { lines += JSON.dispatch([.set("/n", .integer(n))], n: n).bytes + [10] }
    let first = try Client(daemon, named: "c")
    try first.send(raw: lines)
    for n in numbers { #expect(try first.next()["seq"] == .integer(n)) }
    try daemon.killAndStart()
    let again = try Client(daemon, named: "c")
    try again.send(raw: lines)
    for n in numbers {
      let answer = try again.next()
      #expect(answer["seq"] == .integer(n))
      #expect(answer["duplicate"] == true)
    }
    #expect(try again.log().count == 1_000)
  }
}
