import Testing

@testable import DuxJSON

@Suite("Whether a text is in canonical form already")
struct CanonicalTextTests {
  @Test(
    "it is told of texts without escapes and doubles",
    arguments: [
      "0", "-1", "9223372036854775807", "-9223372036854775808", "true", "null", "\"\"", "\"äß\"",
      "\"\u{7f}\"", "[]", "{}", "[1,[],{}]", #"{"a":1,"b":{"":[null]}}"#,
      // By bytes the first comes before the second; by UTF-16 code units it would not.
      "{\"\u{ffff}\":1,\"\u{10000}\":2}",
      #"{"a key with more than fifteen bytes":1,"a key with more than fifteen bytez":2}"#,
    ])
  func told(text: String) throws {
    try #expect(isCanonical(text))
    try #expect(JSON(parsing: text).bytes == Array(text.utf8))
  }

  @Test(
    "it is not told of what the writer would write otherwise",
    arguments: [
      "-0", "1.0", "1e3", "1E3", "0.10", " 1", "1 ", "\t[]", "[1 ]", "[ 1]", "[1 ,2]", "[1, 2]",
      "{ }", "{ \"a\":1}", "{\"a\" :1}", "{\"a\": 1}", "{\"a\":1 }", #""\u0041""#, #""\/""#,
      #""\u000A""#, #""\u001F""#, #""\ud83d\ude00""#, #"{"b":1,"a":2}"#, #"[{"b":1,"a":2}]"#,
      #"{"x":{"b":1,"a":2}}"#, #"{"\u0061":1}"#, "{\"\u{10000}\":1,\"\u{ffff}\":2}",
      // As long as the canonical text, though not the same.
      "[-0, 1]", #"["\u001F"]"#, "[1.50,  1e1]",
    ])
  func notTold(text: String) throws {
    try #expect(!isCanonical(text))
  }

  @Test("what is told is what the writer writes, however a document is spelt", arguments: seeds)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var count = 0
    for _ in 0..<2_000 {
      let value = random.document(depth: 3, breadth: 4)
      var text = value.bytes
      // Most texts get a byte of white space somewhere, or two bytes change places.
      if random.chance(40) { text.insert(0x20, at: random.below(text.count + 1)) }
      if random.chance(40) { text.swapAt(random.below(text.count), random.below(text.count)) }
      let parsed = try? text.withUnsafeBytes { try JSON.parse($0, maximumDepth: 10) }
      guard let parsed, parsed.isCanonical else { continue }
      count += 1
      #expect(parsed.value.bytes == text, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
    }
    #expect(count > 200, "seed \(seed)")
  }

  private func isCanonical(_ text: String) throws -> Bool {
    try Array(text.utf8).withUnsafeBytes { try JSON.parse($0, maximumDepth: 10).isCanonical }
  }
}
