import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import Testing

struct ClientSubscriptionTests {
  private func subscribed(
    _ state: JSON = ["a": 1], seq: Int64 = 5
  ) -> ClientScript {
    let script = ClientScript()
    script.ask { $0.subscribe(to: .root, withActions: false) }
    script.welcome()
    script.say(["op": "snapshot", "path": "", "epoch": "e", "seq": .integer(seq), "state": state])
    _ = script.takeSent()
    _ = script.takeEvents()
    return script
  }

  private func patch(_ script: ClientScript, _ seq: Int64, _ operations: JSON) {
    script.say(["op": "patch", "path": "", "seq": .integer(seq), "patch": operations])
  }

  private func sentPosition(_ script: ClientScript) -> JSON? {
    let subscribe = script.takeSent().last { $0["op"] == "subscribe" }
    guard let since = subscribe?["since"], let epoch = subscribe?["epoch"] else { return nil }
    return [since, epoch]
  }

  @Test
  func aNewConnectionGoesOnBehindTheLastPatch() {
    let script = subscribed()
    patch(script, 6, [["op": "replace", "path": "/a", "value": 2]])
    script.lose()
    script.welcome()
    #expect(sentPosition(script) == [6, "e"])
    script.say(["op": "resumed", "path": "", "epoch": "e", "from": 6, "seq": 7])
    patch(script, 7, [["op": "replace", "path": "/a", "value": 3]])
    #expect(
      script.takeEvents() == [
        "patch 6 {\"a\":2}", "waiting", "live", "resumed 6 to 7", "patch 7 {\"a\":3}",
      ])
  }

  @Test
  func aMarkMovesThePositionAndNeverBack() {
    let script = subscribed()
    script.say(["op": "mark", "path": "", "seq": 90])
    script.say(["op": "mark", "path": "", "seq": 80])
    script.lose()
    script.welcome()
    #expect(sentPosition(script) == [90, "e"])
  }

  @Test
  func anotherEpochBringsASnapshotWhoseReasonIsTold() {
    let script = subscribed(seq: 90)
    script.lose()
    script.welcome(epoch: "f")
    script.say([
      "op": "snapshot", "path": "", "epoch": "f", "seq": 3, "state": ["b": 1], "reason": "epoch",
    ])
    #expect(script.takeEvents().last == "snapshot {\"b\":1} epoch")
    script.lose()
    script.welcome(epoch: "f")
    #expect(sentPosition(script) == [3, "f"])
  }

  @Test
  func aSnapshotInPartsIsShownWholeWithItsReason() {
    let script = subscribed()
    script.say([
      "op": "snapshot", "path": "", "epoch": "e", "seq": 9, "state": ["l": []], "more": true,
      "reason": "lagged",
    ])
    let add: (Int64) -> JSON = {
      ["op": "add", "path": .string("/l/\($0)"), "value": .integer($0)]
    }
    script.say(["op": "part", "path": "", "seq": 9, "patch": [add(0)], "more": true])
    #expect(script.takeEvents() == [])
    script.say(["op": "part", "path": "", "seq": 9, "patch": [add(1)], "more": false])
    #expect(script.takeEvents() == ["snapshot {\"l\":[0,1]} lagged"])
  }

  @Test
  func aSnapshotCutOffInTheMiddleLeavesNoPosition() {
    let script = ClientScript()
    script.ask { $0.subscribe(to: .root, withActions: false) }
    script.welcome()
    script.say([
      "op": "snapshot", "path": "", "epoch": "e", "seq": 9, "state": ["l": []], "more": true,
    ])
    script.lose()
    _ = script.takeSent()
    script.welcome()
    let subscribe = script.takeSent().last
    #expect(subscribe?["op"] == "subscribe")
    #expect(subscribe?["since"] == nil)
  }

  @Test
  func aValueMayVanishAndAppear() {
    let script = subscribed()
    patch(script, 6, [["op": "remove", "path": ""]])
    patch(script, 7, [["op": "add", "path": "", "value": 5]])
    #expect(script.takeEvents() == ["patch 6 missing", "patch 7 5"])
  }

  @Test(arguments: [
    [["op": "replace", "path": "/nope/deep", "value": 2]] as JSON,
    [["op": "remove", "path": "/nope"]],
  ])
  func aPatchThatDoesNotFitMakesTheCopyAnew(operations: JSON) {
    let script = subscribed()
    patch(script, 6, operations)
    #expect(script.takeEvents() == ["waiting"])
    #expect(!script.isConnected)
    script.welcome()
    let subscribe = script.takeSent().last
    #expect(subscribe?["op"] == "subscribe")
    #expect(subscribe?["since"] == nil)
  }

  @Test
  func aPatchThatComesTwiceMakesTheCopyAnew() {
    let script = subscribed()
    patch(script, 6, [])
    patch(script, 6, [])
    #expect(script.takeEvents() == ["patch 6 {\"a\":1}", "waiting"])
  }

  @Test
  func aSubscriptionMayBeginFromACopyHeldBefore() {
    let script = ClientScript()
    let held = Replica(
      path: "", value: ["a": 1], position: .init(epoch: "e", seq: SequenceNumber(4)))
    script.ask { $0.subscribe(to: .root, withActions: true, from: held) }
    script.welcome()
    #expect(sentPosition(script) == [4, "e"])
    script.say(["op": "resumed", "path": "", "epoch": "e", "from": 4, "seq": 5])
    patch(script, 5, [["op": "add", "path": "/b", "value": 2]])
    #expect(script.takeEvents().last == "patch 5 {\"a\":1,\"b\":2}")
  }

  @Test
  func aRefusedSubscriptionIsNotTakenForAStep() {
    let script = ClientScript()
    script.ask { $0.subscribe(to: .root, withActions: false) }
    script.welcome()
    let id = script.takeSent().last?["id"] ?? .null
    script.dispatch()
    script.say(["op": "error", "id": id, "code": "overloaded", "message": "m"])
    #expect(script.takeEvents() == ["live", "failed overloaded"])
    #expect(script.session.unsettledStepCount == 1)
  }
}
