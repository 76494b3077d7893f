import DuxJSON
import Simulation
import Testing

/// Steps that go to the disk together.
///
/// Those of a run are taken whatever runs came before, once for each path.
enum Run: CaseIterable, CustomTestStringConvertible {
  case edits, merge, patch, batch, lease, neighbours, longKey, unchanged
  case editsThenMerge, mergeThenEdits, mergesAmongEdits

  var testDescription: String { "\(self)" }

  /// The steps, of which some change what others do too, and some what is below a path.
  func steps(in own: String) -> [String] {
    let path = { JSON.string(own + $0) }
    switch self {
    case .edits: return Self.edits(path)
    case .merge:
      return [
        Scene.step("doc/merge", ["path": "/map", "value": ["a": nil, "c": ["d": path("")]]]),
        Scene.step("doc/merge", ["path": path(""), "value": ["x": 9, "gone": nil]]),
      ]
    case .patch: return [Self.patch(path), Self.patch(path)]
    case .batch:
      return [
        Scene.step([
          ("doc/increment", ["path": "/count", "by": 10]),
          ("doc/set", ["path": path("/x"), "value": []]),
          ("doc/append", ["path": path("/x"), "value": 1]),
        ])
      ]
    case .lease:
      return [
        Scene.step("@lease/acquire", ["name": path("/lease"), "ttlMs": 1_000]),
        Scene.step([
          ("@lease/acquire", ["name": path("/other"), "ttlMs": 1_000]),
          ("doc/increment", ["path": "/count"]),
        ]),
      ]
    case .neighbours:
      return [
        Scene.step("doc/remove", ["path": path("/pair/0")]),
        Scene.step("doc/insert", ["path": path("/pair"), "index": 1, "value": 4]),
      ]
    case .longKey: return [Scene.step("doc/remove", ["path": path("/" + Scene.longKey)])]
    case .unchanged: return [Scene.step("doc/set", ["path": path("/same"), "value": 1])]
    case .editsThenMerge: return Self.edits(path) + Self.merge.steps(in: own)
    case .mergeThenEdits: return Self.merge.steps(in: own) + Self.shared
    case .mergesAmongEdits:
      return Self.edits(path) + [Self.patch(path)] + Self.shared + Self.merge.steps(in: own)
        + Self.shared
    }
  }

  /// Changes of one place each.
  private static func edits(_ path: (String) -> JSON) -> [String] {
    shared + [
      Scene.step("doc/set", ["path": path("/x"), "value": ["y": 5]]),
      Scene.step("doc/set", ["path": path("/made/deep/z"), "value": true]),
      Scene.step("doc/remove", ["path": path("/gone")]),
      Scene.step("doc/set", ["path": path("/made/deep/z"), "value": [1]]),
      Scene.step("doc/set", ["path": path("/made/deep/z"), "value": [1, ["q": 1]]]),
    ]
  }

  private static let shared = [
    Scene.step("doc/increment", ["path": "/count", "by": 2]),
    Scene.step("doc/patch", ["ops": [["op": "replace", "path": "/count", "value": 0.5]]]),
    Scene.step("doc/increment", ["path": "/count", "by": 0.25]),
    Scene.step("doc/insert", ["path": "/list", "index": 0, "value": [7]]),
    Scene.step("doc/insert", ["path": "/list", "index": 0, "value": [8]]),
    Scene.step("doc/remove", ["path": "/list/1"]),
    Scene.step("doc/append", ["path": "/list", "value": ["y": 1]]),
    Scene.step("doc/set", ["path": "/rows/1/n", "value": "changed"]),
    Scene.step("doc/patch", ["ops": [["op": "add", "path": "/rows/1/m", "value": [:]]]]),
    Scene.step("doc/patch", ["ops": [["op": "remove", "path": "/rows/1/m"]]]),
    Scene.step("doc/set", ["path": "/map", "value": ["a": ["b": 2], "e": 1]]),
  ]

  private static func patch(_ path: (String) -> JSON) -> String {
    Scene.step(
      "doc/patch",
      [
        "ops": [
          ["op": "copy", "from": "/count", "path": path("/copied")],
          ["op": "add", "path": "/list/0", "value": path("")],
          ["op": "move", "from": "/rows/1", "path": "/rows/0"],
          ["op": "replace", "path": "/count", "value": 100],
        ]
      ])
  }
}

extension SeededGenerator {
  private static let paths = [
    "/count", "/list/0", "/list/1", "/list/0/n", "/rows/0", "/rows/1", "/rows/1/n", "/map/a",
    "/map/b/c", "/made/x/y", "/" + Scene.longKey,
  ]

  /// A request for a random step; some can't be taken.
  mutating func step(n: inout Int64) -> String {
    let actions = (0..<(chance(85) ? 1 : 2 + below(2))).map { _ in action() }
    if chance(50) { return Scene.step(actions) }
    n += 1
    return Scene.step(actions, n: n)
  }

  private mutating func value() -> JSON {
    pick([
      0, 1, 1.0, "t", nil, [], [1, 1, 2], ["n": 1], ["n": [1, ["n": 2]]], ["a": 1, "b": [:]],
    ])
  }

  private mutating func action() -> (type: String, payload: JSON) {
    let path = JSON.string(pick(Self.paths))
    let list = pick(["/list", "/rows"] as [JSON])
    switch below(16) {
    case 0, 1: return ("doc/set", ["path": path, "value": value()])
    case 2: return ("doc/set", ["path": list, "value": [["n": 1], ["n": 1], 2]])
    case 3, 4: return ("doc/remove", ["path": path])
    case 5: return ("doc/set", ["path": "/count", "value": 0])
    case 6, 7: return ("doc/increment", ["path": "/count", "by": pick([1, 2, 0.5])])
    case 8: return ("doc/append", ["path": list, "value": value()])
    case 9:
      return ("doc/insert", ["path": list, "index": pick([0, 1]), "value": value()])
    case 10: return ("doc/merge", ["path": "/map", "value": ["a": value(), "b": ["c": value()]]])
    case 11, 12: return ("doc/patch", ["ops": [operation()]])
    case 13: return ("doc/patch", ["ops": [operation(), operation(), operation()]])
    default: return lease()
    }
  }

  private mutating func operation() -> JSON {
    [
      "op": pick(["add", "add", "remove", "replace", "replace", "move", "copy"]),
      "path": .string(pick(Self.paths)), "from": .string(pick(Self.paths)), "value": value(),
    ]
  }

  private mutating func lease() -> (type: String, payload: JSON) {
    let name: JSON = pick(["a", "b"])
    let fence = JSON.integer(Int64(1 + below(8)))
    return switch below(4) {
    case 0, 1: ("@lease/acquire", ["name": name, "ttlMs": 1_000])
    case 2: ("@lease/renew", ["name": name, "fence": fence, "ttlMs": 2_000])
    default: ("@lease/release", ["name": name, "fence": fence])
    }
  }
}
