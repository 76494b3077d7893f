import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import Testing

@testable import dux

/// How steps that the daemon takes by itself are shown to people.
struct OwnStepTests {
  private let answer: JSON = [
    "type": "login/succeeded", "payload": ["user": 7],
    "meta": ["dux": ["cause": 57, "author": "tty1", "effect": "k", "inputs": ["date": [1]]]],
  ]

  private func log(_ client: JSON, _ actions: JSON) -> String {
    LogLine(style: .plain, columns: 200).text(of: [
      "seq": 59, "time": 0, "client": client, "actions": actions, "patch": [],
    ])
  }

  @Test
  func theLogSaysToWhomAndToWhichStepAnAnswerIsOwed() {
    #expect(
      log("@duxd", [answer]).hasSuffix(
        "  @duxd for tty1 after 57  login/succeeded  (nothing changed)"))
  }

  @Test
  func aStepOfTheStartHasNobodyToBeOwedTo() {
    #expect(
      log("@duxd", [["type": "@@dux/migrate", "payload": ["from": 1, "to": 2]]]).hasSuffix(
        "  @duxd  @@dux/migrate 1 → 2  (nothing changed)"))
    #expect(
      log("@duxd", [["type": "@@dux/adopt"]]).hasSuffix("  @duxd  @@dux/adopt  (nothing changed)"))
    #expect(
      log("@duxd", [["type": "go", "meta": ["dux": ["cause": 1, "author": "@duxd"]]]]).contains(
        "  @duxd after 1  go  "))
  }

  @Test
  func aClientsStepIsItsOwnThoughItsInputsAreNoted() {
    let action: JSON = ["type": "todos/add", "meta": ["dux": ["inputs": ["uuid": ["x"]]]]]
    #expect(log("tty1", [action]).contains("  tty1  todos/add  "))
    #expect(log("tty1", []).contains("  tty1  "))
  }

  @Test(
    arguments: [
      (["type": "t", "meta": ["dux": ["cause": 1]]], ["type": "t"]),
      (["type": "t", "meta": ["dux": 1, "trace": 2]], ["type": "t", "meta": ["trace": 2]]),
      (["type": "t", "meta": ["dux"]], ["type": "t", "meta": ["dux"]]),
      (["type": "t", "meta": [:]], ["type": "t", "meta": [:]]),
      (["type": "t", "dux": 1], ["type": "t", "dux": 1]), (7, 7),
    ] as [(JSON, JSON)])
  func whatTheDaemonWroteIntoAnActionIsNotShown(action: JSON, shown: JSON) {
    #expect(StepText.withoutOrigin(action) == shown)
  }

  @Test
  func watchShowsTheOriginWhereTheActionsAreAskedFor() throws {
    func lines(_ form: WatchView.Form, _ members: JSONObject) throws -> [String] {
      var line: JSONObject = [
        "op": "patch", "path": "", "seq": 59, "client": "@duxd", "type": "login/succeeded",
        "patch": [],
      ]
      for (name, value) in members { line[name] = value }
      let message = try JSON.object(line).bytes.withUnsafeBytes { try ServerMessage($0) }
      guard case .patch(let patch) = message else { return [] }
      let view = WatchView(
        path: .root, form: form, detail: .patches, style: .plain, columns: 80, rows: 20)
      return view.lines(patch: patch, before: 1, after: 1)
    }
    #expect(
      try lines(.people, ["actions": [answer]]) == [
        "seq 59  @duxd for tty1 after 57  login/succeeded  (nothing changed)",
        "  action {\"payload\":{\"user\":7},\"type\":\"login/succeeded\"}",
      ])
    #expect(try lines(.people, [:]) == ["seq 59  @duxd  login/succeeded  (nothing changed)"])
    #expect(try lines(.json, ["actions": [answer]]).first?.contains("\"cause\":57") == true)
  }
}

struct EffectTableTests {
  private let failing = ListedEffect(
    key: "57.0", kind: .command, name: "RequestToken", state: .retrying, scope: "login",
    effect: "token", cause: SequenceNumber(57), author: "tty1", action: "login/submit",
    attempts: 2, retryMs: 1_200, error: "connection refused by the server")
  private let running = ListedEffect(
    key: "58.0", kind: .running, name: "clock", state: .running, scope: "", effect: nil,
    cause: SequenceNumber(58), author: "@duxd", action: "go\u{1b}", attempts: 1, retryMs: nil,
    error: nil)

  @Test
  func effectsAreATable() {
    #expect(
      EffectsCommand.table([failing, running], TableText(style: .plain, columns: 200)) == [
        "KEY   STATE              NAME          SCOPE  ASKED BY               TRIES  LAST ERROR",
        "57.0  retrying in 1.2 s  RequestToken  login  57 login/submit, tty1  2      "
          + "connection refused by the server",
        "58.0  running            clock         -      58 go\\u001b, @duxd     1",
      ])
  }

  @Test
  func theErrorTakesTheRestOfTheLineAndTheKeyIsNeverCut() {
    var long = failing
    long.key = String(repeating: "k", count: 100)
    long.name = String(repeating: "n", count: 100)
    let line = EffectsCommand.table([long], TableText(style: .plain, columns: 80))[1]
    #expect(line.hasPrefix(long.key + "  "))
    #expect(!line.contains(long.name))
    #expect(line.hasSuffix("  connection refused …"))
  }

  @Test
  func aStatusTellsOfEffectsAndOfWhatIsUnknownWhereThereIsAny() {
    #expect(
      StatusCommand.table(
        [
          "pipeline": ["log", "limit"], "effects": 1_200, "unknownSlices": ["old", "older"],
          "unknownActions": 1, "lateActions": 2,
        ], place: "here", .plain) == [
          "pipeline       log → limit", "effects        1,200, see 'dux effects'",
          "unknown slices old, older: kept until the app knows them again",
          "unknown types  1 action refused since the start",
          "late actions   2 dropped since the start: their effects were cancelled",
        ])
    #expect(
      StatusCommand.table(
        [
          "pipeline": [], "effects": 0, "unknownSlices": [], "unknownActions": 0,
          "lateActions": 0,
        ], place: "here", .plain) == [])
  }
}
