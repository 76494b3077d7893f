import DuxJSON
import Testing

/// Clients that are silent, deaf or too many hurt themselves alone.
struct HostileClientTests {
  @Test func aSilentClientIsSentAwayAfterTenSeconds() throws {
    let daemon = try DaemonProcess()
    let start = ContinuousClock.now
    let silent = try Client(daemon)
    let half = try Client(daemon)
    try half.send(raw: #"{"op":"hello","protocol":1,"#)
    let polite = try Client(daemon, named: nil)
    for client in [silent, half] {
      let bye = try client.expectBye("bad_request")
      #expect(bye["retryMs"]?.integerValue != nil)
      #expect(ContinuousClock.now - start > .seconds(9))
    }
    #expect(try polite.ask(["op": "ping"])["op"] == "pong")
  }

  @Test func aClientThatNeverReadsDisturbsNoOneAndCostsLittle() throws {
    let scene = try Scene(state: ["big": .string(String(repeating: "x", count: 500_000))])
    var deafOnes: [LineSocket] = []
    for _ in 0..<10 {
      let deaf = try LineSocket(host: scene.daemon.host, port: scene.daemon.port)
      deaf.shrinkReceiveBuffer()
      deaf.queue(Array(#"{"op":"hello","protocol":1}"#.utf8) + [10])
      deaf.queue(JSON.subscribe("").bytes + [10])
      for _ in 0..<200 { deaf.queue(Array(#"{"op":"get"}"#.utf8) + [10]) }
      deaf.flush()
      deafOnes.append(deaf)
    }
    defer { deafOnes = [] }
    let before = try scene.daemon.residentMemory
    for step in 0..<200 {
      let text = String(repeating: "y", count: 20_000) + "\(step)"
      try scene.offender.accepted(.set("/text", .string(text)))
      try scene.expectStep()
    }
    try #expect(scene.daemon.residentMemory - before < 100 << 20)
    try #expect(scene.daemon.peakMemory < 250 << 20)
  }

  @Test func fiveThousandConnectionsLeaveNothingBehind() throws {
    let scene = try Scene()
    let before = try scene.daemon.descriptorCount
    for round in 0..<5_000 {
      let client = try Client(scene.daemon)
      switch round % 5 {
      case 0: break
      case 1: try client.send(raw: "{\"op\":\"hel")
      case 2: try client.send(raw: "{\"op\":\"hello\",\"protocol\":1}\n{\"op\":\"subscribe\"}\n")
      case 3: client.socket.endWithReset()
      default:
        try client.hello("same")
        client.socket.endWithReset()
      }
    }
    try waitUntil { try scene.daemon.descriptorCount <= before }
    let status = try scene.witness.ask(["op": "status"])
    #expect(status["clients"] == 2)
    #expect(status["subscriptions"] == 1)
    try scene.expectUntouched()
  }

  @Test func withoutDescriptorsTheConnectedAreServedAndLaterOnesWhenThereAreSome() throws {
    let daemon = try DaemonProcess(prefix: ["prlimit", "--nofile=64:64"])
    let first = try Client(daemon, named: "first")
    var crowd: [LineSocket] = []
    for _ in 0..<150 {
      let socket = try LineSocket(host: daemon.host, port: daemon.port)
      socket.queue(Array("{\"op\":\"hello\",\"protocol\":1}\n".utf8))
      socket.flush()
      crowd.append(socket)
    }
    for step in 1...50 {
      try #expect(first.accepted(.set("/a", .integer(Int64(step)))) == Int64(step))
    }
    crowd = []
    try waitUntil { (try? Client(daemon, named: "late")) != nil }
    try #expect(first.accepted(.set("/a", 0)) == 51)
    try #expect(daemon.stop() == .code(0))
  }

  @Test func oneClientTooManyIsToldToComeLater() throws {
    let daemon = try DaemonProcess(["--max-clients", "3"])
    var clients = try (0..<3).map { try Client(daemon, named: "client\($0)") }
    let tooMany = try Client(daemon)
    try tooMany.send(["op": "hello", "protocol": 1])
    let bye = try tooMany.expectBye("overloaded")
    #expect(bye["retryMs"]?.integerValue != nil)
    #expect(try clients[0].ask(["op": "ping"])["op"] == "pong")
    clients.removeLast()
    try waitUntil { (try? Client(daemon, named: "late")) != nil }
  }

  @Test func aTakeoverEndsTheOlderConnectionForGood() throws {
    let daemon = try DaemonProcess()
    let older = try Client(daemon, named: "same")
    try older.send(.subscribe(""))
    _ = try older.next("snapshot")
    try older.send(.dispatch([.set("/a", 1)], n: 1))
    let newer = try Client(daemon, named: "same")
    while let message = try older.nextOrEnd() {
      if message["op"] == "bye" {
        #expect(message["code"] == "replaced")
        #expect(message["retryMs"] == nil)
      }
    }
    let retry = try newer.dispatch(.set("/a", 1), n: 1)
    #expect(retry["seq"] == 1)
    #expect(try newer.ask(["op": "status"])["clients"] == 1)
    #expect(try newer.ask(["op": "status"])["subscriptions"] == 0)
  }

  /// Asks again until something holds; each question takes as long as its own work.
  private func waitUntil(_ condition: () throws -> Bool) throws {
    let deadline = Deadline()
    while try !condition() {
      if deadline.hasPassed { throw Unexpected("it never came true") }
    }
  }
}
