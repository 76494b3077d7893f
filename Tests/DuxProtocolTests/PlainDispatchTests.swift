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
  ])
  func `takes the usual form, and reads it as the general way does`(line: String) throws {
    let plain = try #require(Self.plain(line))
    let general = Self.general(line)
    #expect(plain.id == general.id)
    guard case .success(.dispatch(let dispatch)) = general.result else {
      Issue.record("\(line) is no dispatch")
      return
    }
    #expect(plain.dispatch.n == dispatch.n)
    #expect(plain.dispatch.actions == dispatch.actions)
    #expect(plain.dispatch.actionsText == dispatch.actionsText)
    #expect(plain.dispatch.bodyDigest == dispatch.bodyDigest)
    #expect(plain.dispatch.preconditions.isEmpty)
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
