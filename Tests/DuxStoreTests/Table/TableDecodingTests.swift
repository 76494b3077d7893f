import DuxJSON
import Synchronization
import Testing

@testable import DuxStore

struct TableDecodingTests {
  static let wrong: [(String, String)] = [
    ("[]", "the value must be a table, it is an array"),
    (#"{"rows":{}}"#, "/order is missing"),
    (#"{"order":{},"rows":[]}"#, "/rows must be an object, it is an array"),
    (#"{"order":{"a0":5},"rows":{"5":{"id":5}}}"#, "/order/a0 must be an id, it is a number"),
    (#"{"order":{"a00":"5"},"rows":{"5":{"id":5}}}"#, "/order/a00 is no rank"),
    (#"{"order":{"a0":"5"},"rows":{}}"#, #"/order/a0 names the row "5", which is missing"#),
    (#"{"order":{},"rows":{"5":{"id":5}}}"#, "/rows/5 has no rank in /order"),
    (
      #"{"order":{"a0":"5","a1":"5"},"rows":{"5":{"id":5}}}"#,
      #"/order/a1 names the row "5", which /order/a0 names too"#
    ),
    (#"{"order":{"a0":"5"},"rows":{"5":{"id":6}}}"#, #"/rows/5 is the row with the id "6""#),
  ]

  @Test(arguments: wrong)
  func aWrongShapeIsNamed(text: String, message: String) throws {
    let json = try JSON(parsing: text)
    let base = try Table<Int, Number>([Number(id: 1)])
    _ = try base.json
    for previous in [nil, base] {
      let error = #expect(throws: CodingFailure.self) {
        try Table<Int, Number>(structural: json, reusing: previous)
      }
      #expect(error?.message == message)
    }
  }

  @Test func aRowThatDoesNotFitIsNamedByItsPath() throws {
    let text = #"{"order":{"a0":"x"},"rows":{"x":{"id":"x","count":"many"}}}"#
    let error = #expect(throws: CodingFailure.self) {
      try Table<String, Part>(structural: JSON(parsing: text), reusing: nil)
    }
    #expect(error?.path == "/rows/x/count")
  }

  static let breaks: [(String, String)] = [
    (#"[{"op":"remove","path":"/rows/3"}]"#, #"/order/a3 names the row "3", which is missing"#),
    (#"[{"op":"remove","path":"/order/a3"}]"#, "/rows/3 has no rank in /order"),
    (#"[{"op":"add","path":"/rows/90","value":{"id":90}}]"#, "/rows/90 has no rank in /order"),
    (
      #"[{"op":"add","path":"/order/a9","value":"3"}]"#,
      #"/order/a9 names the row "3", which /order/a3 names too"#
    ),
    (
      #"[{"op":"replace","path":"/order/a3","value":"4"}]"#,
      #"/order/a3 names the row "4", which /order/a4 names too"#
    ),
    (
      #"[{"op":"replace","path":"/rows/3/id","value":4}]"#, #"/rows/3 is the row with the id "4""#
    ),
  ]

  @Test(arguments: breaks)
  func aPatchThatBreaksTheShapeIsRefused(patch: String, message: String) throws {
    let table = try Table<Int, Number>((0..<40).map { Number(id: $0) })
    var json = try table.json
    try JSONPatch(JSON(parsing: patch)).apply(to: &json)
    let error = #expect(throws: CodingFailure.self) {
      try Table<Int, Number>(structural: json, reusing: table)
    }
    #expect(error?.message == message)
    #expect(Array(table.ids) == Array(0..<40) && table.brokenInvariant == nil)
  }

  @Test func onlyRowsThatDifferAreDecoded() throws {
    let table = try Table<Int, Counted>((0..<5000).map { Counted(id: $0, value: 0) })
    var json = try table.json
    let text = """
      [{"op":"replace","path":"/rows/17/value","value":5},{"op":"remove","path":"/order/a9"},
      {"op":"add","path":"/order/zzzzzzzzzzzzzzzzzzzzzzzzzzz","value":"9"}]
      """
    try JSONPatch(JSON(parsing: text)).apply(to: &json)
    let next = try Counted.$decoded.withValue(Count()) {
      let next = try Table<Int, Counted>(structural: json, reusing: table)
      #expect(Counted.decoded?.value.withLock { $0 } == 1)
      return next
    }
    #expect(next[id: 17]?.value == 5 && next.last?.id == 9 && next.count == 5000)
  }

  @Test func aTableInsideARowIsDecodedOnlyWhereItDiffers() throws {
    var table = Table<Int, Outer>()
    let inner = try Table<Int, Counted>((0..<3000).map { Counted(id: $0, value: 0) })
    try table.append(Outer(id: 1, inner: inner))
    var json = try table.json
    let text = #"[{"op":"replace","path":"/rows/1/inner/rows/17/value","value":5}]"#
    try JSONPatch(JSON(parsing: text)).apply(to: &json)
    let next = try Counted.$decoded.withValue(Count()) {
      let next = try Table<Int, Outer>(structural: json, reusing: table)
      #expect(Counted.decoded?.value.withLock { $0 } == 1)
      return next
    }
    #expect(next[id: 1]?.inner[id: 17]?.value == 5)
  }

  @Test func membersThatARowDoesNotKnowAreNotInItsJSON() throws {
    let text = #"{"order":{"a0":"1","a1":"2"},"rows":{"1":{"id":1,"old":0},"2":{"id":2}}}"#
    let json = try JSON(parsing: text)
    let table = try Table<Int, Number>(structural: json, reusing: nil)
    let patch = JSONPatch.diff(from: json, to: try table.json)
    #expect(patch.json.description == #"[{"op":"remove","path":"/rows/1/old"}]"#)
  }

  struct Outer: Identifiable, Codable, Equatable, Sendable {
    var id: Int
    var inner: Table<Int, Counted>
  }

  final class Count: Sendable {
    let value = Mutex(0)
  }

  struct Counted: Identifiable, Codable, Equatable, Sendable {
    @TaskLocal static var decoded: Count?

    var id: Int
    var value: Int

    init(id: Int, value: Int) {
      self.id = id
      self.value = value
    }

    init(from decoder: any Decoder) throws {
      Self.decoded?.value.withLock { $0 += 1 }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      value = try container.decode(Int.self, forKey: .value)
    }
  }
}
