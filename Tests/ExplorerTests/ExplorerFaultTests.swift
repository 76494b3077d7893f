import DuxEngine
import DuxJSON
import DuxLog
import DuxTerminal
import Testing

@testable import dux

@Suite struct ExplorerFaultTests {
  private let state: JSON = ["a": 1, "o": ["p": 1]]

  private func scene() -> ExplorerScene {
    ExplorerScene.live(state)
  }

  @Test func aLostDaemonIsToldAndTheStateStays() {
    var scene = scene()
    scene.disconnect("the daemon hung up")
    #expect(scene.lines()[0].contains("○"))
    #expect(scene.lines()[3].contains("a: 1"))
    scene.connect()
    scene.say(["op": "resumed", "path": "", "epoch": "e1", "from": 10, "seq": 11])
    scene.sayStep(11, set: "a", to: 2)
    scene.say(["op": "snapshot", "path": "@presence", "epoch": "p", "seq": 1, "state": [:]])
    #expect(scene.lines()[0].contains("● live"))
    #expect(scene.lines()[3] == "~    a: 2")
    #expect(scene.explorer.log.entries.map(\.seq.value) == [11])
  }

  @Test func whatWasAskedForWhileTheDaemonIsAwayIsSentOnce() {
    var scene = scene()
    scene.disconnect()
    scene.press(":")
    scene.type("set /a 5")
    scene.press(Key(.enter))
    #expect(scene.lastSent("dispatch") == nil)
    #expect(scene.lines()[0].contains("1 on the way"))
    scene.connect()
    #expect(scene.sent.filter { $0["op"] == "dispatch" }.count == 1)
  }

  @Test func anotherEpochBeginsTheLogAnew() {
    var scene = scene()
    scene.sayStep(11, set: "a", to: 2)
    scene.disconnect()
    scene.connect(seq: 3, epoch: "e2")
    scene.say([
      "op": "snapshot", "path": "", "epoch": "e2", "seq": 3, "reason": "epoch", "state": ["b": 1],
    ])
    #expect(scene.lines()[0].contains("seq 3"))
    #expect(scene.lines()[3].contains("b: 1"))
    #expect(scene.explorer.log.entries.isEmpty)
    #expect(scene.lines()[23] == "the state came anew: epoch")
    #expect(scene.lastSent("log")?["limit"] == 3)
  }

  @Test func answersOfBeforeASnapshotDoNotTearTheLog() {
    var scene = scene()
    let id = scene.lastSent("log")?["id"] ?? .null
    scene.say([
      "op": "snapshot", "path": "", "epoch": "e1", "seq": 50, "reason": "lagged", "state": state,
    ])
    scene.say([
      "op": "entry", "id": id, "seq": 10, "time": 1, "client": "x", "actions": [], "patch": [],
    ])
    scene.say(["op": "end", "id": id, "seq": 10, "more": true])
    #expect(scene.explorer.log.entries.isEmpty)
  }

  @Test func whenTheSessionIsOverNothingMoreIsSent() {
    var scene = scene()
    scene.say(["op": "bye", "code": "replaced", "message": "taken over"])
    scene.press(":")
    scene.type("set /a 5")
    scene.press(Key(.enter))
    #expect(scene.lastSent("dispatch") == nil)
    #expect(scene.lines()[23].contains("the session is over"))
    scene.press("q")
    #expect(scene.wishes.contains(.quit))
  }

  @Test func pastedBinaryIsTextInALine() {
    var scene = scene()
    let bytes = String(decoding: (0...255).map { UInt8($0) }, as: UTF8.self)
    scene.take(.paste(bytes + "\n" + String(repeating: "é", count: 100_000)))
    #expect(scene.explorer.prompt?.purpose == .dispatch)
    #expect(scene.explorer.prompt?.draft.text.utf8.count ?? 0 <= Draft.longest)
    scene.press(Key(.enter))
    #expect(scene.lines().count == 24)
  }

  @Test func effectsAreListedAndCancelledAfterAQuestion() {
    var scene = scene()
    scene.press("4")
    _ = scene.screen()
    scene.wait(1)
    let id = scene.lastSent("effects")?["id"] ?? .null
    scene.say([
      "op": "effects", "id": id, "seq": 10, "more": false,
      "effects": [
        [
          "key": "k1", "kind": "command", "state": "retrying", "name": "send mail", "scope": "",
          "cause": 4, "action": "mail/send", "author": "tty1", "attempts": 3, "retryMs": 800,
          "error": "refused",
        ]
      ],
    ])
    #expect(scene.lines()[2].contains("send mail"))
    scene.press("x")
    #expect(scene.screen().text.contains("y cancels it"))
    scene.press("n")
    #expect(scene.lastSent("cancel") == nil)
    scene.press("x", "y")
    #expect(scene.lastSent("cancel")?["key"] == "k1")
    scene.say(["op": "cancelled", "id": scene.lastSent("cancel")?["id"] ?? 0, "key": "k1"])
    #expect(scene.lines()[23] == "cancelled k1")
  }

  @Test func whoIsHereIsFollowed() {
    var scene = scene()
    scene.say([
      "op": "patch", "path": "@presence", "seq": 2,
      "patch": [
        [
          "op": "add", "path": "/tty9",
          "value": ["serial": 2, "sinceMs": 5, "state": ["at": "/a"]],
        ]
      ],
    ])
    scene.press("3")
    #expect(scene.lines()[2].hasPrefix("tty9  since "))
    #expect(scene.lines()[2].contains("{\"at\":\"/a\"}"))
  }

  @Test func aDaemonThatDoesNotKnowWhoIsHereIsLiveAllTheSame() {
    var scene = ExplorerScene()
    scene.connect()
    scene.say(["op": "snapshot", "path": "", "epoch": "e1", "seq": 10, "state": state])
    scene.say([
      "op": "error", "id": "@presence", "code": "bad_request", "message": "this is no path",
    ])
    #expect(scene.lines()[0].hasPrefix(" ● live"))
    #expect(scene.explorer.message == nil)
  }

  @Test func theMouseSelectsOpensAndScrolls() {
    var scene = scene()
    scene.take(.mouse(Mouse(.press(.left), at: Position(row: 4, column: 5))))
    #expect(scene.explorer.tree.selection.description == "/o")
    scene.take(.mouse(Mouse(.press(.left), at: Position(row: 4, column: 5))))
    #expect(scene.lines()[5].contains("p: 1"))
    scene.take(.mouse(Mouse(.wheelUp, at: Position(row: 4, column: 5))))
    #expect(scene.explorer.tree.selection.isRoot)
    scene.take(.mouse(Mouse(.press(.left), at: Position(row: 1, column: 12))))
    #expect(scene.explorer.pane == .log)
    scene.take(.mouse(Mouse(.press(.left), at: Position(row: 20, column: 0))))
  }
}
