import Testing

@testable import DuxJSON

struct ParserTests {
  static func error(_ bytes: [UInt8], maximumDepth: Int = 128) -> JSONParseError? {
    do throws(JSONParseError) {
      _ = try JSON(parsing: bytes, maximumDepth: maximumDepth)
      return nil
    } catch {
      return error
    }
  }

  static func error(_ text: String) -> JSONParseError? { error(Array(text.utf8)) }

  static let broken: [(String, Int, JSONParseError.Reason)] = [
    ("", 0, .unexpectedEnd), (" \n", 2, .unexpectedEnd),
    ("[1", 2, .unexpectedEnd), ("[1,", 3, .unexpectedEnd), ("{\"a\"", 4, .unexpectedEnd),
    ("{\"a\":", 5, .unexpectedEnd), ("{\"a\":1,", 7, .unexpectedEnd), ("\"abc", 4, .unexpectedEnd),
    ("\"ab\\", 4, .unexpectedEnd), ("\"ab\\u00", 7, .unexpectedEnd), ("tru", 3, .unexpectedEnd),
    ("-", 1, .unexpectedEnd), ("1.", 2, .unexpectedEnd), ("1e", 2, .unexpectedEnd),
    ("1e+", 3, .unexpectedEnd), ("[1,]", 3, .unexpectedByte(0x5d)),
    ("{\"a\":1,}", 7, .unexpectedByte(0x7d)), ("{a:1}", 1, .unexpectedByte(0x61)),
    ("[1 2]", 3, .unexpectedByte(0x32)), ("trux", 3, .unexpectedByte(0x78)),
    ("{\"a\" 1}", 5, .unexpectedByte(0x31)), ("[1}", 2, .unexpectedByte(0x7d)),
    ("+1", 0, .unexpectedByte(0x2b)), ("NaN", 0, .unexpectedByte(0x4e)),
    ("1 1", 2, .trailingBytes), ("{}}", 2, .trailingBytes), ("null\0", 4, .trailingBytes),
    ("\u{feff}1", 0, .byteOrderMark), ("01", 0, .malformedNumber), ("-01", 1, .malformedNumber),
    ("-x", 1, .malformedNumber), ("1.e1", 2, .malformedNumber), ("1e-x", 3, .malformedNumber),
    ("[9223372036854775808]", 1, .numberOutOfRange),
    ("-9223372036854775809", 0, .numberOutOfRange), ("18446744073709551616", 0, .numberOutOfRange),
    ("1000000000000000000000000000000", 0, .numberOutOfRange), ("1e400", 0, .numberOutOfRange),
    ("[-1e999]", 1, .numberOutOfRange), ("1.8e308", 0, .numberOutOfRange),
    ("\"a\u{1}\"", 2, .controlCharacter), ("\"tab\tin a long string\"", 4, .controlCharacter),
    ("\"\\x\"", 1, .malformedEscape), ("\"a\\u12g4\"", 2, .malformedEscape),
    ("\"\\ud800\"", 1, .loneSurrogate), ("\"\\udc00\"", 1, .loneSurrogate),
    ("\"\\ud800\\u0041\"", 1, .loneSurrogate), ("\"\\ud800\\ud800\"", 1, .loneSurrogate),
    ("[{\"a\":1,\"a\":2}]", 8, .duplicateKey),
    ("{\"a\":1,\"b\":2,\"\\u0061\":3}", 13, .duplicateKey),
  ]

  @Test(arguments: broken)
  func aBrokenRuleIsNamedWithItsPlace(text: String, offset: Int, reason: JSONParseError.Reason) {
    let error = Self.error(text)
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
    #expect(error?.description.hasPrefix("at byte \(offset): ") == true)
  }

