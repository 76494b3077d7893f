import DuxEngine
import DuxJSON
import DuxProtocol
import Testing

struct ClientStatusTests {
  private static func wordOf(_ script: ClientScript) -> String {
    switch script.session.connectionStatus {
    case .connecting: "connecting"
    case .live: "live"
    case .stale(let sinceMs): "stale \(sinceMs)"
    case .offline(let sinceMs, let reason, _): "offline \(sinceMs ?? -1) \(reason)"
    case .ended(let reason): "ended \(reason.code)"
    }
  }

  private static func following() -> ClientScript {
    let script = ClientScript()
    script.ask { $0.subscribe(to: .root, withActions: false) }
    return script
  }

  private static func end(of script: ClientScript) -> String {
    guard case .ended(let reason) = script.session.connectionStatus else { return "" }
    return reason.message
  }

  @Test
  func aConnectionIsLiveOnceTheCopyIsWhole() {
    let script = Self.following()
    #expect(Self.wordOf(script) == "connecting")
    script.welcome()
    #expect(Self.wordOf(script) == "connecting")
    script.say(["op": "snapshot", "path": "", "epoch": "e", "seq": 3, "state": 1])
    #expect(Self.wordOf(script) == "live")
    script.lose()
    #expect(Self.wordOf(script) == "stale 1000")
    script.pass(50)
    script.ask { $0.disconnected("refused") }
    #expect(Self.wordOf(script) == "offline 1000 refused")
    script.welcome()
    script.say(["op": "resumed", "path": "", "epoch": "e", "from": 3, "seq": 4])
    #expect(Self.wordOf(script) == "offline 1000 refused")
    script.say(["op": "patch", "path": "", "seq": 4, "patch": []])
    #expect(Self.wordOf(script) == "live")
  }

  @Test
  func whatIsSaidBeforeTheWelcomeIsNotBelieved() {
    let script = ClientScript()
    script.ask { _ = $0.get(.root, at: nil) }
    script.ask { $0.connected() }
    script.say(["op": "pong", "id": 1, "seq": 0])
    #expect(Self.wordOf(script).hasPrefix("offline -1 what answers is no daemon of this protocol"))
  }

  @Test
  func aFirstAttemptThatFailsIsOffline() {
    let script = ClientScript()
    script.ask { $0.disconnected("refused") }
    #expect(Self.wordOf(script) == "offline -1 refused")
    guard case .offline(_, _, let retryAtMs) = script.session.connectionStatus else { return }
    #expect(retryAtMs == script.nowMs + (script.waitMs ?? 0))
  }

  @Test
  func aDaemonSilentForTwoHeartbeatsIsStaleUntilItSpeaks() {
    let script = ClientScript()
    script.welcome()
    for _ in 0..<62 { script.pass(500) }
    #expect(Self.wordOf(script) == "stale 31000")
    script.say(["op": "pong", "seq": 0])
    #expect(Self.wordOf(script) == "live")
  }

  @Test
  func aProgramThatStoodStillAsksForASignOfLifeThatMustComeSoon() {
    for isAlive in [true, false] {
      let script = ClientScript()
      script.welcome()
      _ = script.takeSent()
      script.pass(60_000)
      #expect(script.takeSent() == [["op": "ping"]])
      if isAlive { script.say(["op": "pong", "seq": 0]) }
      for _ in 0..<12 { script.pass(500) }
      #expect(script.isConnected == isAlive)
    }
  }

  @Test
  func aMachineThatSleptIsToldByTheWallClockAlone() {
    let script = ClientScript()
    script.welcome()
    _ = script.takeSent()
    script.ask {
      $0.advance(nowMs: 1_250, wallMs: 3_600_000)
      $0.tick()
    }
    #expect(script.takeSent() == [["op": "ping"]])
  }

  @Test
  func aWaitEndsWhenTheMachineWakes() {
    let script = ClientScript()
    script.lose()
    var effects: [String] = []
    script.session.advance(nowMs: script.nowMs)
    script.session.wake()
    for effect in script.session.takeEffects() {
      if case .connect = effect { effects.append("connect") }
      if case .disconnect = effect { effects.append("disconnect") }
    }
    #expect(effects == ["disconnect", "connect"])
  }

  @Test
  func aSuspendedSessionStaysAwayUntilItIsResumed() {
    let script = ClientScript()
    script.welcome()
    script.dispatch()
    script.ask { $0.suspend() }
    #expect(!script.isConnected)
    #expect(script.waitMs == nil)
    script.dispatch()
    script.pass(60_000)
    script.ask { $0.resume() }
    _ = script.takeSent()
    script.welcome()
    #expect(script.takeSentNumbers() == [1, 2])
  }

