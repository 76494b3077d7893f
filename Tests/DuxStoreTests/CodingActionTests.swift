import DuxJSON
import DuxStore
import Foundation
import Testing

struct CodingActionTests {
  static let forms: [(AppAction, JSON)] = [
    (.start, ["type": "start"]),
    (.todos(.clear), ["type": "todos/clear"]),
    (
      .todos(.add(title: "milk", tags: ["a"], due: nil)),
      ["type": "todos/add", "payload": ["title": "milk", "tags": ["a"]]]
    ),
    (.todos(.rename("x")), ["type": "todos/rename", "payload": "x"]),
    (.todos(.filter(.all)), ["type": "todos/filter/all"]),
    (.todos(.filter(.tagged("a"))), ["type": "todos/filter/tagged", "payload": "a"]),
    (.todos(.theme(.dark)), ["type": "todos/theme", "payload": "dark"]),
    (.todos(.row(id: "a", action: .toggle)), ["type": "todos/row/toggle", "payload": ["id": "a"]]),
    (
      .todos(.row(id: "a", action: .rename("x"))),
      ["type": "todos/row/rename", "payload": ["id": "a", "action": "x"]]
    ),
    (
      .todos(.row(id: "a", action: .cell(column: 3, action: .style(bold: nil, size: 2)))),
      [
        "type": "todos/row/cell/style",
        "payload": ["id": "a", "action": ["column": 3, "action": ["size": 2.0]]],
      ]
    ),
    (.other(action: .toggle), ["type": "other/toggle"]),
    (
      .other(action: .move(by: 1, quickly: true)),
      ["type": "other/move", "payload": ["action": ["by": 1, "quickly": true]]]
    ),
    (
      .pair(.rename("x"), 2),
      ["type": "pair", "payload": ["_0": ["rename": ["_0": "x"]], "_1": 2]]
    ),
    (.pairOrNothing(nil, id: "x"), ["type": "pairOrNothing", "payload": ["id": "x"]]),
    (
      .pairOrNothing(.clear, id: nil),
      ["type": "pairOrNothing", "payload": ["_0": ["clear": [:]]]]
    ),
    (.pairOrNothing(nil, id: nil), ["type": "pairOrNothing"]),
    (.maybe(nil), ["type": "maybe"]),
    (.maybe(.rename("x")), ["type": "maybe/rename", "payload": "x"]),
    (
      .many([.all, .tagged("b")]),
      ["type": "many", "payload": [["all": [:]], ["tagged": ["_0": "b"]]]]
    ),
    (.byName(["k": .all]), ["type": "byName", "payload": ["k": ["all": [:]]]]),
    (
      .wrapped(Wrapped(_0: 1, name: nil)),
      ["type": "wrapped", "payload": ["_0": ["_0": 1]]]
    ),
    (.optionalWrapped(nil), ["type": "optionalWrapped"]),
    (.loaded(.success([1])), ["type": "loaded/success", "payload": [1]]),
    (
      .loaded(.failure(code: 1, reason: "r")),
      ["type": "loaded/failure", "payload": ["code": 1, "reason": "r"]]
    ),
    (
      .loadedAction(.success(.rename("x"))),
      ["type": "loadedAction/success/rename", "payload": "x"]
    ),
    (.loadedMaybe(.success(.clear)), ["type": "loadedMaybe/success/clear"]),
    (.loadedMaybe(.success(nil)), ["type": "loadedMaybe/success", "payload": nil]),
    (.expression(.negative(.number(1))), ["type": "expression/negative/number", "payload": 1.0]),
    (
      .expression(.sum(.number(1), .number(2))),
      [
        "type": "expression/sum",
        "payload": ["_0": ["number": ["_0": 1.0]], "_1": ["number": ["_0": 2.0]]],
      ]
    ),
    (.labelled(action: "x"), ["type": "labelled", "payload": ["action": "x"]]),
    (.été(1), ["type": "été", "payload": 1]),
    (.custom(Point(x: 1, y: 2)), ["type": "custom", "payload": [1, 2]]),
    (.circle(.radius(3)), ["type": "circle", "payload": ["radius": 3]]),
    (.circle(.size(width: 1, height: 2)), ["type": "circle", "payload": ["size": [1, 2]]]),
    (.todos(.payload(["_0": 1])), ["type": "todos/payload", "payload": ["_0": ["_0": 1]]]),
    (.todos(.payload(["a": nil])), ["type": "todos/payload", "payload": ["a": nil]]),
    (.todos(.payload(nil)), ["type": "todos/payload", "payload": nil]),
  ]

  @Test(arguments: forms)
  func anActionHasOneFormOnTheWireAndComesBack(action: AppAction, form: JSON) throws {
    #expect(try wire(action) == form)
    let type = try #require(form["type"]?.stringValue)
    let back = try ActionCoder.decode(AppAction.self, type: type, payload: form["payload"])
    #expect(back == action)
  }

