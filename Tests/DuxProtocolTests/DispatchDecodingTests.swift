import DuxJSON
import DuxProtocol
import Testing

struct DispatchDecodingTests {
  @Test func `reads one action as a list of one`() throws {
    let one = try #require(try dispatch(#"{"op":"dispatch","n":3,"action":{"type":"t"}}"#))
    #expect(one.n == 3)
    #expect(one.actions == [.object(["type": "t"])])
    #expect(one.preconditions.isEmpty)
  }

  @Test func `keeps the order of actions and conditions`() throws {
    let line =
      #"{"op":"dispatch","actions":[1,2],"if":[{"path":"/b","missing":true},{"path":"","value":null}]}"#
    let two = try #require(try dispatch(line))
    #expect(two.n == nil)
    #expect(two.actions == [1, 2])
    #expect(two.preconditions.map(\.path) == [JSONPointer(tokens: ["b"]), .root])
    #expect(two.preconditions.map(\.value) == [nil, .null])
  }

  @Test func `takes 1000 actions and conditions, and not one more`() {
    func line(actions: Int, conditions: Int) -> String {
      let list = Array(repeating: "1", count: actions).joined(separator: ",")
      let conditions = Array(repeating: #"{"path":"","value":1}"#, count: conditions)
      return #"{"op":"dispatch","actions":[\#(list)],"if":[\#(conditions.joined(separator: ","))]}"#
    }
    #expect(refusal(line(actions: 1_000, conditions: 1_000)) == nil)
    #expect(refusal(line(actions: 1_001, conditions: 0))?.message.contains("1001") == true)
    #expect(refusal(line(actions: 1, conditions: 1_001))?.code == .badRequest)
  }

  private func digest(_ members: String) throws -> UInt64 {
    try #require(try dispatch("{\"op\":\"dispatch\",\(members)}")).body.digest
  }

  @Test(arguments: [
    #""action":{"payload":{"b":2,"a":1},"type":"t"}"#,
    #""n":9,"id":4,"action":{"type":"t","payload":{"a":1,"b":2}}"#,
    #""action" : { "type" : "\u0074" , "payload" : { "a" : 1, "b" : 2 } } "#,
    #""actions":[{"type":"t","payload":{"a":1,"b":2}}]"#,
    #""action":{"type":"t","payload":{"a":1,"b":2}},"if":[]"#,
  ])
  func `the digest is that of the canonical body alone`(members: String) throws {
    #expect(try digest(members) == digest(#""action":{"type":"t","payload":{"a":1,"b":2}}"#))
  }

  @Test(arguments: [
    #""action":{"type":"t","payload":{"a":1,"b":3}}"#,
    #""action":{"type":"t","payload":{"a":1.0,"b":2}}"#,
    #""actions":[{"type":"t","payload":{"a":1,"b":2}},{"type":"t"}]"#,
    #""action":{"type":"t","payload":{"a":1,"b":2}},"if":[{"path":"/a","missing":true}]"#,
    #""action":{"type":"t","payload":{"a":1,"b":2},"x":1}"#,
    #""action":[{"type":"t","payload":{"a":1,"b":2}}]"#,
  ])
  func `the digest tells bodies apart`(members: String) throws {
    #expect(try digest(members) != digest(#""action":{"type":"t","payload":{"a":1,"b":2}}"#))
  }
}
