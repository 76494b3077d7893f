import DuxCommandLine
import DuxJSON
import Glibc
import Testing

@testable import dux

struct InputTests {
  @Test(
    arguments: [
      ("1", 1), ("-3", -3), ("1.5", 1.5), ("true", true), ("null", nil), ("\"1\"", "1"),
      (" [1, 2] ", [1, 2]), ("{\"a\":{}}", ["a": [:]]),
      // Bare words.
      ("v42", "v42"), ("two words", "two words"), ("", ""), ("1.2.3", "1.2.3"), ("007", "007"),
      ("-", "-"), ("True", "True"), ("NaN", "NaN"), ("1e", "1e"), ("ä", "ä"),
    ] as [(String, JSON)])
  func aValueIsJSONOrABareWord(text: String, value: JSON) throws {
    #expect(try ValueText.read(text, as: "VALUE") == value)
  }

  @Test(arguments: [
    ("{\"a\":}", "byte 5"), ("[1,", "byte 3"), ("\"open", "byte 5"), ("  {", "byte 3"),
    ("{\"a\":1,\"a\":2}", "unique"), ("9223372036854775808", "64 signed bits"),
    ("1e999", "finite"),
  ])
  func aValueThatIsMeantAsJSONAndIsNoneIsRefusedWithItsPlace(text: String, place: String) throws {
    let failure = #expect(throws: Failure.self) { try ValueText.read(text, as: "VALUE") }
    #expect(failure?.status == .usage)
    #expect(failure?.message.hasPrefix("VALUE is no JSON: at byte ") == true)
    #expect(failure?.message.contains(place) == true, "\(failure?.message ?? "")")
  }

  @Test(arguments: [
    ("todos", "/todos"), ("todos/0", "/todos/0"), ("a.b.c", "/a/b/c"), ("$.a.b", "/a/b"),
    ("a[0].b", "/a/0/b"), ("./a/b", "/a/b"), ("$", "/"),
  ])
  func aPathWithoutItsSlashIsRefusedWithASuggestion(text: String, suggestion: String) {
    let failure = #expect(throws: Failure.self) { try PathText.read(text) }
    #expect(failure?.status == .usage)
    #expect(failure?.message.hasSuffix("did you mean \(suggestion)?") == true)
  }

  @Test
  func aPathIsAJSONPointer() throws {
    #expect(try PathText.read("").isRoot)
    #expect(try PathText.read("/").tokens == [""])
    #expect(try PathText.read("/a~1b/~0").tokens == ["a/b", "~"])
    let failure = #expect(throws: Failure.self) { try PathText.read("/a~2") }
    #expect(failure?.message.contains("~0") == true)
  }

  @Test
  func conditionsAreReadInOrder() throws {
    let conditions = try Conditions.read([
      "if": ["/a=1", "/b=x=y", "=\"\"", "/c=-3"], "if-missing": ["/d"],
    ])
    #expect(
      conditions == [
        ["path": "/a", "value": 1], ["path": "/b", "value": "x=y"], ["path": "", "value": ""],
        ["path": "/c", "value": -3], ["path": "/d", "missing": true],
      ])
  }

  @Test(arguments: [
    ("/a", "--if PATH=VALUE"), ("/a=", "--if-missing /a"), ("a=1", "did you mean /a?"),
    ("/a={", "is no JSON"),
  ])
  func aConditionThatIsNoneIsRefusedWithTheWayOut(text: String, wayOut: String) {
    let failure = #expect(throws: Failure.self) { try Conditions.read(["if": [text]]) }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains(wayOut) == true, "\(failure?.message ?? "")")
  }

  @Test
  func aStepIsAnActionOrAnArrayOfThem() throws {
    func read(_ text: String) throws -> [JSON]? {
      try Array(text.utf8).withUnsafeBytes { (bytes) throws(Failure) in try StepLine.read(bytes) }
    }
    #expect(try read("{\"type\":\"a\"}") == [["type": "a"]])
    #expect(try read("[{\"type\":\"a\"},{\"type\":\"b\"}]") == [["type": "a"], ["type": "b"]])
    #expect(try read(" \t\r") == nil)
    #expect(try read("") == nil)
    for (text, reason) in [
      ("{", "is no JSON: at byte 1"), ("[]", "is an array of 0"), ("7", "is no action: the line"),
      ("{\"type\":7}", "is no action"), ("[{\"type\":\"a\"},{}]", "action 1"),
      (
        "[" + Array(repeating: "{\"type\":\"a\"}", count: 1_001).joined(separator: ",") + "]",
        "1,001"
      ),
    ] {
      let failure = #expect(throws: Failure.self) { try read(text) }
      #expect(failure?.status == .usage)
      #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }
  }
}

struct TimeTests {
  private let nowMs: Int64 = 1_764_511_331_000

  private func read(_ text: String) throws -> Int64 {
    try TimeText.reader(nowMs: nowMs).read(text)
  }

  @Test
  func aTimeIsRead() throws {
    #expect(try read("1764480000123") == 1_764_480_000_123)
    #expect(try read("15m") == nowMs - 900_000)
    #expect(try read("0") == nowMs)
    #expect(try read("2025-11-30T14:02:11Z") == 1_764_511_331_000)
    #expect(try read("2025-11-30 14:02:11.5Z") == 1_764_511_331_500)
    #expect(try read("2025-11-30T14:02Z") == 1_764_511_320_000)
  }

  @Test
  func aTimeWithoutAZoneIsThisMachines() throws {
    let ms = try read("2025-11-30T14:02:11")
    #expect(ClockText.dayAndTime(ms) == "2025-11-30 14:02:11.000")
    #expect(try read("2025-11-30 00:00") == read("2025-11-30"))
    let today = String(ClockText.dayAndTime(nowMs).prefix(10))
    #expect(try read("14:02") == read(today + "T14:02"))
  }

  @Test(arguments: [
    "", "25:00", "14:60", "14", "2025-13-01", "2025-11-32", "2025-11", "yesterday", "14:02:11.",
    "14:02:11.1234", "2025-11-30T", "14:02 14:03", "-5m",
  ])
  func aTimeThatIsNoneIsRefused(text: String) {
    #expect(throws: ValueError.self) { try read(text) }
  }
}
