import DuxEngine
import DuxJSON
import DuxLog
import DuxTerminal
import Testing

@testable import dux

/// Whatever comes in whatever order: the explorer shows the state that the daemon has.
@Suite struct ExplorerRandomTests {
  /// A daemon that says anything it may say, and a person who presses anything.
  private struct World {
    var random: SplitMix64
    var scene: ExplorerScene
    var state: JSON
    var seq: Int64 = 10
    var isConnected = true

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      state = ["a": 1, "l": [1, [2, 3], ["x": 1]], "o": ["p": ["q": 1]]]
      scene = .live(state)
    }

    mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func value() -> JSON {
      switch pick(5) {
      case 0: .integer(Int64(pick(100)))
      case 1: .array(JSONArray((0..<pick(4)).map { .integer(Int64($0)) }))
      case 2: ["p": .integer(Int64(pick(9))), "deep": ["x": [1, 2]]]
      case 3: [:]
      default: "text\u{1B}"
      }
    }

    /// A place in the state, and whether an element can be put before it.
    mutating func place() -> (path: JSONPointer, isElement: Bool) {
      var path = JSONPointer.root
      var value = state
      var isElement = false
      while let count = value.entryCount, count > 0, path.isRoot || pick(3) > 0 {
        if case .array = value { isElement = true } else { isElement = false }
        let entry = value.entry(at: pick(count))
        path = path.appending(entry.token)
        value = entry.value
      }
      return (path, isElement)
    }

    mutating func operation() -> JSONPatchOperation {
      let (path, isElement) = place()
      guard !path.isRoot else { return .add(path: path.appending("new"), value: value()) }
      switch pick(4) {
      case 0: return .remove(path: path)
      case 1: return .replace(path: path, value: value())
      case 2 where !isElement:
        return .add(path: (path.parent ?? .root).appending("k\(pick(9))"), value: value())
      default: return .add(path: path, value: value())
      }
    }

    mutating func step() {
      var operations: [JSONPatchOperation] = []
      for _ in 0..<pick(3) {
        let operation = operation()
        guard (try? JSONPatch(operations: [operation]).apply(to: &state)) != nil else { continue }
        operations.append(operation)
      }
      seq += 1
      guard isConnected else { return }
      scene.say([
        "op": "patch", "path": "", "seq": .integer(seq), "time": 1, "client": "tty1",
        "actions": [["type": .string("t\(pick(20))"), "payload": value()]],
        "patch": JSONPatch(operations: operations).json,
      ])
    }

    mutating func snapshot(_ reason: String) {
      scene.say([
        "op": "snapshot", "path": "", "epoch": "e1", "seq": .integer(seq), "state": state,
        "reason": .string(reason),
      ])
    }

    mutating func reconnect() {
      scene.disconnect()
      isConnected = false
      for _ in 0..<pick(3) { step() }
      isConnected = true
      scene.connect(seq: seq)
      snapshot("compacted")
      scene.say(["op": "snapshot", "path": "@presence", "epoch": "p", "seq": 1, "state": [:]])
    }

    mutating func answer() {
      guard let get = scene.lastSent("get"), let id = get["id"] else { return }
      scene.say(["op": "value", "id": id, "path": "", "seq": 1, "value": value()])
    }

    static let keys: [Key] =
      [
        .up, .down, .left, .right, .enter, .tab, .backTab, .escape, .home, .end, .pageUp, .pageDown,
        .backspace, .delete,
      ].map { Key($0) }
      + "jkhlgG*+-:/pvyYsxt[]n?1234 {}\"aso".map { Key.character($0) } + [.control("u")]

    mutating func act() {
      switch pick(20) {
      case 0..<6: step()
      case 6: snapshot("lagged")
      case 7: if pick(4) == 0 { reconnect() }
      case 8: answer()
      case 9: scene.wait(Int64(pick(3_000)))
      case 10: scene.size = Size(columns: pick(160), rows: pick(45))
      case 11:
        let place = Position(row: pick(45), column: pick(160))
        scene.take(.mouse(Mouse(pick(2) == 0 ? .press(.left) : .wheelDown, at: place)))
      case 12: _ = scene.screen()
      default: scene.press(Self.keys[pick(Self.keys.count)])
      }
    }
  }

  @Test(arguments: 0..<16)
  func theScreenAgreesWithTheDaemonAfterAnything(seed: Int) {
    var world = World(seed: UInt64(seed))
    for _ in 0..<120 {
      world.act()
      check(world, seed)
    }
    world.scene.press(Key(.escape), Key(.escape), Key(.escape), "n")
    world.scene.size = Size(columns: 120, rows: 40)
    _ = world.scene.screen()
    #expect(world.scene.explorer.tree.value == world.state)
    #expect(world.scene.explorer.head.value == world.seq)
  }

  private func check(_ world: World, _ seed: Int) {
    var scene = world.scene
    let grid = scene.screen()
    #expect(grid.size == scene.size)
    let explorer = scene.explorer
    #expect(explorer.state == world.state, "seed \(seed)")
    for pane in ExplorerPane.allCases {
      let count = explorer.rowCount(of: pane)
      #expect(explorer.selectedRow(in: pane) < max(1, count), "seed \(seed), \(pane)")
    }
    let tree = explorer.tree
    for row in 0..<tree.rowCount {
      let path = tree.row(at: row)?.path
      #expect(path.map { tree.row(of: $0) } == row, "seed \(seed)")
      if let path { #expect(tree.value?.value(at: path) == tree.row(at: row)?.value) }
    }
    let seqs = explorer.log.entries.map(\.seq.value)
    #expect(zip(seqs, seqs.dropFirst()).allSatisfy { $1 == $0 + 1 }, "seed \(seed)")
  }
}
