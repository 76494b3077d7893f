import DuxEngine
import DuxJSON
import DuxLog
import DuxTerminal
import Testing

@testable import dux

@Suite struct ExplorerTests {
  private let state: JSON = [
    "deploy": ["db": ["host": "a"], "web": "v1"], "list": [1, 2, ["x": 1]], "n": 7,
  ]

  @Test func itFollowsTheStateTheLogAndWhoIsHere() {
    let scene = ExplorerScene.live(state)
    let paths = scene.sent.filter { $0["op"] == "subscribe" }.compactMap { $0["path"]?.stringValue }
    #expect(Set(paths) == ["", "@presence"])
    #expect(scene.lastSent("presence")?["state"] == ["program": "dux tui"])
    #expect(scene.lastSent("log")?["after"] == 0 && scene.lastSent("log")?["limit"] == 10)
  }

  @Test func olderStepsComeBeforeThoseThatWereFollowed() {
    var scene = ExplorerScene.live(state, seq: 2)
    scene.sayStep(3, set: "n", to: 8)
    let id = scene.lastSent("log")?["id"] ?? .null
    for seq in 1...2 as ClosedRange<Int64> {
      scene.say([
        "op": "entry", "id": id, "seq": .integer(seq), "time": 1, "client": "old", "actions": [],
        "patch": [],
      ])
    }
    scene.say(["op": "end", "id": id, "seq": 2, "more": true])
    #expect(scene.explorer.log.entries.map(\.seq.value) == [1, 2, 3])
  }

  @Test func whatIsNoLongerKeptIsAskedForAboveTheFloor() {
    var scene = ExplorerScene.live(state, seq: 100)
    #expect(scene.lastSent("log")?["after"] == 0)
    scene.say([
      "op": "error", "id": scene.lastSent("log")?["id"] ?? .null, "code": "compacted",
      "message": "no", "floor": 90,
    ])
    #expect(scene.lastSent("log")?["after"] == 90 && scene.lastSent("log")?["limit"] == 10)
  }

