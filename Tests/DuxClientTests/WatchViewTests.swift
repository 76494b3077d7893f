import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import Testing

@testable import dux

struct WatchViewTests {
  private func view(
    _ form: WatchView.Form, _ detail: WatchView.Detail = .value, path: String = "", rows: Int = 20
  ) throws -> WatchView {
    WatchView(
      path: try JSONPointer(path), form: form, detail: detail, style: .plain, columns: 60,
      rows: rows)
  }

  private func replica(_ value: JSON?, seq: Int64 = 5, path: String = "") -> Replica {
    Replica(path: path, value: value, position: .init(epoch: "e", seq: SequenceNumber(seq)))
  }

  /// What a patch line prints, the time of the day left out.
  private func lines(
    _ view: WatchView, _ line: JSON, before: JSON?, after: JSON?
  ) throws -> [String] {
    let message = try line.bytes.withUnsafeBytes { (bytes) throws(RequestError) in
      try ServerMessage(bytes)
    }
    guard case .patch(let patch) = message else { return [] }
    return view.lines(patch: patch, before: before, after: after)
  }

  private func patch(_ operations: JSON, _ more: JSONObject = ["type": "doc/set"]) -> JSON {
    var object: JSONObject = [
      "op": "patch", "path": "", "seq": 6, "client": "tty1", "patch": operations,
    ]
    for (name, value) in more { object[name] = value }
    return .object(object)
  }

  @Test
  func peopleSeeTheValueThenEachChangeMarked() throws {
    let view = try view(.people)
    #expect(
      view.lines(snapshot: replica(["a": 1]), reason: nil) == [
        "seq 5  the whole state", "  {", "    \"a\": 1", "  }",
      ])
    let change = patch([["op": "replace", "path": "/a", "value": 2]])
    #expect(
      try lines(view, change, before: ["a": 1], after: ["a": 2]) == [
        "seq 6  tty1  doc/set", "  {", "~   \"a\": 2  (was 1)", "  }",
      ])
  }

  @Test
  func ofAValueTooLongForTheScreenTheChangedPathsAreShown() throws {
    let view = try view(.people, path: "/p", rows: 3)
    #expect(
      view.lines(snapshot: replica(["a": 1, "b": 2], path: "/p"), reason: nil).last?
        .contains("too long for this screen") == true)
    let change = patch([["op": "replace", "path": "/a", "value": 2]])
    #expect(
      try lines(view, change, before: ["a": 1, "b": 2], after: ["a": 2, "b": 2]) == [
        "seq 6  tty1  doc/set", "~ /p/a: 1 → 2",
      ])
  }

  @Test
  func peopleAreToldWhenThereIsNothing() throws {
    let view = try view(.people, path: "/p")
    #expect(
      view.lines(snapshot: replica(nil, path: "/p"), reason: nil) == ["seq 5  /p  there is nothing"]
    )
    let gone = patch([["op": "remove", "path": ""]])
    #expect(
      try lines(view, gone, before: 1, after: nil).last == "- there is nothing any more")
    let unchanged = patch([])
    #expect(
      try lines(view, unchanged, before: 1, after: 1) == ["seq 6  tty1  doc/set  (nothing changed)"]
    )
  }

  @Test
  func patchesAndActionsArePrintedALineEach() throws {
    let view = try view(.people, .patches)
    let action: JSON = ["type": "doc/set", "payload": 1]
    let change = patch(
      [["op": "remove", "path": "/a"], ["op": "add", "path": "/b", "value": 1]],
      ["types": ["a", "b", "c", "d", "e"], "actions": [action]])
    #expect(
      try lines(view, change, before: ["a": 1], after: ["b": 1]) == [
        "seq 6  tty1  a, b, c and 2 more", "  action {\"payload\":1,\"type\":\"doc/set\"}",
        "  {\"op\":\"remove\",\"path\":\"/a\"}", "  {\"op\":\"add\",\"path\":\"/b\",\"value\":1}",
      ])
  }

  @Test
  func elsewhereTheValueAloneIsPrintedWhenItChanges() throws {
    let view = try view(.values)
    #expect(view.lines(snapshot: replica(["b": 1, "a": 2]), reason: nil) == ["{\"a\":2,\"b\":1}"])
    #expect(view.lines(snapshot: replica(nil), reason: nil) == [""])
    #expect(try lines(view, patch([]), before: 1, after: 1) == [])
    let change = patch([["op": "add", "path": "", "value": 2]])
    #expect(try lines(view, change, before: nil, after: 2) == ["2"])
  }

  @Test
  func linesOfTheProtocolArePrintedAsTheyCame() throws {
    let view = try view(.json, path: "/p")
    #expect(
      view.lines(snapshot: replica(1, path: "/p"), reason: "lagged") == [
        #"{"epoch":"e","op":"snapshot","path":"/p","reason":"lagged","seq":5,"state":1}"#
      ])
    #expect(
      view.lines(snapshot: replica(nil, path: "/p"), reason: nil) == [
        #"{"epoch":"e","missing":true,"op":"snapshot","path":"/p","seq":5}"#
      ])
    #expect(
      view.lines(
        resumed: replica(1, path: "/p"), from: SequenceNumber(3), head: SequenceNumber(9)) == [
          #"{"epoch":"e","from":3,"op":"resumed","path":"/p","seq":9}"#
        ])
    let line = patch([], ["type": "doc/set", "extra": [1]])
    #expect(try lines(view, line, before: nil, after: nil) == [line.description])
  }

  @Test
  func whatAClientNamesItselfIsNotObeyedByTheTerminal() throws {
    let line = patch([], ["client": "a\u{9b}2J", "type": "\u{1b}]0;x"])
    let text = try lines(view(.people), line, before: 1, after: 1).joined()
    #expect(!text.contains("\u{9b}") && !text.contains("\u{1b}"))
  }
}

