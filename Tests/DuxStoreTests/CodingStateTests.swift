import DuxJSON
import DuxStore
import Foundation
import Testing

private struct Everything: Codable, Equatable {
  var flag = true
  var text = "é\u{0}\"/"
  var small: Int8 = -128
  var broad: Int128 = -5
  var broader: UInt128? = 5
  var broadest: [UInt128] = [6]
  var wide: UInt64 = 9_223_372_036_854_775_807
  var least = Int64.min
  var ratio = 0.1
  var short: Float = 0.1
  var nothing: Int?
  var noText: String?
  var noDate: Date?
  var noItems: [Int]?
  var some: Bool? = false
  var date = Date(timeIntervalSince1970: 1_764_480_000.123)
  var id = UUID()
  var link = URL(string: "https://example.org/?q=a%20b")
  var data = Data([0, 255])
  var decimal = Decimal(string: "123456789012345678901234567890.5")
  var free: JSON = ["a": [1, nil, 2.5], "b": [:]]
  var noJSON: JSON?
  var names = ["b": 1, "a": 2]
  var numbered = [2: "two", 10: "ten"]
  var byID = [UUID(): 1, UUID(): 2, UUID(): 3]
  var set: Set<String> = ["c", "a", "b"]
  var nested = [[1, 2], []]
  var holes: [Int?] = [1, nil]
  var filter = Filter.both(first: 1, second: 2)
  var theme = Theme.dark
  var range = 1..<5
}

struct CodingStateTests {
  @Test func aStateOfAllKindsOfFieldsComesBack() throws {
    let state = Everything()
    let json = try StateCoder.encode(state)
    #expect(try StateCoder.decode(Everything.self, from: json) == state)
    #expect(try StateCoder.encode(StateCoder.decode(Everything.self, from: json)) == json)
  }

  @Test func eachKindOfFieldHasItsForm() throws {
    let state = Everything()
    let json = try StateCoder.encode(state)
    for name in ["nothing", "noText", "noDate", "noItems", "noJSON"] {
      #expect(json[name] == JSON.null, "\(name)")
    }
    #expect(json["date"] == 1_764_480_000_123)
    #expect(json["id"] == .string(state.id.uuidString))
    #expect(json["link"] == "https://example.org/?q=a%20b")
    #expect(json["data"] == "AP8=")
    #expect(json["decimal"] == "123456789012345678901234567890.5")
    #expect(json["free"] == state.free)
    #expect(json["names"] == ["a": 2, "b": 1])
    #expect(json["numbered"] == ["10": "ten", "2": "two"])
    #expect(json["set"] == ["a", "b", "c"])
    #expect(json["holes"] == [1, nil])
    #expect(json["filter"] == ["both": ["first": 1, "second": 2]])
    #expect(json["theme"] == "dark")
  }

  @Test func setsAndDictionariesWrittenAsArraysAreSorted() throws {
    #expect(try StateCoder.encode(Set([10, 9, -1])) == [-1, 9, 10])
    #expect(try StateCoder.encode(Set([[2], [1]])) == [[1], [2]])
    #expect(try StateCoder.encode([2.5: "b", -1.5: "a"]) == [-1.5, "a", 2.5, "b"])
    #expect(try StateCoder.encode(Optional(Set(["b", "a"]))) == ["a", "b"])
    #expect(try StateCoder.encode(["b", "a"]) == ["b", "a"])
  }

  @Test func missingMembersAreNilAsNullIs() throws {
    struct Optionals: Codable, Equatable {
      var number: Int8?
      var text: String?
      var date: Date?
    }
    #expect(try StateCoder.decode(Optionals.self, from: [:]) == Optionals())
    let json = try StateCoder.encode(Optionals())
    #expect(json == ["number": nil, "text": nil, "date": nil])
    #expect(try StateCoder.decode(Optionals.self, from: json) == Optionals())
  }

