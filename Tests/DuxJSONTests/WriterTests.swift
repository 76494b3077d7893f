import Testing

@testable import DuxJSON

struct WriterTests {
  static let forms: [(JSON, String)] = [
    (JSON.null, "null"), (true, "true"), (false, "false"), (0, "0"), (-1, "-1"),
    (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
    (1.0, "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e16, "1e+16"), (1e15, "1000000000000000.0"),
    (.double(.leastNonzeroMagnitude), "5e-324"), (.double(1e-5), "1e-05"),
    (.double(.greatestFiniteMagnitude), "1.7976931348623157e+308"), (.double(.nan), "null"),
    (.double(-.infinity), "null"), ("", "\"\""), ("\"\\/", #""\"\\/""#),
    ("\u{8}\u{c}\n\r\t", #""\b\f\n\r\t""#),
    ("\0\u{1}\u{1f}\u{7f}", "\"\\u0000\\u0001\\u001f\u{7f}\""),
    ("e\u{301}\u{e9}\u{2028}\u{10ffff}", "\"e\u{301}\u{e9}\u{2028}\u{10ffff}\""), ([], "[]"),
    ([:], "{}"), ([1, [], "a", nil], #"[1,[],"a",null]"#),
    (
      ["b": 1, "a": ["z": [:]], "": 0, "\u{10000}": 1, "\u{ffff}": 2],
      "{\"\":0,\"a\":{\"z\":{}},\"b\":1,\"\u{ffff}\":2,\"\u{10000}\":1}"
    ),
  ]

  @Test(arguments: forms)
  func aValueIsWrittenInItsOneForm(value: JSON, text: String) throws {
    #expect(value.description == text)
    #expect(value.bytes == Array(text.utf8))
    #expect(value.encodedByteCount == text.utf8.count)
    var bytes = Array("before ".utf8)
    value.write(into: &bytes)
    #expect(bytes == Array("before \(text)".utf8))
    if case .string(let string) = value {
      var bytes: [UInt8] = [1]
      JSON.write(string: string, into: &bytes)
      #expect(bytes == [1] + Array(text.utf8))
    }
  }

  @Test(arguments: seeds)
  func whatIsWrittenIsReadAsTheSameValue(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for step in 0..<300 {
      let value = random.document(depth: 5)
      let bytes = value.bytes
      let label = Comment(rawValue: "seed \(seed) step \(step)")
      #expect(bytes.count == value.encodedByteCount, label)
      let parsed = try JSON(parsing: bytes)
      #expect(parsed == value, label)
      #expect(parsed.bytes == bytes, label)
      #expect(parsed.hashValue == value.hashValue, label)
      #expect(parsed.depth == value.depth, label)
      var pretty: [UInt8] = []
      value.writePretty(into: &pretty, indent: 2)
      #expect(try JSON(parsing: pretty) == value, label)
    }
  }

  @Test func aTextForPeopleHasALineForEachEntry() {
    var bytes: [UInt8] = []
    (["a": [1, [:], []], "b": ["c": "d"]] as JSON).writePretty(into: &bytes, indent: 2)
    let text = """
      {
        "a": [
          1,
          {},
          []
        ],
        "b": {
          "c": "d"
        }
      }
      """
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test func manySmallTextsAppendedToOneBufferStayWhole() {
    var bytes: [UInt8] = []
    for number in 0..<10_000 { JSON.integer(Int64(number)).write(into: &bytes) }
    #expect(bytes == Array((0..<10_000).map(String.init).joined().utf8))
  }
}