  @Test
  func anotherVersionEndsTheSessionNamingBoth() {
    let script = ClientScript()
    script.connect()
    script.say([
      "op": "error", "code": "unsupported_protocol", "message": "m", "supported": [2, 3],
    ])
    #expect(Self.end(of: script) == "the daemon speaks protocol 2, 3, this client 1")
    let welcomed = ClientScript()
    welcomed.connect()
    welcomed.say([
      "op": "welcome", "protocol": 2, "epoch": "e", "seq": 0, "client": "tty1", "lastN": 0,
      "maxLine": 1_000, "heartbeatMs": 1,
    ])
    #expect(Self.end(of: welcomed) == "the daemon speaks protocol 2, this client 1")
    #expect(!welcomed.isConnected)
  }

  @Test
  func anotherAppEndsTheSessionNamingBoth() {
    let desk = ClientDesk { $0.expectedApp = "ledger" }
    desk.ask(.add(1))
    desk.welcome(app: "counter")
    #expect(
      Self.end(of: desk.script)
        == "the daemon serves the app \"counter\", this program is for \"ledger\"")
    #expect(desk.takeSettled() == ["0 is unknown, wrong_app"])
    #expect(desk.script.takeSentNumbers() == [])
  }

  @Test
  func aLineLongerThanTheClientCanHoldEndsTheSession() {
    for hasEnd in [true, false] {
      let script = ClientScript { $0.longestLineBytes = 5_000 }
      script.welcome()
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000)
      for _ in 0..<5 { script.receive(piece) }
      #expect(script.isConnected)
      script.receive(hasEnd ? piece + [0x0A] : piece)
      #expect(Self.end(of: script) == "the daemon sent a line of more than 5000 bytes")
    }
  }

  @Test
  func partsThatNeverEndEndTheSession() {
    let script = ClientScript { $0.longestLineBytes = 5_000 }
    script.ask { $0.subscribe(to: .root, withActions: false) }
    script.welcome()
    script.say(["op": "snapshot", "path": "", "epoch": "e", "seq": 1, "state": [], "more": true])
    let text = JSON.string(String(repeating: "x", count: 500))
    for _ in 0..<20 where script.isConnected {
      script.say([
        "op": "part", "path": "", "seq": 1, "more": true,
        "patch": [["op": "add", "path": "/-", "value": text]],
      ])
    }
    #expect(Self.wordOf(script) == "ended too_large")
  }

  @Test(arguments: [Int64.max, .min, 0, -1])
  func numbersOutOfAnyMeasureDoNoHarm(number: Int64) {
    let script = ClientScript()
    script.connect()
    script.say([
      "op": "welcome", "protocol": 1, "epoch": "e", "seq": .integer(number), "client": "tty1",
      "lastN": .integer(number), "maxLine": .integer(number), "heartbeatMs": .integer(number),
    ])
    script.dispatch(2)
    script.say(["op": "ack", "n": .integer(number), "seq": .integer(number), "changed": true])
    script.say(["op": "reject", "n": 1, "code": "outcome_unknown", "message": "m"])
    script.say(["op": "mark", "path": "", "seq": .integer(number)])
    script.say([
      "op": "reject", "n": 1, "code": "rate_limited", "message": "m", "final": false,
      "retryMs": .integer(number),
    ])
    for _ in 0..<100 { script.pass(1_000) }
  }

  @Test
  func aGreetingOfOursThatComesLateIsNoOtherProgram() {
    let script = ClientScript()
    script.connect()
    script.lose()
    script.welcome()
    script.say(["op": "bye", "code": "replaced", "message": "m"])
    #expect(script.takeEvents() == ["waiting", "live", "waiting"])
    // It explains one takeover and no more.
    script.welcome()
    script.say(["op": "bye", "code": "replaced", "message": "m"])
    #expect(script.takeEvents() == ["live", "ended replaced"])
    let late = ClientScript()
    late.connect()
    late.lose()
    late.welcome()
    late.pass(61_000)
    late.say(["op": "bye", "code": "replaced", "message": "m"])
    #expect(late.takeEvents().last == "ended replaced")
  }

  @Test
  func presenceIsSaidAfterEachWelcome() {
    let script = ClientScript()
    script.ask { $0.setPresence(nil) }
    script.ask { $0.setPresence(["at": 1]) }
    script.ask { $0.subscribeToPresence() }
    for _ in 0..<2 {
      script.welcome()
      #expect(
        script.takeSent().dropFirst() == [
          ["op": "presence", "id": "presence", "state": ["at": 1]],
          ["op": "subscribe", "id": "@presence", "path": "@presence"],
        ])
      script.lose()
    }
    script.welcome()
    _ = script.takeSent()
    script.ask { $0.setPresence(nil) }
    #expect(script.takeSent() == [["op": "presence", "id": "presence", "state": nil]])
    script.say([
      "op": "patch", "path": "@presence", "seq": 1, "patch": [],
    ])
    #expect(script.isConnected == false)
  }
}
