import DuxJSON
import Testing

@testable import dux

@Suite struct CommandTextTests {
  private func read(_ line: String, app: String = "document") throws -> [JSON] {
    try CommandText.read(line, app: app)
  }

  private func problem(_ line: String) -> CommandText.Problem? {
    do throws(CommandText.Problem) {
      _ = try CommandText.read(line, app: "document")
      return nil
    } catch {
      return error
    }
  }

  @Test func aTypeAndAPayloadAreAnAction() throws {
    #expect(
      try read("todos/add {\"title\": \"milk\"}")
        == [["type": "todos/add", "payload": ["title": "milk"]]])
    #expect(try read("  reset  ") == [["type": "reset"]])
    #expect(try read("say hello you") == [["type": "say", "payload": "hello you"]])
  }

  @Test func verbsOfTheCommandLineWorkWhereTheAppIsTheDocument() throws {
    #expect(
      try read("set /a/b v42")
        == [["type": "doc/set", "payload": ["path": "/a/b", "value": "v42"]]])
    #expect(
      try read("set \"/with blank\" [1, 2]")
        == [["type": "doc/set", "payload": ["path": "/with blank", "value": [1, 2]]]])
    #expect(try read("increment /n") == [["type": "doc/increment", "payload": ["path": "/n"]]])
    #expect(
      try read("increment /n -3")
        == [["type": "doc/increment", "payload": ["path": "/n", "by": -3]]])
    #expect(
      try read("insert /l 0 x")
        == [["type": "doc/insert", "payload": ["path": "/l", "index": 0, "value": "x"]]])
    #expect(try read("remove /a") == [["type": "doc/remove", "payload": ["path": "/a"]]])
    #expect(try read("patch []") == [["type": "doc/patch", "payload": ["ops": []]]])
    #expect(try read("set /a 1", app: "todos") == [["type": "set", "payload": "/a 1"]])
  }

  @Test func aWholeStepMayBeTyped() throws {
    #expect(try read("{\"type\":\"a\"}") == [["type": "a"]])
    #expect(try read("[{\"type\":\"a\"},{\"type\":\"b\"}]") == [["type": "a"], ["type": "b"]])
  }

  @Test(arguments: [
    ("set /a {\"b\":tru}", 15), ("x/y [1,", 7), ("set a 1", 4), ("insert /l one 2", 14),
    ("set /a", 6), ("remove /a b", 10), ("{\"type\":}", 8), ("", 0),
  ])
  func aLineThatIsNoStepIsToldWithThePlace(line: String, offset: Int) {
    #expect(problem(line)?.offset == offset, "\(problem(line)?.message ?? "taken")")
  }

  @Test func anActionNeedsAType() {
    #expect(problem("{\"payload\":1}")?.message.contains("\"type\"") == true)
    #expect(problem("set")?.message == "set needs a path, such as /a")
  }
}
