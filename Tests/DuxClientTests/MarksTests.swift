import DuxCommandLine
import DuxJSON
import Testing

@testable import dux

struct MarksTests {
  /// The marked text of the value after a patch.
  private func text(_ before: JSON, _ operations: JSON, limit: Int = .max) throws -> [String]? {
    let patch = try JSONPatch(operations)
    var after = before
    try patch.apply(to: &after)
    return PrettyText(style: .plain)
      .lines(of: after, marks: Marks(patch, of: before), limit: limit)
  }

  @Test
  func aReplacedMemberIsMarkedAndTellsWhatItWas() throws {
    #expect(
      try text(["a": 1, "b": 2], [["op": "replace", "path": "/b", "value": 3]]) == [
        "  {", "    \"a\": 1,", "~   \"b\": 3  (was 2)", "  }",
      ])
  }

  @Test
  func aNewObjectIsMarkedWhole() throws {
    #expect(
      try text(["a": 1], [["op": "add", "path": "/b", "value": ["c": []]]]) == [
        "  {", "    \"a\": 1,", "+   \"b\": {", "+     \"c\": []", "+   }", "  }",
      ])
  }

  @Test
  func aRemovedMemberStandsWhereItWas() throws {
    #expect(
      try text(["a": 1, "b": 2, "c": 3], [["op": "remove", "path": "/b"]]) == [
        "  {", "    \"a\": 1,", "-   \"b\": 2", "    \"c\": 3", "  }",
      ])
    #expect(
      try text(["a": 1], [["op": "remove", "path": "/a"]]) == ["  {", "-   \"a\": 1", "  }"])
  }

  @Test
  func marksMoveWithTheElementsOfAnArray() throws {
    #expect(
      try text(
        ["l": ["a", "b", "c"]],
        [
          ["op": "replace", "path": "/l/1", "value": "B"],
          ["op": "add", "path": "/l/0", "value": "x"],
          ["op": "remove", "path": "/l/3"],
        ]) == [
          "  {", "    \"l\": [", "+     \"x\",", "      \"a\",", "~     \"B\"  (was \"b\")",
          "-     \"c\"", "    ]", "  }",
        ])
  }

  @Test
  func anElementAddedAndRemovedLeavesNoMark() throws {
    #expect(
      try text(
        ["l": ["a"]],
        [["op": "add", "path": "/l/0", "value": "x"], ["op": "remove", "path": "/l/0"]]) == [
          "  {", "    \"l\": [", "      \"a\"", "    ]", "  }",
        ])
  }

  @Test
  func changesInsideSomethingNewAreNotMarkedApart() throws {
    #expect(
      try text(
        [:],
        [["op": "add", "path": "/a", "value": [:]], ["op": "add", "path": "/a/b", "value": 1]]) == [
          "  {", "+   \"a\": {", "+     \"b\": 1", "+   }", "  }",
        ])
  }

  @Test
  func keysThatUnicodeCallsEquivalentAreMarkedApart() throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    let before: JSON = [composed: 1, decomposed: 2]
    let lines = try text(before, [["op": "replace", "path": .string("/" + composed), "value": 3]])
    #expect(lines?.filter { $0.hasPrefix("~") }.count == 1)
    #expect(lines?.contains("~   \"\u{e9}\": 3  (was 1)") == true)
  }

  @Test
  func aValueWithMoreLinesThanAllowedIsNotShown() throws {
    let operations: JSON = [["op": "replace", "path": "/a", "value": 3]]
    #expect(try text(["a": 1, "b": 2], operations, limit: 4)?.count == 4)
    #expect(try text(["a": 1, "b": 2], operations, limit: 3) == nil)
  }

  @Test
  func changesByPathTellOldAndNewAndWhatIsLeftOut() throws {
    let before: JSON = ["todos": [["done": false], ["done": false]], "gone": 1]
    let patch = try JSONPatch([
      ["op": "replace", "path": "/todos/1/done", "value": true],
      ["op": "remove", "path": "/gone"], ["op": "add", "path": "/todos/0", "value": "x"],
      ["op": "add", "path": "/y", "value": 1],
    ])
    let base = JSONPointer(tokens: ["app"])
    #expect(
      OperationText(style: .plain, columns: 80).lines(of: patch, in: before, at: base, limit: 3)
        == [
          "~ /app/todos/1/done: false → true", "- /app/gone (was 1)", "+ /app/todos/0: \"x\"",
          "  … and 1 more",
        ])
  }

  @Test
  func aLongChangeIsCutToTheTerminal() throws {
    let patch = try JSONPatch([
      ["op": "add", "path": "/a", "value": .string(String(repeating: "x", count: 500))]
    ])
    let lines = OperationText(style: .plain, columns: 40)
      .lines(of: patch, in: [:], at: .root, limit: 9)
    #expect(lines.map(\.count) == [40])
  }
}
