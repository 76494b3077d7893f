import Testing

@testable import DuxJSON

struct EqualityTests {
  /// Values of which no two are equal.
  static let different: [JSON] = [
    nil, true, false, 0, 1, -1, 0.0, -0.0, 1.0, "", "a", "e\u{301}", "\u{e9}", "\u{212b}", "\u{c5}",
    [], [nil], [1], [1.0], [[]], [1, 2], [2, 1], [:], ["a": 1], ["a": 1.0], ["a": nil], ["b": 1],
    ["a": 1, "b": 2], ["e\u{301}": 1], ["\u{e9}": 1], .integer(9_007_199_254_740_993),
    .double(9_007_199_254_740_992),
  ]

  @Test func onlyValuesWithTheSameBytesAreEqual() throws {
    for (index, value) in Self.different.enumerated() {
      for (other, another) in Self.different.enumerated() {
        #expect((value == another) == (index == other))
        #expect((value == another) == (value.bytes == another.bytes))
      }
      #expect(try JSON(parsing: value.bytes).hashValue == value.hashValue)
    }
    #expect(Set(Self.different).count == Self.different.count)
  }

  @Test func aTestComparesNumbersByValueAndStringsByBytes() {
    #expect((1 as JSON).matches(1.0) && (1.0 as JSON).matches(1) && (0 as JSON).matches(-0.0))
    #expect((0.0 as JSON).matches(-0.0) && (["a": [1]] as JSON).matches(["a": [1.0]]))
    #expect(!JSON.integer(9_007_199_254_740_993).matches(.double(9_007_199_254_740_992)))
    #expect(JSON.integer(9_007_199_254_740_992).matches(.double(9_007_199_254_740_992)))
    #expect(
      !JSON.integer(.max).matches(.double(0x1p63)) && JSON.integer(.min).matches(.double(-0x1p63)))
    #expect(!(1 as JSON).matches(1.5) && !(1 as JSON).matches("1") && !(0 as JSON).matches(false))
    #expect(
      !("e\u{301}" as JSON).matches("\u{e9}") && !(["e\u{301}": 1] as JSON).matches(["\u{e9}": 1]))
    #expect(!([1, 2] as JSON).matches([1]) && !(["a": 1] as JSON).matches(["a": 1, "b": 2]))
    #expect(!(["a": 1] as JSON).matches(["b": 1]) && ([] as JSON).matches([]))
  }

  @Test(arguments: seeds)
  func equalityIsThatOfTheBytesForAnyDocuments(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for step in 0..<500 {
      let value = random.document(depth: 4)
      let other = random.edited(value)
      let label = Comment(rawValue: "seed \(seed) step \(step)")
      #expect((value == other) == (value.bytes == other.bytes), label)
      #expect(value.matches(value), label)
      if value == other {
        #expect(value.hashValue == other.hashValue && value.matches(other), label)
      }
    }
  }

  @Test(arguments: seeds)
  func stringsAreOrderedByTheirBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let alphabet: [Unicode.Scalar] = [
        "a", "b", "\0", "\u{7f}", "\u{e9}", "\u{ffff}", "\u{10000}",
      ]
      func string() -> String {
        var string = String(repeating: "x", count: random.below(40))
        for _ in 0..<random.below(20) { string.unicodeScalars.append(alphabet[random.below(7)]) }
        return string
      }
      let (a, b) = (string(), string())
      let order = compareBytes(a, b)
      #expect((order < 0) == a.utf8.lexicographicallyPrecedes(b.utf8))
      #expect((order == 0) == a.utf8.elementsEqual(b.utf8))
    }
  }

  @Test func treesOfOtherShapeWithEqualEntriesAreEqual() {
    let built = JSONArray((0..<5000).map { .integer($0) })
    var grown = JSONArray()
    for number in (0..<5000).reversed() { grown.insert(.integer(Int64(number)), at: 0) }
    #expect(built == grown && built.hashValue == grown.hashValue)
    grown[4999] = 0
    #expect(built != grown)
    grown.append(1)
    #expect(built != grown)
  }
}