  @Test(
    arguments: [
      [0xff], [0x80], [0xc0, 0xaf], [0xc1, 0xbf], [0xe0, 0x80, 0xaf], [0xed, 0xa0, 0x80],
      [0xed, 0xbf, 0xbf], [0xf0, 0x80, 0x80, 0xaf], [0xf4, 0x90, 0x80, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
      [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc3], [0xc3, 0x28],
    ] as [[UInt8]])
  func bytesThatAreNotUTF8AreRefusedWhereverTheyStand(bytes: [UInt8]) {
    for prefix in ["", "a", "abcdefg", "abcdefgh", "\\n", "é and more than eight bytes"] {
      for suffix in ["", "z", " and a long end", "\\\" and an escape after it"] {
        let text = Array("[\"\(prefix)".utf8) + bytes + Array("\(suffix)\"]".utf8)
        let error = Self.error(text)
        #expect(error?.reason == .invalidUTF8)
        #expect(error?.offset == 2 + prefix.utf8.count)
        let key = Array("{\"\(prefix)".utf8) + bytes + Array("\(suffix)\":1}".utf8)
        #expect(Self.error(key)?.reason == .invalidUTF8)
      }
    }
  }

  @Test func stringsOfEveryLengthAreReadUpToTheirQuote() throws {
    for length in 0..<70 {
      for special in ["", "\"", "\\", "\n", "\u{1f}", "\u{7f}", "é", "\u{10ffff}", "/"] {
        for place in Set([0, length / 2, length]) {
          let plain = String(repeating: "x", count: place)
          let string = plain + special + String(repeating: "y", count: length - place)
          let value = JSON.array([.string(string), .object([string: 1])])
          #expect(try JSON(parsing: value.bytes) == value)
        }
      }
    }
    #expect(
      try JSON(parsing: #""\u0000\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\""#)
        == .string("\0\u{e9}\u{1f600}/\u{8}\u{c}\n\r\t\"\\"))
  }

  static let numbers: [(String, JSON)] = [
    ("0", .integer(0)), ("-0", .double(-0.0)), ("-0.0", .double(-0.0)), ("0e0", .double(0)),
    ("-1", .integer(-1)), ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)), ("9007199254740993", .integer(9_007_199_254_740_993)),
    ("1E2", .double(100)), ("1.0", .double(1)), ("0.1", .double(0.1)), ("1e-999", .double(0)),
    ("-1e-999", .double(-0.0)), ("5e-324", .double(.leastNonzeroMagnitude)),
    (
      "2.2250738585072011e-308",
      .double(Double(sign: .plus, exponent: -1023, significand: 2) - .leastNonzeroMagnitude)
    ),
    ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    ("9007199254740993.0", .double(9_007_199_254_740_992)),
    ("9007199254740993.00000000000000000001", .double(9_007_199_254_740_994)),
    ("0.30000000000000004", .double(0.1 + 0.2)),
    ("123456789012345678901234567890.0", .double(1.2345678901234568e29)),
    ("0e99999999999999999999", .double(0)), ("9223372036854775808.0", .double(9223372036854775808)),
    ("1e22", .double(1e22)), ("1e23", .double(1e23)), ("8.5e-22", .double(8.5e-22)),
  ]

  @Test(arguments: numbers)
  func aNumberIsReadExactly(text: String, value: JSON) throws {
    for text in [text, "[\(text)]", " \(text)\n"] {
      let parsed = try JSON(parsing: text)
      #expect((parsed.arrayValue.map { $0[0] } ?? parsed) == value)
      #expect(parsed.bytes.count == parsed.encodedByteCount)
    }
  }

  @Test(arguments: seeds)
  func everyDoubleComesBackAsItWas(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let value = random.finiteDouble()
      let text = JSON.double(value).bytes
      #expect(try JSON(parsing: text) == .double(value))
      let short = Double(Int(random.next() % 100_000_000)) / [1, 10, 1000, 8, 3][random.below(5)]
      #expect(try JSON(parsing: JSON.double(short).bytes) == .double(short))
    }
  }

  @Test func nestingIsAllowedUpToTheLimitAndNoFurther() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
      Array(
        (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"k\":", "}]")] {
      let levels = open.contains("[") && open.contains("{") ? 2 : 1
      #expect(try JSON(parsing: nested(128 / levels, open, close)).depth == 128)
      #expect(Self.error(nested(128 / levels + 1, open, close))?.reason == .tooDeep)
      #expect(
        try JSON(parsing: nested(1000 / levels, open, close), maximumDepth: .max).depth == 1000)
      #expect(Self.error(nested(1001, open, close), maximumDepth: .max)?.reason == .tooDeep)
      #expect(Self.error(nested(1_000_000, open, close), maximumDepth: 5000)?.reason == .tooDeep)
    }
    #expect(try JSON(parsing: "1", maximumDepth: 0) == 1)
    #expect(Self.error(Array("[]".utf8), maximumDepth: 0)?.reason == .tooDeep)
    #expect(
      Self.error(Array("[[]]".utf8), maximumDepth: 1) == JSONParseError(offset: 1, reason: .tooDeep)
    )
  }

  @Test(arguments: seeds)
  func cutOrDamagedTextsAreRefusedOrReadAsTheyStand(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = random.document(depth: 4).bytes
      for length in 0..<min(text.count, 200) {
        if let value = try? JSON(parsing: text[..<length]) {
          #expect(try JSON(parsing: value.bytes) == value)
        }
      }
      var damaged = text
      damaged[random.below(damaged.count)] = UInt8(truncatingIfNeeded: random.next())
      if let value = try? JSON(parsing: damaged) {
        #expect(try JSON(parsing: value.bytes) == value)
      }
    }
  }

  @Test func largeObjectsAreReadWhateverTheOrderOfTheirKeys() throws {
    let keys = (0..<40_000).map { "key \(String($0, radix: 36)) \($0)" }
    let object = JSONObject(dictionary: keys)
    for order in [keys, keys.reversed(), keys.sorted(), keys.sorted().reversed(), keys.shuffled()] {
      let text = "{" + order.map { "\"\($0)\":true" }.joined(separator: " ,\n") + "}"
      let value = try JSON(parsing: text)
      #expect(value == .object(object))
      let doubled = text.dropLast() + ",\"\(order[order.count / 2])\":1}"
      #expect(Self.error(String(doubled))?.reason == .duplicateKey)
    }
  }

  @Test func keysWithACommonStartAreTold() throws {
    let text =
      #"{"abcdefgh2":1,"abcdefgh":2,"abcdefgh1":3,"abcdefg":4,"abcdefg\u0000":5,"":6,"\u0000":7}"#
    let value = try JSON(parsing: text)
    #expect(
      value.objectValue?.map(\.key)
        == ["", "\0", "abcdefg", "abcdefg\0", "abcdefgh", "abcdefgh1", "abcdefgh2"])
    #expect(value["abcdefg\0"] == 5)
  }

  @Test func aSliceIsReadFromItsOwnStart() throws {
    let bytes = Array("xx{\"a\":1}yy".utf8)
    #expect(try JSON(parsing: bytes[2..<9]) == ["a": 1])
    #expect(throws: JSONParseError(offset: 7, reason: .trailingBytes)) {
      try JSON(parsing: bytes[2...])
    }
  }

  @Test func objectsOfAnyNumberOfMembersAreParsedInsideOneAnother() throws {
    for count in 0...40 {
      let members = (0..<count).map { "\"\($0)\":{\"a\":[{\"b\":\($0),\"c\":\"\($0)\"}]}" }
      let text = "{\(members.joined(separator: ","))}"
      let object = try #require(try JSON(parsing: text).objectValue)
      #expect(object.count == count && object.encodedByteCount == text.utf8.count)
      for index in 0..<count {
        let element: JSON = ["b": .integer(Int64(index)), "c": .string("\(index)")]
        #expect(object["\(index)"] == ["a": [element]])
      }
      #expect(throws: JSONParseError.self) { try JSON(parsing: String(text.dropLast())) }
    }
  }
}

extension JSONObject {
  fileprivate init(dictionary keys: [String]) {
    self.init()
    for key in keys { self[key] = true }
  }
}
