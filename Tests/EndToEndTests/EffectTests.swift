import DuxJSON
import Testing

/// Commands of an app in a real daemon, over kill -9 and by hand.
struct EffectTests {
  @Test func `commands survive twenty kills under their keys`() throws {
    let scene = try EffectScene()
    var count: Int64 = 0
    for _ in 0..<20 {
      let client = try Client(scene.daemon, named: "w")
      let before = scene.tries.count
      for _ in 0..<5 {
        count += 1
        try client.accepted(EffectScene.ask("j\(count)", ms: count % 3 * 15), n: count)
      }
      try wait("a try") { scene.tries.count > before + Int(count % 4) }
      try scene.daemon.killAndStart()
    }
    let client = try Client(scene.daemon, named: "w")
    try wait("the end of all", Deadline(.seconds(60))) {
      try (1...count).allSatisfy { try scene.status(of: "j\($0)", client) == "done" }
    }
    #expect(try client.ask(["op": "status"])["effects"] == 0)
    for job in 1...count { #expect(try scene.status(of: "j\(job)", client) == "done") }
    let tries = scene.tries
    let keys = Dictionary(grouping: tries, by: \.job).mapValues { Set($0.map(\.key)) }
    #expect(keys.count == Int(count))
    #expect(keys.values.allSatisfy { $0.count == 1 })
    #expect(Set(keys.values.compactMap(\.first)).count == Int(count))
    #expect(Set(tries.filter { $0.event == "end" }.map(\.job)).count == Int(count))
    let log = try client.log()
    let types = log.flatMap { step in
      (step.actions.arrayValue.map(Array.init) ?? []).map { $0["type"]?.stringValue }
    }
    #expect(types.filter { $0 == "ask" }.count == Int(count))
    #expect(types.filter { $0 == "done" }.count == Int(count))
    #expect(try client.get("/jobs/rows").value?.objectValue?.count == Int(count))
  }

  @Test func `a command is listed, and ended by hand`() throws {
    let scene = try EffectScene()
    let client = try Client(scene.daemon, named: "w")
    try client.accepted(EffectScene.ask("long", ms: 100_000))
    try wait("a try") { !scene.tries.isEmpty }
    let dux = CommandLine(scene.daemon)
    let listed = try #require(try dux("effects", "--json").lines.first)
    #expect(listed["name"] == "Labour" && listed["author"] == "w" && listed["action"] == "ask")
    #expect(listed["state"] == "running")
    let key = try #require(listed["key"]?.stringValue)
    #expect(scene.tries.first.map { String($0.key) } == key)
    let cancelled = try dux("effects", "cancel", key)
    #expect(cancelled.end == .code(0), "\(cancelled.errors)")
    try wait("the answer") { try scene.status(of: "long", client) == "cancelled" }
    #expect(try dux("effects", "--json").lines.isEmpty)
    #expect(try dux("effects", "cancel", key).end != .code(0))
    try scene.daemon.killAndStart()
    let again = try Client(scene.daemon, named: "w")
    #expect(try again.ask(["op": "status"])["effects"] == 0)
    #expect(!scene.tries.contains { $0.event == "end" })
  }

  @Test func `a failing command is tried again under its key`() throws {
    let scene = try EffectScene()
    let client = try Client(scene.daemon, named: "w")
    try client.accepted(EffectScene.ask("weak", failures: 3))
    try wait("the end") { try scene.status(of: "weak", client) == "done" }
    #expect(scene.tries.filter { $0.event == "begin" }.map(\.attempt) == ["1", "2", "3", "4"])
    #expect(Set(scene.tries.map(\.key)).count == 1)
  }

  @Test func `a handler that hangs is cut off and given up`() throws {
    let scene = try EffectScene()
    let client = try Client(scene.daemon, named: "w")
    try client.accepted(["type": "hang", "payload": ["id": "stuck"]])
    try wait("the end") { try scene.status(of: "stuck", client) == "timedOut" }
    #expect(scene.tries.map(\.attempt) == ["1", "2"])
    #expect(try client.ask(["op": "status"])["effects"] == 0)
    #expect(try scene.daemon.stop() == .code(0))
    #expect(!scene.daemon.errors.contains("CONTINUATION"))
  }

  @Test func `a command without a handler is kept until there is one`() throws {
    let scene = try EffectScene()
    let client = try Client(scene.daemon, named: "w")
    try client.accepted(EffectScene.ask("long", ms: 700))
    try scene.daemon.kill()
    try scene.start("idle")
    let listed = try #require(try CommandLine(scene.daemon)("effects", "--json").lines.first)
    #expect(listed["state"] == "waiting")
    #expect(listed["error"]?.stringValue?.contains("handler") == true)
    #expect(scene.daemon.errors.contains("Labour"))
    try scene.daemon.stop()
    try scene.start("first")
    let again = try Client(scene.daemon, named: "w")
    try wait("the end") { try scene.status(of: "long", again) == "done" }
    #expect(Set(scene.tries.map(\.key)).count == 1)
  }

  @Test func `a stop in good order leaves commands for the next start`() throws {
    let scene = try EffectScene()
    let client = try Client(scene.daemon, named: "w")
    try client.accepted(EffectScene.ask("long", ms: 500))
    try wait("a try") { !scene.tries.isEmpty }
    #expect(try scene.daemon.stop() == .code(0))
    #expect(!scene.daemon.errors.contains("CONTINUATION"))
    try scene.daemon.start()
    let again = try Client(scene.daemon, named: "w")
    try wait("the end") { try scene.status(of: "long", again) == "done" }
  }
}
