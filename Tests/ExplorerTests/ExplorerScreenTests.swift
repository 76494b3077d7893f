import DuxEngine
import DuxJSON
import DuxTerminal
import Testing

@testable import dux

@Suite struct ExplorerScreenTests {
  private let state: JSON = [
    "deploy": ["db": ["host": "a"], "web": "v1"], "list": [1, 2, ["x": 1]], "n": 7,
  ]

  @Test func aNarrowScreenShowsOnePartAndNamesTheOthers() {
    var scene = ExplorerScene.live(state)
    scene.press("j")
    let lines = scene.lines()
    #expect(lines[0] == " ● live  127.0.0.1:7389  document  seq 10")
    #expect(lines[1] == "[1 State] 2 Log  3 Who is here  4 Effects")
    #expect(lines[2] == " ▾ (root): {3 members}")
    #expect(lines[3] == "   ▸ deploy: {2 members}  {\"db\":{\"host\":\"a\"},\"web\":\"v1\"}")
    #expect(lines[4] == "   ▸ list: [3 items]  [1,2,{\"x\":1}]")
    #expect(lines[5] == "     n: 7")
    #expect(lines[23].hasPrefix("/deploy  ? keys"))
    #expect(scene.screen()[3, 4].style.reverse)
  }

  @Test func aWideScreenShowsAllParts() {
    var scene = ExplorerScene.live(state, columns: 400, rows: 120)
    scene.sayStep(11, set: "n", to: 8)
    scene.say([
      "op": "snapshot", "path": "@presence", "epoch": "p", "seq": 1,
      "state": ["tty1": ["serial": 1, "sinceMs": .integer(ExplorerScene.nowMs), "state": "hi"]],
    ])
    let text = scene.screen().text
    #expect(text.contains("▶1 State"))
    #expect(text.contains("2 Log  follows"))
    #expect(text.contains("doc/set  ~ /n 7 → 8"))
    #expect(text.contains("{\"path\":\"/n\",\"value\":8}"))
    #expect(text.contains("3 Who is here  1"))
    #expect(text.contains("tty1  since"))
    #expect(text.contains("4 Effects  0"))
    #expect(text.contains("~    n: 8"))
  }

  @Test(arguments: [
    (1, 1), (1, 40), (2, 2), (5, 3), (17, 5), (80, 1), (99, 13), (100, 14), (2_000, 3),
  ])
  func everySizeIsDrawnIn(columns: Int, rows: Int) {
    var scene = ExplorerScene.live(state, columns: columns, rows: rows)
    scene.sayStep(11, set: "new", to: ["deep": [1, 2, 3]])
    #expect(scene.lines().count == rows)
    scene.press("?")
    _ = scene.screen()
    scene.press(Key(.escape), ":", Key(.tab))
    _ = scene.screen()
    scene.press(Key(.escape), "/", "x", Key(.enter), Key(.escape), "v", Key(.escape))
    for pane in ["1", "2", "3", "4"] {
      scene.type(pane)
      scene.press(Key(.down), Key(.enter), Key(.pageDown))
      #expect(scene.lines().count == rows)
    }
  }

  @Test func whatChangedIsMarkedAndFades() {
    var scene = ExplorerScene.live(state)
    scene.sayStep(11, set: "n", to: 8)
    scene.sayStep(12, set: "zebra", to: true)
    var lines = scene.lines()
    #expect(lines[5] == "~    n: 8")
    #expect(lines[6] == "+    zebra: true")
    #expect(scene.screen()[5, 0].style.bold)
    scene.wait(10_000)
    #expect(scene.screen()[5, 0].style.dim)
    #expect(scene.explorer.dueMs != nil)
    scene.wait(20_000)
    lines = scene.lines()
    #expect(lines[5] == "     n: 8")
    #expect(scene.explorer.dueMs == nil)
  }

  @Test func theConnectionIsToldInTheFirstLine() {
    var scene = ExplorerScene()
    #expect(scene.lines()[0].hasPrefix(" ○ connecting  127.0.0.1:7389"))
    #expect(scene.lines()[2] == "waiting for a daemon")
    scene.disconnect()
    #expect(scene.lines()[0].hasPrefix(" ○ offline, next try in"))
    #expect(scene.lines()[0].hasSuffix("connection refused"))
    scene.connect()
    scene.say(["op": "snapshot", "path": "", "epoch": "e1", "seq": 10, "state": state])
    scene.say([
      "op": "snapshot", "path": "@presence", "epoch": "p", "seq": 1, "state": [:],
    ])
    #expect(scene.lines()[0].hasPrefix(" ● live"))
    scene.say(["op": "bye", "code": "replaced", "message": "another connection took over"])
    #expect(scene.lines()[0].hasPrefix(" ✕ ended: another connection took over (replaced)"))
    #expect(scene.lines()[2].contains("(root)"))
  }

  @Test func nothingInTheStateMovesTheCursorOrLeavesItsRow() {
    let hostile = "\u{1B}[2J\u{7}\r\n\u{202E}evil\u{0}"
    var scene = ExplorerScene.live([hostile: .string(hostile), "wide": "日本語日本語👩‍👩‍👧"])
    scene.sayStep(11, set: "x", to: .string(hostile))
    for pane in ["1", "2", "v"] {
      scene.type(pane)
      let text = scene.screen().text
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
      #expect(!text.unicodeScalars.contains("\u{202E}"))
      #expect(scene.lines().count == 24)
    }
  }

  @Test func aHugeStateIsDrawn() {
    var object = JSONObject()
    for index in 0..<10_000 { object["key\(index)"] = ["a": .integer(Int64(index))] }
    object["text"] = .string(String(repeating: "x", count: 1 << 22))
    var scene = ExplorerScene.live(.object(object))
    scene.press(Key(.end))
    #expect(scene.lines()[22].hasPrefix("     text: \"xxx"))
    for step in 0..<50 {
      scene.sayStep(Int64(11 + step), set: "key\(step * 7)", to: ["a": 0])
      scene.press(Key(.pageUp))
      #expect(scene.lines().contains { $0.contains("key9") })
    }
  }
}