  @Test func valuesOfFoundationTypesComeBack() throws {
    let id = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let url = try #require(URL(string: "https://example.org/a?b=c"))
    let decimal = try #require(Decimal(string: "-12.340"))
    let action = AppAction.identified(id, url, Data([1, 2, 255]), decimal)
    let (type, payload) = try ActionCoder.encode(action)
    let form: JSON = [
      "_0": "00112233-4455-6677-8899-AABBCCDDEEFF", "_1": "https://example.org/a?b=c",
      "_2": "AQL/", "_3": "-12.34",
    ]
    #expect(payload == form)
    #expect(try ActionCoder.decode(AppAction.self, type: type, payload: payload) == action)
  }

  @Test func anEnumOfStringsIsTypesAtTheTopAndAValueInside() throws {
    #expect(try wire(Theme.dark) == ["type": "dark"])
    #expect(try ActionCoder.decode(Theme.self, type: "light", payload: nil) == .light)
    #expect(refusal(Theme.self, "blue").kind == .unknownType)
    #expect(
      refusal(Theme.self, "blue").message
        == "unknown action type \"blue\"; there is no action \"blue\"")
    #expect(refusal(AppAction.self, "todos/theme/dark").kind == .unknownType)
  }

  @Test func anActionThatIsNoEnumIsRefused() throws {
    let failure = #expect(throws: CodingFailure.self) { try ActionCoder.encode(Wrapped(_0: 1)) }
    #expect(failure?.kind == .unencodable)
    #expect(failure?.message == "the value is a Wrapped, which is no enum with synthesized Codable")
    #expect(throws: CodingFailure.self) { try ActionCoder.encode([AppAction.start]) }
    #expect(throws: CodingFailure.self) { try ActionCoder.encode(5) }
    #expect(throws: CodingFailure.self) { try ActionCoder.encode("") }
  }

  @Test func aCaseNameWithASlashIsRefused() {
    enum Odd: Codable {
      case slash, empty
      enum CodingKeys: String, CodingKey {
        case slash = "a/b"
        case empty = ""
      }
    }
    #expect(throws: CodingFailure.self) { try ActionCoder.encode(Odd.slash) }
    #expect(throws: CodingFailure.self) { try ActionCoder.encode(Odd.empty) }
    #expect(refusal(Odd.self, "a/b").kind == .unknownType)
  }

  @Test func renamedKeysAreTheNamesOnTheWire() throws {
    enum Renamed: Codable, Equatable {
      case first(Int)
      case second(id: Int)
      enum CodingKeys: String, CodingKey {
        case first = "1st"
        case second
      }
      enum FirstCodingKeys: String, CodingKey { case _0 = "value" }
      enum SecondCodingKeys: String, CodingKey { case id = "action" }
    }
    #expect(try wire(Renamed.first(5)) == ["type": "1st", "payload": ["value": 5]])
    #expect(try wire(Renamed.second(id: 5)) == ["type": "second", "payload": ["action": 5]])
    #expect(
      try ActionCoder.decode(Renamed.self, type: "1st", payload: ["value": 5]) == .first(5))
    #expect(
      try ActionCoder.decode(Renamed.self, type: "second", payload: ["action": 5])
        == .second(id: 5))
  }
}

/// Why an action is not read.
func refusal<Action: Decodable>(
  _ action: Action.Type, _ type: String, _ payload: JSON? = nil
) -> CodingFailure {
  do throws(CodingFailure) {
    let value = try ActionCoder.decode(action, type: type, payload: payload)
    return CodingFailure(kind: .unencodable, problem: "was read as \(value)")
  } catch {
    return error
  }
}

struct CodingActionRefusalTests {
  @Test(arguments: [
    ("tods/add", "there is no action \"tods\""),
    ("todos/ad", "\"todos\" has no action \"ad\""),
    ("todos", "\"todos\" needs another part"),
    ("other", "\"other\" needs another part"),
    ("todos/", "\"todos\" has no action \"\""),
    ("todos/clear/x", "\"todos/clear\" has no action \"x\""),
    ("todos/rename/x", "\"todos/rename\" has no action \"x\""),
    ("todos/theme/dark", "\"todos/theme\" has no action \"dark\""),
    ("start/now", "\"start\" has no action \"now\""),
    ("wrapped/_0", "\"wrapped\" has no action \"_0\""),
    ("wrapped/name", "\"wrapped\" has no action \"name\""),
    ("custom/x", "\"custom\" has no action \"x\""),
    ("many/all", "\"many\" has no action \"all\""),
    ("byName/all", "\"byName\" has no action \"all\""),
    ("pair/rename", "\"pair\" has no action \"rename\""),
    ("labelled/x", "\"labelled\" has no action \"x\""),
    ("circle/radius", "\"circle\" has no action \"radius\""),
    ("loaded/success/x", "\"loaded/success\" has no action \"x\""),
    ("", "there is no action \"\""),
    ("/", "there is no action \"\""),
    ("//", "there is no action \"\""),
    ("/todos/add", "there is no action \"\""),
    ("todos%2Fadd", "there is no action \"todos%2Fadd\""),
    ("@@redux/INIT", "there is no action \"@@redux\""),
    ("Start", "there is no action \"Start\""),
    ("e\u{301}te\u{301}", "there is no action \"e\u{301}te\u{301}\""),
  ])
  func anUnknownTypeIsNamedWithThePartThatFails(type: String, reason: String) {
    let failure = refusal(AppAction.self, type, 1)
    #expect(failure.kind == .unknownType)
    let expected = "unknown action type \(JSON.string(type)); \(reason)"
    #expect(failure.message == expected)
    #expect(refusal(AppAction.self, type).message == expected)
  }

