import DuxJSON
import Testing

@testable import DuxProtocol

struct PlainDispatchTests {
  private static let limits = Limits(
    maximumLineBytes: 1_000, maximumDepth: 6, maximumStateBytes: 1_000)

  private static let action = #"{"type":"doc/set","payload":{"path":"/a","value":[1,"}"]}}"#

  @Test(arguments: [
    #"{"op":"dispatch","n":1,"action":\#(action)}"#,
    #"{"op":"dispatch","action":\#(action)}"#,
    #"{"n":999999999999999999,"id":7,"op":"dispatch","action":\#(action)}"#,
    " { \"op\" :\t\"dispatch\" , \"n\" : 12 , \"action\" : \(action) } \r",
    #"{"op":"dispatch","n":1,"action":5}"#,
    #"{"op":"dispatch","n":1,"action":[]}"#,
    #"{"op":"dispatch","n":1,"action":{"type":""}}"#,
    #"{"op":"dispatch","n":1,"action":{"type":"t","payload":1,"meta":{}}}"#,
    #"{"op":"dispatch","n":1,"action":{"type":"t","payload":{},"type2":"u"}}"#,
    #"{"op":"dispatch","n":1,"action":{"payload":{"type":"u"},"type":5}}"#,
  ])
  func `takes the usual form, and reads it as the general way does`(line: String) throws {
    try expectAgreement(on: line)
  }

  private func expectAgreement(on line: String) throws {
    let plain = try #require(Self.plain(line))
    let general = Self.general(line)
    #expect(plain.id == general.id)
    guard case .success(.dispatch(let dispatch)) = general.result else {
      Issue.record("\(line) is no dispatch")
      return
    }
    #expect(plain.dispatch.n == dispatch.n)
    #expect(plain.dispatch.actions == dispatch.actions)
    #expect(plain.dispatch.body.actions == dispatch.body.actions)
    #expect(plain.dispatch.body.digest == dispatch.body.digest)
    #expect(plain.dispatch.preconditions.isEmpty)
  }

  @Test(arguments: [
    #"{"type":"t"}"#, #"{"type":"t","payload":{}}"#, #"{"payload":null,"type":"t"}"#,
    " { \"type\" :\t\"doc/set\" , \"payload\" : [ 1 , \"}\" ] } ",
    " { \"payload\" : \"\\\"type\\\"\" , \"type\" : \"a b\" } ",
    #"{"type":"doc/set","payload":{"b":1.50,"a":"\u0041"}}"#,
  ])
  func `makes no object of an action that is a type and a payload`(action: String) throws {
    let line = #"{"op":"dispatch","n":1,"action":\#(action)}"#
    try expectAgreement(on: line)
    guard case .plain = Self.plain(line)?.dispatch.content else {
      Issue.record("an object was made of \(action)")
      return
    }
  }

  @Test func `agrees with the general way on lines of all kinds`() throws {
    var random = SystemRandomNumberGenerator()
    var plainCount = 0
    for _ in 0..<20_000 {
      let line = RandomLine(using: &random).text
      guard let plain = Self.plain(line) else { continue }
      if case .plain = plain.dispatch.content { plainCount += 1 }
      try expectAgreement(on: line)
    }
    #expect(plainCount > 1_000)
  }

  @Test(arguments: [
    #"{"op":"dispatch","n":0,"action":{}}"#,
    #"{"op":"dispatch","n":01,"action":{}}"#,
    #"{"op":"dispatch","n":-1,"action":{}}"#,
    #"{"op":"dispatch","n":1.0,"action":{}}"#,
    #"{"op":"dispatch","n":1e3,"action":{}}"#,
    #"{"op":"dispatch","n":9223372036854775807,"action":{}}"#,
    #"{"op":"dispatch","n":9223372036854775808,"action":{}}"#,
    #"{"op":"dispatch","n":"1","action":{}}"#,
    #"{"op":"dispatch","n":1"action":{}}"#,
    #"{"op":"dispatch","n":1,"n":2,"action":{}}"#,
    #"{"op":"dispatch","op":"dispatch","action":{}}"#,
    #"{"op":"dispatches","n":1,"action":{}}"#,
    #"{"op":"dispatch","id":"a","action":{}}"#,
    #"{"op":"dispatch","id":null,"action":{}}"#,
    #"{"op":"dispatch","action":{},"n":1}"#,
    #"{"op":"dispatch","action":{},"action":{}}"#,
    #"{"op":"dispatch","action":{},"if":[]}"#,
    #"{"op":"dispatch","actions":[{}]}"#,
    #"{"op":"dispatch","n":1,"action":}"#,
    #"{"op":"dispatch","n":1,"action":{}"#,
    #"{"op":"dispatch","n":1,"action":{}}}"#,
    #"{"op":"dispatch","n":1,"action":{"a":1,"a":2}}"#,
    #"{"op":"dispatch","n":1,"action":{}} x"#,
    #"{"op":"dispatch","n":1,}"#,
    #"{"op":"dispatch""#,
    #"{"action":{},"op":"dispatch"}"#,
    #"{"op":"ping"}"#,
    "{", "", " ", "[]",
  ])
  func `leaves all else to the general way`(line: String) {
    #expect(Self.plain(line)?.dispatch.actions == nil)
  }

