import DuxJSON

/// Random numbers that a printed seed brings back (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}

extension SeededGenerator {
  /// A key out of few, so that documents meet again at the same places.
  mutating func key() -> String {
    let keys = [
      "", "a", "b", "a/b", "m~n", "-", "0", "1", "01", "e\u{301}", "\u{e9}", "\u{0}", "\u{10000}",
      "\u{ffff}", "key with more than fifteen bytes", "key with more than fifteen byteſ", "\"\\\n",
    ]
    return keys[below(keys.count)]
  }

  mutating func scalar() -> JSON {
    switch below(8) {
    case 0: .null
    case 1: .bool(chance(50))
    case 2: .integer(Int64(below(10)))
    case 3: .integer(Int64(bitPattern: next()))
    case 4: .double([0.0, -0.0, 1.0, 0.1, 1e16, .leastNonzeroMagnitude, -1.5e300][below(7)])
    case 5: .double(finiteDouble())
    case 6: .string(key())
    default: .string(String(repeating: key(), count: below(20)))
    }
  }

  mutating func finiteDouble() -> Double {
    while true {
      let value = Double(bitPattern: next())
      if value.isFinite { return value }
    }
  }

  /// A document of at most `depth` containers in one another.
  mutating func document(depth: Int, breadth: Int = 8) -> JSON {
    guard depth > 0, chance(70) else { return scalar() }
    if chance(50) {
      var object = JSONObject()
      for _ in 0..<below(breadth) {
        object[key()] = document(depth: depth - 1, breadth: breadth)
      }
      return .object(object)
    }
    return .array(
      JSONArray((0..<below(breadth)).map { _ in document(depth: depth - 1, breadth: breadth) }))
  }
}

/// The seeds of a randomized test: some fixed ones, so that a failure comes back.
let seeds: [UInt64] = [1, 2, 3, 5, 8, 13, 21, 34]