struct TableTests {
  @Test
  func aStatusIsATableOfWhatTheDaemonTells() {
    let lines = StatusCommand.table(
      [
        "server": "duxd/0.1.0", "seq": 12_345, "stateBytes": 2_048, "stateDepth": 3,
        "readOnly": true, "uptimeMs": 61_000,
      ], place: "here", .plain)
    #expect(
      lines == [
        "daemon         duxd/0.1.0 at here", "up             1 min 1 s", "seq            12,345",
        "state          2.0 KiB, 3 levels", "writes         refused, the disk is full",
      ])
  }

  @Test
  func aStepOfTheLogIsALine() {
    let line = LogLine(style: .plain, columns: 200).text(of: [
      "seq": 7, "time": 0, "client": "tty1", "actions": [["type": "doc/set"]],
      "patch": [["op": "add", "path": "/a", "value": 1], ["op": "remove", "path": "/b"]],
    ])
    #expect(line.hasPrefix("7  "))
    #expect(line.hasSuffix("  tty1  doc/set  /a = 1, - /b"))
  }

  @Test
  func everyCommandSaysWhatItDoesAndHasExamplesThatParse() throws {
    for tool in Tool.all + Tool.all.flatMap(\.subtools) {
      #expect(tool.command.summary.hasSuffix("."), "\(tool.command.name)")
      // A command that only holds others has theirs.
      let hasExamples = !tool.command.examples.isEmpty || !tool.subtools.isEmpty
      #expect(hasExamples, "\(tool.command.name)")
      for example in tool.command.examples {
        let words = shellWords(example.line)
        #expect(words.first == "dux")
        let invocation = try Tool.program.parse(Array(words.dropFirst()))
        #expect(invocation.command?.name == tool.command.name, "\(example.line)")
        #expect(Tool.called(by: invocation)?.command == tool.command, "\(example.line)")
      }
    }
  }

  /// The words of a command line up to a pipe or a redirection, its quotes taken away.
  private func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == "|" || character == "<" || character == ">" {
        break
      } else if character == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap { $0 }
  }
}