  @Test func `every beginning of a line is left to the general way`() {
    let line = #"{"op":"dispatch","id":1,"n":1,"action":\#(Self.action)}"#
    for count in 0..<line.utf8.count {
      #expect(Self.plain(String(line.prefix(count)))?.dispatch.actions == nil)
    }
    #expect(Self.plain(line) != nil)
  }

  @Test func `takes no deeper action than the general way`() {
    for levels in 1...20 {
      let nested = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      let line = #"{"op":"dispatch","action":\#(nested)}"#
      let isTaken: Bool
      if case .success = Self.general(line).result { isTaken = true } else { isTaken = false }
      #expect((Self.plain(line) != nil) == isTaken, "\(levels) levels")
    }
  }

  private static func plain(_ line: String) -> Request.PlainDispatch? {
    Array(line.utf8).withUnsafeBytes { Request.plainDispatch($0, limits: limits) }
  }

  private static func general(_ line: String) -> Request.Decoded {
    Array(line.utf8).withUnsafeBytes { Request.decodeAny($0, limits: limits) }
  }
}

/// A line that is nearly, or quite, a dispatch of one action.
private struct RandomLine {
  private(set) var text = ""

  init(using random: inout some RandomNumberGenerator) {
    func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
    func space() -> String { pick(["", "", "", "", " ", "\t", "\r", "  "]) }
    let scalars = [
      "1", "-0", "0.50", "1e2", "null", "true", "\"\"", #""a\"b""#, #""\u00e4\/""#, "\"ä}\"", "tru",
    ]
    let keys = ["\"a\"", "\"type\"", "\"payload\"", #""\u0061""#, "\"z\""]
    func value(_ levels: Int) -> String {
      guard levels > 0, Bool.random(using: &random) else { return pick(scalars) }
      if Bool.random(using: &random) { return "[\(value(levels - 1)),\(space())\(value(0))]" }
      return object(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          (pick(keys), value(levels - 1))
        })
    }
    func object(_ members: [(String, String)]) -> String {
      "{"
        + members.map { "\(space())\($0)\(space()):\(space())\($1)\(space())" }
        .joined(separator: ",") + "}"
    }
    func type() -> String {
      pick(["\"t\"", "\"doc/set\"", "\"\"", "\"@@x\"", #""\u0074""#, "\"ä\"", "5"])
    }
    func action() -> String {
      var members = [("\"type\"", type())]
      if Int.random(in: 0..<4, using: &random) > 0 { members.append(("\"payload\"", value(3))) }
      if Int.random(in: 0..<6, using: &random) == 0 { members.append((pick(keys), value(1))) }
      if Int.random(in: 0..<8, using: &random) == 0 { members.append(("\"meta\"", value(2))) }
      return object(members.shuffled(using: &random))
    }
    let what = Int.random(in: 0..<8, using: &random) > 0 ? action() : value(2)
    text = object([
      ("\"op\"", "\"dispatch\""), ("\"n\"", pick(["1", "77", "0"])), ("\"action\"", what),
    ])
    if Int.random(in: 0..<8, using: &random) == 0 {
      let cut = Int.random(in: 0..<text.count, using: &random)
      let start = text.index(text.startIndex, offsetBy: cut)
      text.replaceSubrange(start...start, with: pick(["", "}", "\"", ",", "{", "\\"]))
    }
  }
}
