import DuxEngine
import DuxJSON
import Testing

struct ClientLinkTests {
  @Test
  func aSessionSaysHelloFirstAndNothingElseBeforeTheWelcome() {
    let script = ClientScript()
    script.ask { _ = $0.ping() }
    script.connect()
    #expect(script.takeSent() == [["op": "hello", "protocol": 1, "client": "tty1"]])
    #expect(script.takeEvents() == [])
  }

  @Test
  func aFinalByeEndsTheSession() {
    let script = ClientScript()
    script.welcome()
    script.say(["op": "bye", "code": "replaced", "message": "m"])
    #expect(script.takeEvents() == ["live", "ended replaced"])
    #expect(!script.isConnected)
    script.lose()
    #expect(script.waitMs == nil)
    #expect(script.takeEvents() == [])
  }

  @Test
  func aRetryableByeIsFollowedAfterItsOwnWait() {
    let script = ClientScript()
    script.welcome()
    script.say(["op": "bye", "code": "shutting_down", "message": "m", "retryMs": 321])
    #expect(script.takeEvents() == ["live", "waiting"])
    #expect(script.waitMs == 321)
  }

  @Test
  func aRefusedHelloEndsTheSession() {
    let script = ClientScript()
    script.connect()
    script.say(["op": "error", "code": "unsupported_protocol", "message": "m", "supported": [2]])
    #expect(script.takeEvents() == ["ended unsupported_protocol"])
  }

  @Test
  func aMereConnectionDoesNotShortenTheWaits() {
    let script = ClientScript()
    for _ in 0..<8 {
      script.welcome()
      script.lose()
    }
    #expect(script.waitMs.map { $0 >= 5_000 } == true)
    script.welcome()
    script.pass(6_000)
    script.lose()
    #expect(script.waitMs.map { $0 <= 200 } == true)
  }

  @Test
  func waitsDifferFromClientToClient() {
    let waits = (1...20 as ClosedRange<UInt64>).map { seed in
      let script = ClientScript(seed: seed)
      script.lose()
      return script.waitMs
    }
    #expect(Set(waits).count > 5)
  }

  @Test
  func aSilentDaemonIsAskedForASignOfLifeThenGivenUp() {
    let script = ClientScript()
    script.welcome()
    _ = script.takeSent()
    for _ in 0..<31 { script.pass(500) }
    #expect(script.takeSent() == [["op": "ping"]])
    script.say(["op": "pong", "seq": 0])
    // Two and a half heartbeats of 15 s.
    for _ in 0..<74 { script.pass(500) }
    #expect(script.isConnected)
    script.pass(500)
    #expect(!script.isConnected)
    #expect(script.takeEvents().last == "waiting")
  }

  @Test
  func aLongStepOnASlowLineIsGivenTheTimeItTakes() {
    let script = ClientScript()
    script.welcome(maxLine: 1 << 20)
    let long = JSON.string(String(repeating: "x", count: 200_000))
    script.ask { _ = $0.dispatch([["type": "doc/set", "payload": long]], preconditions: []) }
    for _ in 0..<270 { script.pass(500) }
    #expect(script.isConnected)
    script.ack(1, seq: 1)
    for _ in 0..<100 { script.pass(500) }
    #expect(!script.isConnected)
  }

  @Test
  func timeInWhichTheProgramStoodStillIsNotTheDaemonsSilence() {
    let script = ClientScript()
    script.welcome()
    script.pass(500)
    script.pass(3_600_000)
    #expect(script.isConnected)
  }

  @Test(arguments: [500, 15_000])
  func timeInWhichTheProgramDoesNotReadIsNotTheDaemonsSilence(tick: Int64) {
    let script = ClientScript()
    script.ask { $0.subscribe(to: .root, withActions: false) }
    script.welcome()
    script.say(["op": "snapshot", "path": "", "epoch": "e", "seq": 0, "state": [:]])
    script.session.isReading = false
    for _ in 0..<200 { script.pass(tick) }
    #expect(script.isConnected)
    #expect(script.session.connectionStatus == .live)
    script.session.isReading = true
    for _ in 0..<76 { script.pass(500) }
    #expect(!script.isConnected)
  }

  @Test
  func linesAreTheSameWhereverTheStreamIsCut() {
    let stream: [JSON] = [
      [
        "op": "welcome", "epoch": "e", "seq": 1, "client": "tty1", "lastN": 0, "maxLine": 1_000,
        "heartbeatMs": 15_000,
      ],
      ["op": "snapshot", "path": "", "epoch": "e", "seq": 1, "state": ["a": "ä"]],
      [
        "op": "patch", "path": "", "seq": 2,
        "patch": [["op": "replace", "path": "/a", "value": "b"]],
      ],
    ]
    let bytes = stream.reduce(into: [UInt8]()) { $0 += $1.bytes + [0x0A] }
    let whole = ["live", "snapshot {\"a\":\"ä\"}", "patch 2 {\"a\":\"b\"}"]
    for cut in 0...bytes.count {
      let script = ClientScript()
      script.ask { $0.subscribe(to: .root, withActions: false) }
      script.connect()
      script.receive(Array(bytes[..<cut]))
      script.receive(Array(bytes[cut...]))
      #expect(script.takeEvents() == whole, "cut at \(cut)")
    }
    let script = ClientScript()
    script.ask { $0.subscribe(to: .root, withActions: false) }
    script.connect()
    for byte in bytes { script.receive([byte]) }
    #expect(script.takeEvents() == whole)
  }

  @Test
  func halfALineOfALostConnectionIsForgotten() {
    let script = ClientScript()
    script.connect()
    script.receive(Array("{\"op\":\"welc".utf8))
    script.lose()
    script.welcome()
    #expect(script.takeEvents() == ["waiting", "live"])
  }

  @Test
  func aLineThatIsNoneOfTheProtocolsEndsTheConnectionOnly() {
    for line in ["nonsense", "[]", "{}", "{\"op\":\"patch\",\"path\":\"\"}"] {
      let script = ClientScript()
      script.welcome()
      script.receive(Array((line + "\n").utf8))
      #expect(script.takeEvents() == ["live", "waiting"], "\(line)")
      #expect(!script.isConnected)
    }
  }

  @Test
  func aLineOfALaterVersionIsPassedOver() {
    let script = ClientScript()
    script.welcome()
    script.say(["op": "news", "text": "hi"])
    #expect(script.isConnected)
    #expect(script.takeEvents() == ["live"])
  }
}