  @Test(
    arguments: [
      ("todos/add", ["title": 1, "tags": []], "/title must be a string, it is a number"),
      ("todos/add", ["tags": []], "/title is missing"),
      ("todos/add", nil, "the payload is missing"),
      ("todos/add", "x", "the payload must be an object, it is a string"),
      ("todos/add", ["title": "", "tags": [1]], "/tags/0 must be a string, it is a number"),
      ("todos/add", ["title": nil, "tags": []], "/title must be a string, it is null"),
      ("todos/rename", nil, "the payload is missing"),
      ("todos/rename", [], "the payload must be a string, it is an array"),
      ("todos/rename", ["_0": true], "/_0 must be a string, it is a boolean"),
      ("todos/score", 300, "the payload must fit Int8, it is 300"),
      ("todos/score", 1.5, "the payload must be an integer, it is 1.5"),
      ("todos/row/rename", ["id": "a"], "/action is missing"),
      ("todos/row/rename", ["id": "a", "action": 1], "/action must be a string, it is a number"),
      ("todos/row/rename", ["action": "x"], "/id is missing"),
      ("todos/row/move", ["id": "", "action": ["by": 1]], "/action/quickly is missing"),
      ("custom", [1, 2, 3], "/2 is refused: a point has two coordinates"),
      ("custom", [1], "/1 is missing"),
      (
        "many", [["al": [:]]],
        "/0 must be an object that names one case, it has \"al\""
      ),
      ("many", [[:]], "/0 must be an object that names one case, it has no member"),
      ("many", [["both": ["first": 1]]], "/0/both/second is missing"),
      ("todos/theme", "blue", "the payload is refused: "),
      ("number", 9_007_199_254_740_993, "the payload must be a number that a Double holds exactly"),
      ("byName", ["a~/b": ["tagged": [:]]], "/a~0~1b/tagged/_0 is missing"),
      ("wrapped", ["_0": "x"], "/_0 must be an object, it is a string"),
    ] as [(String, JSON?, String)])
  func aBadPayloadIsNamedWithPathAndKinds(type: String, payload: JSON?, problem: String) {
    let failure = refusal(AppAction.self, type, payload)
    #expect(failure.kind == .badPayload)
    #expect(failure.message.hasPrefix("\(type): \(problem)"), "\(failure)")
  }

  @Test func aCaseInThePayloadInPlaceOfTheTypeIsRefused() {
    for payload in [["clear": [:]], ["rename": ["_0": "x"]]] as [JSON] {
      let failure = refusal(AppAction.self, "todos", payload)
      #expect(failure.message == "unknown action type \"todos\"; \"todos\" needs another part")
    }
  }

  @Test func aLongTypeIsNotRepeatedWhole() {
    let failure = refusal(AppAction.self, String(repeating: "x", count: 1_000_000))
    #expect(failure.message.utf8.count < 400)
  }

  @Test func aTypeOfEndlessPartsAndAValueOfEndlessDepthAreRefused() {
    let type = "expression" + String(repeating: "/negative", count: 100_000) + "/number"
    #expect(refusal(AppAction.self, type, 1).problem == "is nested deeper than 512 levels")
    var value: JSON = ["number": ["_0": 1]]
    for _ in 0..<400 { value = ["negative": ["_0": value]] }
    let failure = refusal(AppAction.self, "expression/sum", ["_0": value, "_1": value])
    #expect(failure.kind == .badPayload)
    #expect(failure.problem == "is nested deeper than 512 levels")
  }

  @Test func anActionNestedTooDeepIsRefusedAtEncoding() {
    var expression = Expression.number(1)
    for _ in 0..<10_000 { expression = .negative(expression) }
    let failure = #expect(throws: CodingFailure.self) {
      try ActionCoder.encode(AppAction.expression(expression))
    }
    #expect(failure?.problem == "is nested deeper than 512 levels")
  }
}
