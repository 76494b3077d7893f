import DuxJSON
import DuxLog
import DuxProtocol
import Testing

/// `patch` is written at once where no text has to be escaped, and member by member elsewhere.
struct PatchLineTests {
  private static let texts = [
    "", "a", "doc/set", "/items/17/v", "grün \u{1F332}", "e\u{301}", "\u{7f}", "a\"b", "a\\b",
    "\n", "\u{1}", String(repeating: "x", count: 1_000), String(repeating: "x", count: 40) + "\"",
  ]

  private func entry(client: String, n: Int64?) -> LogEntry {
    LogEntry(
      seq: SequenceNumber(.max), time: -1, client: client, n: n,
      actions: Array("[1]".utf8), patch: [])
  }

  @Test(arguments: texts)
  func `gives back each text, wherever it stands`(text: String) throws {
    for (path, client, type) in [(text, "c", "t"), ("p", text, "t"), ("p", "c", text)] {
      for n in [nil, 1, .max] as [Int64?] {
        let line = written {
          $0.patch(
            path: path, entry(client: client, n: n), type: type, actions: nil,
            patch: Array("[2]".utf8))
        }
        var expected: JSONObject = [
          "op": "patch", "path": .string(path), "seq": .integer(.max), "time": -1,
          "client": .string(client), "type": .string(type), "patch": [2],
        ]
        expected["n"] = n.map { .integer($0) }
        #expect(line.last == 0x0A)
        #expect(try JSON(parsing: line, maximumDepth: 9) == .object(expected))
      }
    }
  }

  @Test func `a step of several actions has their types, and the actions where they are told`()
    throws
  {
    let line = written {
      $0.patch(
        path: "", entry(client: "c", n: nil), types: ["a", "\""], actions: Array("[1]".utf8),
        patch: Array("[]".utf8))
    }
    #expect(
      try JSON(parsing: line, maximumDepth: 9) == [
        "op": "patch", "path": "", "seq": .integer(.max), "time": -1, "client": "c",
        "types": ["a", "\""], "actions": [1], "patch": [],
      ])
  }

  @Test func `one action is told where it is asked for, and lines follow one another`() throws {
    let lines = written {
      for _ in 0..<2 {
        $0.patch(
          path: "", entry(client: "c", n: 3), type: "t", actions: Array("[1]".utf8),
          patch: Array("[]".utf8))
      }
    }
    for line in lines.split(separator: 0x0A) {
      let json = try JSON(parsing: Array(line), maximumDepth: 9)
      #expect(json["actions"] == [1])
      #expect(json["n"] == 3)
    }
    #expect(lines.count { $0 == 0x0A } == 2)
  }
}