  @Test func aLineIsDispatchedAndItsOutcomeTold() {
    var scene = ExplorerScene.live(state)
    scene.press(":")
    scene.type("set /n 9")
    scene.press(Key(.enter))
    let dispatch = scene.lastSent("dispatch")
    #expect(
      dispatch?["action"] == ["type": "doc/set", "payload": ["path": "/n", "value": 9]])
    #expect(scene.wishes == [.keep("set /n 9")])
    #expect(scene.lines()[0].contains("1 on the way"))
    scene.say(["op": "ack", "n": dispatch?["n"] ?? 0, "seq": 11, "changed": true])
    #expect(scene.lines()[23] == "set /n 9: seq 11")
    scene.press(":", Key(.up))
    #expect(scene.lines()[23].hasPrefix(": set /n 9"))
  }

  @Test func aRefusalIsTold() {
    var scene = ExplorerScene.live(state)
    scene.press(":")
    scene.type("nothing/known")
    scene.press(Key(.enter))
    scene.say([
      "op": "reject", "n": scene.lastSent("dispatch")?["n"] ?? 0, "code": "unknown_action",
      "message": "there is no such action",
    ])
    #expect(scene.lines()[23] == "nothing/known: unknown_action: there is no such action")
  }

  @Test func aWrongLineStaysWithTheCursorAtTheMistake() {
    var scene = ExplorerScene.live(state)
    scene.press(":")
    scene.type("set /n {\"a\":tru}")
    scene.press(Key(.enter))
    #expect(scene.lastSent("dispatch") == nil)
    #expect(scene.lines()[22].contains("the value is no JSON"))
    #expect(scene.screen().cursor == Position(row: 23, column: 2 + 15))
    scene.press(Key(.escape))
    #expect(scene.explorer.prompt == nil)
  }

  @Test func tabCompletesTypesAndPaths() {
    var scene = ExplorerScene.live(state)
    scene.press(":")
    scene.type("set /dep")
    scene.press(Key(.tab))
    #expect(scene.lines()[23].hasPrefix(": set /deploy/"))
    scene.press(Key(.tab))
    #expect(scene.lines()[21] == "  /deploy/db/" && scene.lines()[22] == "  /deploy/web")
    scene.press(Key(.tab))
    #expect(scene.lines()[23].hasPrefix(": set /deploy/web"))
    scene.press(Key(.backTab))
    #expect(scene.lines()[23].hasPrefix(": set /deploy/db/"))
  }

  @Test func aFilterFindsPlacesAndGoesToThem() {
    var scene = ExplorerScene.live(state)
    scene.press("/")
    scene.type("x")
    scene.wait(1)
    #expect(scene.lines()[2] == "/list/2/x: 1")
    scene.press(Key(.enter), Key(.enter))
    #expect(scene.explorer.search == nil)
    #expect(scene.explorer.tree.selection.description == "/list/2/x")
    scene.press("/")
    scene.type("v1")
    scene.wait(1)
    #expect(scene.lines()[2] == "/deploy/web: \"v1\"")
    scene.sayStep(11, set: "also", to: "v1 again")
    scene.wait(1_000)
    #expect(scene.lines()[2] == "/also: \"v1 again\"")
    scene.press(Key(.escape))
    #expect(scene.explorer.search == nil)
  }

  @Test func aPathIsJumpedTo() {
    var scene = ExplorerScene.live(state)
    scene.press("p", .control("u"))
    scene.type("/deploy/db/host")
    scene.press(Key(.enter))
    #expect(scene.explorer.tree.selection.description == "/deploy/db/host")
    scene.press("p", .control("u"))
    scene.type("/nowhere")
    scene.press(Key(.enter))
    #expect(scene.lines()[22].contains("there is nothing at /nowhere"))
  }

  @Test func pathAndValueAreShownAndCopied() {
    var scene = ExplorerScene.live(state)
    scene.press("j", "v")
    #expect(scene.screen().text.contains("/deploy"))
    #expect(scene.screen().text.contains("\"web\": \"v1\""))
    scene.press(Key(.escape), "y", "Y")
    #expect(
      scene.wishes == [
        .copy("/deploy"), .copy("{\"db\":{\"host\":\"a\"},\"web\":\"v1\"}"),
      ])
  }

  @Test func theLogStandsStillWhileItIsHeldAndFollowsAgain() {
    var scene = ExplorerScene.live(state)
    for seq in 11...20 { scene.sayStep(Int64(seq), set: "n", to: .integer(Int64(seq))) }
    scene.press("2", "j", "j")
    let before = scene.lines()[2...12]
    for seq in 21...30 { scene.sayStep(Int64(seq), set: "n", to: .integer(Int64(seq))) }
    #expect(scene.lines()[2...12] == before)
    #expect(scene.lines()[23].contains("10 new"))
    scene.press("s")
    #expect(scene.lines()[2].hasPrefix("30 "))
  }

  @Test func aStepIsOpenedInPlace() {
    var scene = ExplorerScene.live(state)
    scene.sayStep(11, set: "n", to: 8)
    scene.press("2", Key(.enter))
    let lines = scene.lines()
    #expect(lines[4] == "  │ doc/set")
    #expect(lines[5] == "  │   payload: {")
    #expect(lines[9] == "  │ ~ /n 7 → 8")
    scene.press(Key(.enter))
    #expect(!scene.screen().text.contains("│"))
  }

  @Test func anEarlierStateIsLookedAtAndLeft() {
    var scene = ExplorerScene.live(state)
    scene.press("[")
    let get = scene.lastSent("get")
    #expect(get?["at"] == 9)
    scene.say(["op": "value", "id": get?["id"] ?? 0, "path": "", "seq": 9, "value": ["old": true]])
    #expect(scene.lines()[0].contains("as of seq 9"))
    #expect(scene.lines()[3].contains("old: true"))
    scene.sayStep(11, set: "n", to: 8)
    #expect(scene.lines()[3].contains("old: true"))
    scene.press(":")
    scene.type("set /n 1")
    scene.press(Key(.enter))
    #expect(scene.lastSent("dispatch") == nil)
    scene.press(Key(.escape), "n")
    #expect(scene.lines()[5].contains("n: 8"))
  }

  @Test func theNumberOfAnEarlierStepIsTypedOnAnEmptyLineAndNotBeyondTheNewest() {
    var scene = ExplorerScene.live(state)
    scene.press("t", "1", "1", Key(.enter))
    #expect(scene.lastSent("get") == nil)
    #expect(scene.screen().text.contains("the newest step is 10"))
    scene.press(.control("u"), "3", Key(.enter))
    #expect(scene.lastSent("get")?["at"] == 3)
  }

  @Test func aStateThatIsNoLongerKeptIsToldAndNotShown() {
    var scene = ExplorerScene.live(state)
    scene.press("t", "3", Key(.enter))
    scene.say([
      "op": "error", "id": scene.lastSent("get")?["id"] ?? 0, "code": "compacted",
      "message": "gone",
    ])
    #expect(scene.explorer.past == nil)
    #expect(scene.lines()[23] == "compacted: gone")
  }
}
