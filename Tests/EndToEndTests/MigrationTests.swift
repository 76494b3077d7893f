import DuxJSON
import Testing

/// Real folders under apps of other versions.
struct MigrationTests {
  private func scene() throws -> (EffectScene, position: JSON) {
    let scene = try EffectScene()
    let client = try Client(scene.daemon, named: "w")
    let epoch = try Client(scene.daemon).hello()["epoch"] ?? nil
    try client.accepted(EffectScene.ask("a"))
    try wait("the end") { try scene.status(of: "a", client) == "done" }
    let seq = try client.get().seq
    return (scene, ["op": "subscribe", "since": .integer(seq), "epoch": epoch])
  }

  @Test func `a newer version brings the state on, and who comes back gets the patch`() throws {
    let (scene, position) = try scene()
    let client = try Client(scene.daemon, named: "w")
    var state = try client.get().value ?? nil
    try scene.daemon.stop()
    try scene.start("second")
    let again = try Client(scene.daemon, named: "w")
    try again.send(position)
    #expect(try again.next()["op"] == "resumed")
    let frame = try again.next()
    #expect(frame["op"] == "patch" && frame["client"] == "@duxd")
    try JSONPatch(frame["patch"] ?? nil).apply(to: &state)
    let now = try again.get()
    #expect(now.value == state)
    #expect(now.value?["sum"] == 3 && now.value?["total"] == nil)
    let action = try again.log().last?.firstAction
    #expect(action?["type"] == "@@dux/migrate")
    #expect(action?["payload"] == ["from": 1, "to": 2])
    try scene.daemon.killAndStart()
    let third = try Client(scene.daemon, named: "w")
    #expect(try third.get().seq == now.seq)
    #expect(try Client(scene.daemon).hello()["appVersion"] == 2)
  }

  @Test(arguments: ["broken", "missing"])
  func `a migration that fails changes nothing and says so`(app: String) throws {
    let (scene, _) = try scene()
    try scene.daemon.stop()
    let before = try scene.data
    let (end, message) = try scene.failToStart(app)
    #expect(end == .code(FailedStart.Code.data))
    #expect(message.contains("version 1") && message.contains("work"), "\(message)")
    #expect(message.contains(app == "broken" ? "out of order" : "no migration"), "\(message)")
    #expect(try scene.data == before)
    try scene.start("first")
    #expect(try Client(scene.daemon, named: "w").get("/total").value == 3)
  }

  @Test func `a state of a newer version is refused and left alone`() throws {
    let (scene, _) = try scene()
    try scene.daemon.stop()
    try scene.start("second")
    try scene.daemon.stop()
    let before = try scene.data
    let (end, message) = try scene.failToStart("first")
    #expect(end == .code(FailedStart.Code.data))
    #expect(message.contains("version 2"), "\(message)")
    #expect(try scene.data == before)
  }

  @Test func `slices are adopted, and kept where they are unknown`() throws {
    let (scene, position) = try scene()
    try scene.daemon.stop()
    try scene.start("wide")
    let client = try Client(scene.daemon, named: "w")
    try client.send(position)
    #expect(try client.next()["op"] == "resumed")
    #expect(try client.next("patch")["client"] == "@duxd")
    #expect(try client.log().last?.firstAction?["type"] == "@@dux/adopt")
    #expect(try client.get("/extra/colour").value == "green")
    try scene.daemon.stop()
    try scene.start("first")
    let narrow = try Client(scene.daemon, named: "w")
    try narrow.accepted(EffectScene.ask("b"))
    #expect(try narrow.get("/extra/colour").value == "green")
    #expect(try narrow.ask(["op": "status"])["unknownSlices"] == ["extra"])
    #expect(try CommandLine(scene.daemon)("status").output.contains("extra"))
    #expect(scene.daemon.errors.contains("extra"))
    try scene.daemon.stop()
    try scene.start("wide")
    let wide = try Client(scene.daemon, named: "w")
    #expect(try wide.ask(["op": "status"])["unknownSlices"] == [])
    #expect(try wide.get("/jobs/rows/b/id").value == "b")
  }

  @Test func `a daemon of one's own has the whole command line`() throws {
    let program = programs + "/effect-daemon"
    let help = try run([program, "--help"])
    #expect(help.end == .code(0))
    #expect(help.output.contains("App to serve: work") && help.output.contains("--durability"))
    let folder = try TemporaryFolder()
    let unknown = try run(
      DaemonProcess.command("effect-daemon", data: folder("d"), ["--app", "nonsense"]))
    #expect(unknown.end == .code(FailedStart.Code.usage))
    #expect(unknown.errors.contains("nonsense") && unknown.errors.contains("work"))
    let twins = try run(
      ["/usr/bin/env", "WORK_APP=twins"] + DaemonProcess.command("effect-daemon", data: folder("d"))
    )
    #expect(twins.end == .code(FailedStart.Code.usage))
    #expect(twins.errors.contains("2 apps"), "\(twins.errors)")
    #expect(try names(in: folder.path).isEmpty)
  }
}

extension LoggedStep {
  fileprivate var firstAction: JSON? { actions.arrayValue.flatMap { Array($0).first } }
}
