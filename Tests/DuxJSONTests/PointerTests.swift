import DuxJSON
import Testing

struct PointerTests {
  static let texts: [(String, [String])] = [
    ("", []), ("/", [""]), ("/a", ["a"]), ("/a/", ["a", ""]), ("//", ["", ""]), ("/a~1b", ["a/b"]),
    ("/m~0n", ["m~n"]), ("/~01", ["~1"]), ("/~10", ["/0"]), ("/e\u{301}", ["e\u{301}"]),
    ("/ \"\\\u{0}", [" \"\\\u{0}"]), ("/0/-", ["0", "-"]),
  ]

  @Test(arguments: texts)
  func aTextIsReadAndWrittenBack(text: String, tokens: [String]) throws {
    let pointer = try JSONPointer(text)
    #expect(pointer.tokens.map { Array($0.utf8) } == tokens.map { Array($0.utf8) })
    #expect(pointer == JSONPointer(tokens: tokens))
    #expect(Array(pointer.description.utf8) == Array(text.utf8))
    #expect(pointer.isRoot == tokens.isEmpty && pointer.last == tokens.last)
    #expect(pointer.parent?.appending(tokens.last ?? "") == (tokens.isEmpty ? nil : pointer))
  }

  @Test func aTextThatIsNoPointerIsRefusedWithItsRule() {
    let refused: [(String, JSONPointerError.Reason)] = [
      ("a", .missingSlash), ("~0", .missingSlash), (" /a", .missingSlash), ("#/a", .missingSlash),
      ("/~", .malformedEscape), ("/a~/b", .malformedEscape), ("/~2", .malformedEscape),
      ("/~~0", .malformedEscape), ("/b/a~", .malformedEscape),
    ]
    for (text, reason) in refused {
      let error = #expect(throws: JSONPointerError.self) { try JSONPointer(text) }
      #expect(error?.reason == reason && error?.text == text)
      #expect(error?.description.contains("\"\(text)\"") == true)
    }
  }

  @Test func pointersCompareByBytes() {
    let composed = JSONPointer(tokens: ["\u{e9}"])
    let decomposed = JSONPointer(tokens: ["e\u{301}"])
    #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
    #expect(!composed.isPrefix(of: decomposed.appending("a")))
    #expect(composed.isPrefix(of: composed) && composed.isPrefix(of: composed.appending("a")))
    #expect(JSONPointer.root.isPrefix(of: composed) && !composed.isPrefix(of: .root))
    #expect(JSONPointer(tokens: ["a", "b"]) != JSONPointer(tokens: ["ab"]))
    #expect(
      JSONPointer(tokens: ["a", "b"]).hashValue == JSONPointer(tokens: ["a", "b"]).hashValue)
  }

  @Test func aPointerLeadsToTheValueOrNowhere() throws {
    let value: JSON = [
      "foo": ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, "01": ["x"], "-": [], "e\u{301}": 2,
    ]
    let found: [(String, JSON?)] = [
      ("", value), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/foo/1", "baz"), ("/", 0),
      ("/a~1b", 1), ("/m~0n", 8), ("/01/0", "x"), ("/-", []), ("/e\u{301}", 2), ("/\u{e9}", nil),
      ("/foo/2", nil), ("/foo/-", nil), ("/foo/00", nil), ("/foo/01", nil), ("/foo/+1", nil),
      ("/foo/-1", nil), ("/foo/ 1", nil), ("/foo/", nil), ("/foo/1x", nil), ("/foo/\u{661}", nil),
      ("/foo/18446744073709551616", nil), ("/foo/999999999999999999999999999999", nil),
      ("/foo/9223372036854775807", nil), ("/foo/0/0", nil), ("/nope/x", nil), ("//", nil),
    ]
    for (text, expected) in found {
      #expect(value.value(at: try JSONPointer(text)) == expected, "\(text)")
    }
  }
}
