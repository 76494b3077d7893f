import Testing

@testable import DuxJSON

/// Strings around the lengths at which they are held and handled otherwise.
struct ShortTextTests {
  /// Strings of 0 to 20 characters: plain ones, and ones with another character at each position.
  static let texts: [String] = {
    let others = ["\"", "\\", "\u{0}", "\u{1f}", " ", "\u{7f}", "é", "€", "\u{10ffff}"]
    var texts: [String] = []
    for count in 0...20 {
      let plain = "abcdefghijklmnopqrstu".prefix(count)
      texts.append(String(plain))
      for position in 0..<count {
        for other in others {
          texts.append(plain.prefix(position) + other + plain.dropFirst(position + 1))
        }
      }
    }
    return texts
  }()

  /// The canonical text, made byte by byte.
  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\u{0}": "\\u0000"
      case "\u{1f}": "\\u001f"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// Copies that are held in other ways: from a greater string, with room to grow, and bridged.
  private static func variants(of text: String) -> [String] {
    var roomy = ""
    roomy.reserveCapacity(100)
    roomy += text
    return [text, roomy, String("<\(text)>".dropFirst().dropLast()), String(Array(text))]
  }

  @Test func stringsLieInMemoryAsExpected() {
    #expect(ShortText.isAsExpected)
    #expect(ShortText("fifteen bytes..") != nil && ShortText("sixteen bytes...") == nil)
  }

  @Test func theBytesOfAStringAreFoundInMemory() {
    for text in Self.texts + ["a literal longer than a small string", "é literal of many bytes…"] {
      for variant in Self.variants(of: text) {
        let found = withUnsafePointer(to: variant) { string in
          bytes(ofStringAt: string).map { Array($0) }
        }
        #expect(found == Array(text.utf8))
        let short = ShortText(variant)
        #expect(short == nil || text.utf8.count < 16)
        #expect(short.map { $0.withBytes { Array($0) } } == (short == nil ? nil : found))
      }
    }
  }

  @Test func aShortTextIsMadeOfASCIIAlone() {
    for text in Self.texts {
      let short = Array(text.utf8).withUnsafeBytes { ShortText(ascii: $0) }
      let isShortASCII = text.utf8.count < 16 && text.utf8.allSatisfy { $0 < 0x80 }
      #expect((short != nil) == isShortASCII || text.isEmpty)
      #expect(short.map { Array($0.asciiString.utf8) } ?? Array(text.utf8) == Array(text.utf8))
      #expect(short.map(\.asciiString) ?? text == text)
      #expect(short.map(\.count) ?? text.utf8.count == text.utf8.count)
      let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c }
      #expect(short.map(\.isPlain) ?? isPlain == isPlain)
    }
  }

  @Test func stringsOfAllLengthsAreWrittenAndParsed() throws {
    for text in Self.texts {
      let quoted = Self.quoted(text)
      for variant in Self.variants(of: text) {
        #expect(JSON.string(variant).description == quoted)
        #expect(JSON.string(variant).encodedByteCount == quoted.utf8.count)
      }
      // The less follows a string, the fewer bytes may be looked at together.
      for padding in [0, 1, 7, 8, 15, 16, 40] {
        let space = String(repeating: " ", count: padding)
        let value = try JSON(parsing: quoted + space)
        #expect(value.stringValue.map { Array($0.utf8) } == Array(text.utf8))
        #expect(value.stringValue == text)
        #expect(try JSON(parsing: "{\(quoted):\(quoted)}\(space)") == [text: .string(text)])
      }
    }
  }

  @Test func aTextWithoutItsLastBytesIsRefused() {
    for text in Self.texts {
      let bytes = Array("[\(Self.quoted(text))]".utf8)
      for count in 0..<bytes.count {
        #expect(throws: JSONParseError.self) { try JSON(parsing: Array(bytes[..<count])) }
      }
    }
  }

  @Test func keysOfAllLengthsAreFound() {
    var object = JSONObject()
    for (index, text) in Self.texts.enumerated() { object[text] = .integer(Int64(index)) }
    for (index, text) in Self.texts.enumerated() {
      for variant in Self.variants(of: text) {
        #expect(object[variant] == .integer(Int64(index)))
        #expect(object[variant + "?"] == nil)
      }
    }
    let keys = object.map(\.key)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { compareBytes($0, $1) < 0 })
    #expect(object.count == Self.texts.count)
  }

  @Test func stringsAreTheSameByTheirBytes() {
    for (left, right) in zip(Self.texts, Self.texts.dropFirst()) {
      for variant in Self.variants(of: left) {
        #expect(hasSameBytes(variant, left) && !hasSameBytes(variant, right))
      }
    }
    #expect(!hasSameBytes("e\u{301}", "\u{e9}"))
  }

  @Test func tokensOfAllLengthsAreRead() throws {
    for text in Self.texts {
      let pointer = JSONPointer(tokens: [text, "a", text])
      let read = try JSONPointer(pointer.description)
      #expect(read.tokens.map { Array($0.utf8) } == pointer.tokens.map { Array($0.utf8) })
      #expect(read.tokens == pointer.tokens)
    }
  }

  @Test func operationsAreWrittenAsTheirJSONForm() {
    for text in Self.texts {
      let path = JSONPointer(tokens: [text, "/~"])
      let operations: [JSONPatchOperation] = [
        .add(path: path, value: .string(text)), .remove(path: path),
        .replace(path: path, value: [.string(text)]), .move(from: path, path: .root),
        .copy(from: .root, path: path), .test(path: path, value: [text: nil]),
      ]
      for patch in operations.map({ JSONPatch(operations: [$0]) }) + [
        JSONPatch(), JSONPatch(operations: operations),
      ] {
        var bytes = Array("before ".utf8)
        patch.write(into: &bytes)
        #expect(bytes == Array("before \(patch.json)".utf8))
      }
    }
  }
}
