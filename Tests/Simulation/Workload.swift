import DuxJSON

/// Random wishes of clients, at few enough places that they meet.
extension SeededGenerator {
  private static let arrayPaths = [
    "/list", "/list/0", "/list/1", "/list/2", "/list/0/x", "/list/1/x/0", "/list/1/list/0", "/rows",
    "/rows/0", "/rows/1/0", "/map/0",
  ]
  private static let otherPaths = [
    "", "/map", "/map/a", "/map/a~1b", "/map/m~0n", "/map/a/b", "/deep/x/y/z", "/deep/x", "/count",
    "/text", "/ghost/x", "/map/-", "/e\u{301}", "/\u{e9}", "/",
  ]

  /// A place to work at or to watch.
  mutating func path(favouringArrays: Bool) -> String {
    chance(favouringArrays ? 80 : 40) ? pick(Self.arrayPaths) : pick(Self.otherPaths)
  }

  /// A value, big in `bigPercent` of 100 cases.
  mutating func value(bigPercent: Int, depth: Int = 3) -> JSON {
    if chance(bigPercent) {
      return .string(String(repeating: pick(["x", "\u{1}", "é"]), count: below(2_500)))
    }
    switch below(depth > 0 ? 9 : 5) {
    case 0: return nil
    case 1: return .integer(Int64(below(4)))
    case 2: return .double(Double(below(4)) / 2)
    case 3: return .bool(chance(50))
    case 4: return .string(String(repeating: "t", count: below(30)))
    case 5, 6:
      return .array(JSONArray((0..<below(4)).map { _ in value(bigPercent: 0, depth: depth - 1) }))
    default:
      var object = JSONObject()
      for _ in 0..<below(4) {
        object[pick(["x", "list", "a", "0", "a/b", "m~n"])] = value(bigPercent: 0, depth: depth - 1)
      }
      return .object(object)
    }
  }

  /// An action of the stock app; some can't be taken.
  mutating func action(_ options: Options) -> JSON {
    if chance(5) { return lease() }
    if options.hasEffects { return errand() }
    let place = path(favouringArrays: options.favoursArrays)
    let big = options.bigValuePercent
    switch below(16) {
    case 0:
      return Self.action("doc/set", ["path": .string(place), "value": value(bigPercent: big)])
    case 1: return Self.action("doc/set", ["path": "/list", "value": [1, ["x": [1]], [:], "d"]])
    case 2: return Self.action("doc/set", ["path": "/rows", "value": [[1], [2, 3], "r"]])
    case 3:
      return Self.action("doc/set", ["path": "/map", "value": ["0": 1, "a": ["b": 1], "a/b": 2]])
    case 4: return Self.action("doc/remove", ["path": .string(place)])
    case 5:
      return Self.action("doc/merge", ["path": .string(place), "value": value(bigPercent: big)])
    case 6, 7:
      let operations = (0...below(4)).map { _ in operation(options) }
      return Self.action("doc/patch", ["ops": .array(JSONArray(operations))])
    case 8: return Self.action("doc/set", ["path": "/count", "value": 0])
    case 9:
      return Self.action("doc/increment", ["path": "/count", "by": .integer(Int64(below(3)))])
    case 10, 11:
      return Self.action(
        "doc/append",
        [
          "path": .string(pick(["/list", "/rows", "/list/1/list"])),
          "value": value(bigPercent: big),
        ])
    case 12, 13:
      return Self.action(
        "doc/insert",
        [
          "path": .string(pick(["/list", "/rows"])), "index": .integer(Int64(below(3))),
          "value": value(bigPercent: 0),
        ])
    case 14: return Self.action(pick(["nonsense", "", "doc/set"]), nil)
    default:
      return Self.action("doc/remove", ["path": .string(pick(["/list/0", "/rows/0", "/list/1"]))])
    }
  }

  /// An action of the leases, which every app has; some can't be taken.
  private mutating func lease() -> JSON {
    let name: JSON = pick(["a", "b"])
    let (fence, ttl) = (JSON.integer(Int64(1 + below(20))), JSON.integer(Int64(1 + below(2_000))))
    return switch below(4) {
    case 0, 1: Self.action("@lease/acquire", ["name": name, "ttlMs": ttl])
    case 2: Self.action("@lease/renew", ["name": name, "fence": fence, "ttlMs": ttl])
    default: Self.action("@lease/release", ["name": name, "fence": fence])
    }
  }

  private static func action(_ type: String, _ payload: JSON) -> JSON {
    ["type": .string(type), "payload": payload]
  }

  private mutating func operation(_ options: Options) -> JSON {
    let kinds: [JSON] = ["add", "add", "remove", "replace", "move", "copy"]
    return [
      "op": pick(kinds), "path": .string(path(favouringArrays: options.favoursArrays)),
      "from": .string(path(favouringArrays: options.favoursArrays)), "value": value(bigPercent: 0),
    ]
  }

  /// The actions of one step, which fit into a line.
  mutating func step(_ options: Options) -> [JSON] {
    while true {
      let actions = (0..<(chance(20) ? 1 + below(4) : 1)).map { _ in action(options) }
      let size = actions.reduce(300) { $0 + $1.encodedByteCount }
      if size <= options.maximumLineBytes { return actions }
    }
  }

  /// Conditions of one step, mostly none.
  mutating func conditions(_ options: Options) -> [JSON] {
    guard chance(10) else { return [] }
    return [["path": .string(path(favouringArrays: false)), "missing": true]]
  }
}
