import DuxJSON
import Testing

/// Skipped without the public test data, which lies beside the package and not in it.
@Suite(.enabled(if: Vectors.arePresent))
struct VectorTests {
  /// Of the texts the suite leaves to the parser, those that I-JSON allows: numbers that underflow.
  static let acceptedByRule: Set<String> = [
    "i_number_double_huge_neg_exp.json", "i_number_real_underflow.json",
  ]

  @Test func theTestDataIsThere() {
    #expect(Vectors.names(in: "json-parsing").count > 200)
    #expect(Vectors.names(in: "json-transform").count > 10)
  }

  @Test(arguments: Vectors.names(in: "json-parsing"))
  func aTextIsAcceptedOrRefusedAsTheSuiteSays(name: String) throws {
    let bytes = try Vectors.bytes("json-parsing/\(name)")
    let value = try? JSON(parsing: bytes)
    switch name.prefix(2) {
    case "y_": #expect((value != nil) != (name.contains("duplicated_key")))
    case "n_": #expect(value == nil)
    default: #expect((value != nil) == Self.acceptedByRule.contains(name))
    }
    if let value {
      #expect(try JSON(parsing: value.bytes) == value)
      #expect(value.bytes.count == value.encodedByteCount)
    }
  }

  /// What comes back of each text; nothing where it is refused.
  static let transformed: [String: String?] = [
    "number_-9223372036854775808.json": "[-9223372036854775808]",
    "number_-9223372036854775809.json": nil,
    "number_1.000000000000000005.json": "[1.0]",
    "number_1000000000000000.json": "[1000000000000000]",
    "number_1e-999.json": "[0.0]",
    "number_1e6.json": "[1000000.0]",
    "number_9223372036854775808.json": nil,
    "object_key_nfc_nfd.json": "{\"e\u{301}\":\"NFD\",\"\u{e9}\":\"NFC\"}",
    "object_same_key_different_values.json": nil,
    "object_same_key_same_value.json": nil,
    "string_1_escaped_invalid_codepoint.json": nil,
    "string_1_invalid_codepoint.json": nil,
    "string_2_invalid_codepoints.json": nil,
    "string_3_escaped_invalid_codepoints.json": nil,
    "string_with_escaped_NULL.json": #"["A\u0000B"]"#,
  ]

  @Test(arguments: Vectors.names(in: "json-transform"))
  func aTextComesBackAsListedOrIsRefused(name: String) throws {
    let expected = try #require(Self.transformed[name])
    let bytes = try Vectors.bytes("json-transform/\(name)")
    if let expected {
      #expect(try JSON(parsing: bytes).bytes == Array(expected.utf8))
    } else {
      #expect(throws: JSONParseError.self) { try JSON(parsing: bytes) }
    }
  }

  @Test(arguments: ["spec_tests.json", "tests.json"])
  func aPatchGivesTheResultOrTheErrorOfItsCase(name: String) throws {
    let texts = Vectors.elements(of: try Vectors.bytes("json-patch/\(name)"))
    var checked = 0
    var refused: [JSONParseError.Reason] = []
    for (index, text) in texts.enumerated() {
      let element: JSON
      do throws(JSONParseError) { element = try JSON(parsing: text) } catch {
        refused.append(error.reason)
        continue
      }
      if element["disabled"] == .bool(true) { continue }
      guard let document = element["doc"], let changes = element["patch"] else { continue }
      let label = Comment(rawValue: "\(index): \(element["comment"]?.description ?? "")")
      var state = document
      let result = Result { try JSONPatch(changes).apply(to: &state) }
      if element["error"] != nil {
        #expect(throws: JSONPatchError.self, label) { try result.get() }
        #expect(state == document, label)
      } else {
        #expect(throws: Never.self, label) { try result.get() }
        #expect(state.matches(element["expected"] ?? document), label)
        let inverse = try JSONPatch(changes).inverse(on: document)
        try inverse.apply(to: &state)
        #expect(state == document, label)
      }
      checked += 1
    }
    #expect(checked > 15)
    #expect(refused == [.duplicateKey], "one case in each file is an operation with two op members")
  }
}
