import DuxEngine
import DuxJSON
import Testing

/// What a client says of itself, and that it is heard.
struct ClientPresenceTests {
  private let script = ClientScript()
  private let said: JSON = ["op": "presence", "id": "presence", "state": ["program": "p"]]

  private func sent(_ op: JSON) -> [JSON] { script.takeSent().filter { $0["op"] == op } }

  @Test func `it is said after each welcome`() {
    script.ask { $0.setPresence(["program": "p"]) }
    #expect(sent("presence").isEmpty)
    script.welcome()
    #expect(sent("presence") == [said])
    script.lose()
    script.welcome()
    #expect(sent("presence") == [said])
    script.ask { $0.setPresence(nil) }
    #expect(sent("presence").map { $0["state"] ?? .null } == [.null])
  }

  @Test func `who said something is heard in each heartbeat, however much it hears`() {
    script.welcome()
    func listen() {
      for _ in 0..<45 {
        script.pass(1_000)
        script.say(["op": "mark", "path": "", "seq": 0])
      }
    }
    listen()
    #expect(sent("ping").isEmpty)
    script.ask { $0.setPresence(["program": "p"]) }
    listen()
    #expect(sent("ping").count == 3)
  }

  @Test func `a daemon that does not know of it is good enough`() {
    script.ask { $0.setPresence(["program": "p"]) }
    script.welcome()
    _ = script.takeEvents()
    script.say(["op": "error", "id": "presence", "code": "unknown_op", "message": "m"])
    #expect(script.takeEvents().isEmpty)
    script.say(["op": "error", "id": "presence", "code": "too_large", "message": "m"])
    #expect(script.takeEvents() == ["failed too_large"])
  }

  @Test func `a daemon that can't tell who is here can be live`() {
    script.ask { $0.subscribe(to: .root, withActions: false) }
    script.ask { $0.subscribeToPresence() }
    script.welcome()
    script.say([
      "op": "error", "id": "@presence", "code": "bad_request", "message": "no pointer",
    ])
    #expect(script.session.connectionStatus == .connecting)
    script.say(["op": "snapshot", "path": "", "epoch": "e", "seq": 3, "state": 1])
    #expect(script.session.connectionStatus == .live)
    script.lose()
    _ = script.takeSent()
    script.welcome()
    #expect(sent("subscribe").count == 2)
  }
}
