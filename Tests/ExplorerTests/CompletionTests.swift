import DuxJSON
import Testing

@testable import dux

@Suite struct CompletionTests {
  private let state: JSON = [
    "deploy": ["web": 1, "wiki": 2], "depth": 3, "list": [[1], [2]], "a b": 1, "q\"": ["x": 1],
    "empty": [:],
  ]

  private func complete(_ text: String) -> Completion? {
    Completion(
      ofAction: text, types: ["doc/set", "doc/remove", "todos/add"], state: state)
  }

  @Test func typesAreCompletedInTheFirstWord() {
    #expect(complete("doc/")?.candidates == ["doc/remove", "doc/set"])
    #expect(complete("doc/")?.commonPrefix == "doc/")
    #expect(complete("t")?.candidates == ["todos/add"])
    #expect(complete("")?.candidates.count == 3)
  }

  @Test func pathsAreCompletedWhereverOneStands() {
    #expect(complete("set /dep")?.candidates == ["/deploy/", "/depth"])
    #expect(complete("set /dep")?.commonPrefix == "/dep")
    #expect(complete("set /dep")?.start == 4)
    #expect(complete("set /deploy/w")?.candidates == ["/deploy/web", "/deploy/wiki"])
    #expect(complete("doc/set {\"path\":\"/deploy/wi")?.candidates == ["/deploy/wiki"])
    #expect(complete("doc/set {\"path\":\"/deploy/wi")?.start == 17)
    #expect(complete("set /list/")?.candidates == ["/list/0/", "/list/1/"])
    #expect(complete("set /e")?.candidates == ["/empty"])
    #expect(complete("set /nothing/") == nil)
    #expect(complete("x \"/q")?.candidates == ["/q\\\"/"])
  }

  @Test func indicesAreCompletedByTheirDigits() {
    let state: JSON = ["l": .array(JSONArray(repeatElement(0, count: 25)))]
    #expect(
      Completion(ofPath: "/l/2", state: state).candidates == [
        "/l/20", "/l/21", "/l/22", "/l/23", "/l/24",
      ])
    #expect(Completion(ofPath: "/l/1", state: state).candidates.count == 10)
    #expect(Completion(ofPath: "/l/", state: state).candidates.count == 25)
    #expect(Completion(ofPath: "/l/x", state: state).candidates.isEmpty)
  }

  @Test func manyMembersAreNotWalked() {
    var object = JSONObject()
    for index in 0..<20_000 { object["k\(index)"] = 1 }
    let completion = Completion(ofPath: "/k1999", state: .object(object))
    #expect(completion.candidates.count == 10)
    #expect(Completion(ofPath: "/", state: .object(object)).candidates.count == Completion.limit)
  }
}
