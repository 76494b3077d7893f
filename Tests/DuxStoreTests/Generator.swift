import DuxJSON

/// Random actions on small documents (SplitMix64); the same seed makes the same ones.
struct Generator: RandomNumberGenerator {
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

  mutating func path() -> JSON {
    let paths = [
      "", "/list", "/list/0", "/list/1", "/list/0/x", "/object", "/object/x", "/object/x/y",
      "/number", "/other", "/object/0",
    ]
    return .string(paths[below(paths.count)])
  }

  mutating func value() -> JSON {
    let values: [JSON] = [nil, 1, 1.0, 2, "t", [], [1, 2], [:], ["x": 1], ["x": nil], [["x": 3]]]
    return values[below(values.count)]
  }

  mutating func operation() -> JSON {
    let kinds: [JSON] = ["add", "remove", "replace", "move", "copy"]
    return ["op": kinds[below(5)], "path": path(), "from": path(), "value": value()]
  }

  mutating func action() -> JSON {
    let types: [JSON] = [
      "doc/set", "doc/remove", "doc/merge", "doc/patch", "doc/increment", "doc/append",
      "doc/insert",
    ]
    let operations = (0..<below(4)).map { _ in operation() }
    return [
      "type": types[below(types.count)],
      "payload": [
        "path": path(), "value": value(), "index": .integer(Int64(below(3))),
        "ops": .array(JSONArray(operations)),
      ],
    ]
  }
}