  @Test func aLongTextIsNotQuotedWholeThoughItIsOneCharacter() throws {
    let text = "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(text.count == 1)
    let error = #expect(throws: CodingFailure.self) {
      try StateCoder.decode(UUID.self, from: .string(text))
    }
    #expect((error?.message.utf8.count ?? .max) < 1_000)
  }

  @Test func datesOfWholeMillisecondsAreIntegersAndExact() throws {
    var generator = Generator(seed: 7)
    for _ in 0..<2_000 {
      let milliseconds = Int64.random(
        in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      #expect(try StateCoder.encode(date) == .integer(milliseconds))
      #expect(try StateCoder.decode(Date.self, from: .integer(milliseconds)) == date)
    }
  }

  @Test func finerDatesAreDoublesThatStayTheSame() throws {
    var generator = Generator(seed: 8)
    for _ in 0..<2_000 {
      let seconds = Double.random(in: -1_000_000_000...1_500_000_000, using: &generator)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let json = try StateCoder.encode(date)
      let back = try StateCoder.decode(Date.self, from: json)
      #expect(abs(back.timeIntervalSince(date)) < 5e-7)
      #expect(try StateCoder.encode(back) == json)
    }
    #expect(throws: CodingFailure.self) {
      try StateCoder.encode(Date(timeIntervalSince1970: .infinity))
    }
    let huge = Date(timeIntervalSince1970: 1e300)
    #expect(try StateCoder.decode(Date.self, from: StateCoder.encode(huge)) == huge)
  }

  @Test func whatHasNoJSONIsRefusedWithItsPath() {
    #expect(failure(Double.nan) == "/list/0 must be finite, it is nan")
    #expect(failure(-Float.infinity) == "/list/0 must be finite, it is -inf")
    #expect(
      failure(UInt64.max)
        == "/list/0 must fit a signed integer of 64 bits, it is 18446744073709551615")
    #expect(failure(["a": UInt.max])?.hasPrefix("/list/0/a must fit") == true)
    #expect(failure(Decimal.nan) == "/list/0 must be finite, it is NaN")
    #expect(failure(Int128.max)?.hasPrefix("/list/0 must fit") == true)
    #expect(failure(Refusing()) == "/list/0/part is refused: not today")
    #expect(failure(Torn()) == "/list/0 is encoded as two kinds of JSON")
  }

  @Test func aStateOfAnotherShapeIsRefusedWithItsPath() throws {
    let json = try StateCoder.encode(Everything())
    func message(_ member: String, _ value: JSON?) -> String {
      var object = json.objectValue ?? JSONObject()
      object[member] = value
      do throws(CodingFailure) {
        _ = try StateCoder.decode(Everything.self, from: .object(object))
        return "read"
      } catch {
        return error.message
      }
    }
    #expect(message("flag", 1) == "/flag must be a boolean, it is a number")
    #expect(message("flag", nil) == "/flag is missing")
    #expect(message("small", 128) == "/small must fit Int8, it is 128")
    #expect(message("wide", -1) == "/wide must fit UInt64, it is -1")
    #expect(message("short", 1e300) == "/short must fit Float, it is 1e+300")
    #expect(message("short", 3) == "read")
    #expect(message("date", "2025") == "/date must be milliseconds since 1970, it is a string")
    #expect(message("id", "x") == "/id must be a UUID, it is \"x\"")
    #expect(message("data", "?") == "/data must be base64, it is \"?\"")
    #expect(message("decimal", "12abc") == "/decimal must be a decimal number, it is \"12abc\"")
    #expect(message("nested", [[1], [nil]]) == "/nested/1/0 must be an integer, it is null")
    #expect(message("names", ["a": "b"]) == "/names/a must be an integer, it is a string")
    #expect(message("byID", ["x"]).hasPrefix("/byID"))
    #expect(message("theme", "blue").hasPrefix("/theme is refused: "))
    #expect(
      message("filter", ["al": [:]])
        == "/filter must be an object that names one case, it has \"al\"")
    #expect(message("nothing", nil) == "read")
    #expect(message("unknown", 5) == "read")
  }

  @Test func classesWithSuperclassesComeBack() throws {
    let value = Derived()
    value.base = 5
    value.derived = "x"
    let json = try StateCoder.encode(value)
    #expect(json == ["derived": "x", "super": ["base": 5]])
    let back = try StateCoder.decode(Derived.self, from: json)
    #expect(back.base == 5 && back.derived == "x")
  }

  @Test func containersFilledInAnyOrderComeOut() throws {
    let json = try StateCoder.encode(Interleaved())
    #expect(json == ["a": ["x": 1, "y": [true, ["z": nil]]], "b": 3])
  }

  @Test func jsonPassesThroughForeignCodersToo() throws {
    let json: JSON = ["a": [1, 2.5, "x", true, nil, [:], []], "é": ["b": -1]]
    let data = try JSONEncoder().encode(json)
    #expect(try JSONDecoder().decode(JSON.self, from: data) == json)
  }

  @Test func aValueThatUnwrapsItselfWithoutEndIsRefused() {
    #expect(throws: CodingFailure.self) { try StateCoder.decode(Endless.self, from: 1) }
    #expect(throws: CodingFailure.self) { try StateCoder.encode(Endless()) }
  }
}

private struct Listed<Value: Encodable>: Encodable {
  var list: [Value]
}

/// Why a value in a list in a state is not written.
private func failure<Value: Encodable>(_ value: Value) -> String? {
  let failure = #expect(throws: CodingFailure.self) {
    try StateCoder.encode(Listed(list: [value]))
  }
  return failure?.kind == .unencodable ? failure?.message : nil
}

private struct Refusing: Encodable {
  enum CodingKeys: CodingKey { case part }
  func encode(to encoder: any Encoder) throws {
    let path = encoder.codingPath + [CodingKeys.part]
    throw EncodingError.invalidValue(
      self, EncodingError.Context(codingPath: path, debugDescription: "not today"))
  }
}

private struct Torn: Encodable {
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(1)
    _ = encoder.container(keyedBy: Refusing.CodingKeys.self)
  }
}

private struct Endless: Codable {
  init() {}
  init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decode(Endless.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self)
  }
}

private struct Interleaved: Encodable {
  enum CodingKeys: CodingKey { case a, b, x, y, z }
  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: CodingKeys.self)
    var a = outer.nestedContainer(keyedBy: CodingKeys.self, forKey: .a)
    try outer.encode(2, forKey: .b)
    var y = a.nestedUnkeyedContainer(forKey: .y)
    try y.encode(true)
    var z = y.nestedContainer(keyedBy: CodingKeys.self)
    try a.encode(1, forKey: .x)
    try z.encodeNil(forKey: .z)
    try outer.encode(3, forKey: .b)
  }
}

private class Root: Codable {
  var base = 0
}

private final class Derived: Root {
  var derived = ""
  enum CodingKeys: CodingKey { case derived }

  override init() { super.init() }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    derived = try container.decode(String.self, forKey: .derived)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(derived, forKey: .derived)
    try super.encode(to: container.superEncoder())
  }
}
