import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import Testing

struct ClientReadTests {
  @Test
  func aReadIsAskedAgainOnANewConnection() {
    let script = ClientScript()
    script.ask { _ = $0.get(.root, at: nil) }
    script.welcome()
    script.lose()
    _ = script.takeSent()
    script.welcome()
    #expect(script.takeSent().last == ["op": "get", "id": 1, "path": ""])
    script.say(["op": "value", "id": 1, "path": "", "seq": 3, "value": [:]])
    #expect(script.takeEvents().last == "value 3")
    script.lose()
    script.welcome()
    #expect(script.takeSent().map { $0["op"] } == ["hello"])
  }

  @Test
  func aLogGoesOnBehindTheLastEntryThatCame() {
    let script = ClientScript()
    script.ask { _ = $0.log(.init(start: .time(77), limit: 3)) }
    script.welcome()
    #expect(script.takeSent().last == ["op": "log", "id": 1, "from": 77, "limit": 3])
    script.say(["op": "entry", "id": 1, "seq": 8])
    script.lose()
    script.welcome()
    #expect(script.takeSent().last == ["op": "log", "id": 1, "after": 8, "limit": 2])
  }

  @Test
  func aLogOfWhichOnlyTheEndIsMissingBringsNoFurtherEntry() {
    let script = ClientScript()
    script.ask { _ = $0.log(.init(start: .after(.zero), limit: 1)) }
    script.welcome()
    script.say(["op": "entry", "id": 1, "seq": 1])
    script.lose()
    script.welcome()
    script.say(["op": "entry", "id": 1, "seq": 2])
    script.say(["op": "end", "id": 1, "seq": 2, "more": false])
    #expect(script.takeEvents() == ["live", "entry 1", "waiting", "live", "end 2"])
  }

  @Test
  func aRefusedReadIsToldOnce() {
    let script = ClientScript()
    script.ask { _ = $0.get(.root, at: SequenceNumber(9)) }
    script.welcome()
    script.say(["op": "error", "id": 1, "code": "bad_request", "message": "m"])
    script.lose()
    script.welcome()
    #expect(script.takeEvents() == ["live", "failed bad_request", "waiting", "live"])
    #expect(script.takeSent().last?["op"] == "hello")
  }

  @Test
  func effectsAreListedAndCancelledAndAskedForAgainOnANewConnection() {
    let script = ClientScript()
    script.ask {
      _ = $0.effects(limit: 5)
      _ = $0.cancel(key: "k")
      _ = $0.cancel(key: "l")
    }
    script.welcome()
    script.say(["op": "effects", "id": 1, "seq": 4, "effects": []])
    script.lose()
    _ = script.takeSent()
    script.welcome()
    #expect(
      script.takeSent().dropFirst() == [
        ["op": "cancel", "id": 2, "key": "k"], ["op": "cancel", "id": 3, "key": "l"],
      ])
    script.say(["op": "cancelled", "id": 2, "key": "k"])
    script.say(["op": "error", "id": 3, "code": "not_found", "message": "m"])
    #expect(
      script.takeEvents() == [
        "live", "effects 4", "waiting", "live", "cancelled ", "failed not_found",
      ])
  }
}
