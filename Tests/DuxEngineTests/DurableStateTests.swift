import DuxJSON
import DuxLog
import DuxProtocol
import Foundation
import Simulation
import Testing

@testable import DuxEngine
@testable import DuxStore

/// What is shown while steps are on their way to the disk: the state that the log holds, and nothing
/// of what comes after it.
struct DurableStateTests {
  @Test(arguments: Run.allCases, Run.allCases)
  func `reads are of what the log holds, whatever is on its way`(first: Run, second: Run) throws {
    let scene = try Scene()
    scene.send(first.steps(in: "/p"))
    try scene.check("the first group is under way")
    for step in second.steps(in: "/q") { scene.send([step]) }
    try scene.check("the second is open behind it")
    scene.harness.commit()
    #expect(scene.writer.takeOps().count { $0 == "ack" } == first.steps(in: "/p").count)
    try scene.check("the first is durable")
    scene.send([Scene.increment], [Run.merge.steps(in: "/p")[0]])
    try scene.check("a third is open behind the second")
    scene.harness.failCommit()
    try scene.check("the second and the third are refused")
    scene.harness.pass(1_000)
    scene.send([Scene.increment], second.steps(in: "/q"))
    try scene.check("others are under way")
    scene.settle()
    try scene.check("they are durable")
  }

  @Test(arguments: Run.allCases, Run.allCases)
  func `the first look after a group is settled or refused is right, too`(
    first: Run, second: Run
  ) throws {
    let scene = try Scene()
    scene.send(first.steps(in: "/p"), second.steps(in: "/q"))
    scene.harness.commit()
    try scene.check("the second group is under way, nobody looked before")
    scene.settle()
    scene.send([Scene.increment], first.steps(in: "/q"), second.steps(in: "/p"))
    scene.harness.failCommit()
    try scene.check("all are refused, nobody looked before")
    scene.harness.pass(1_000)
    scene.send([Scene.increment])
    scene.settle()
    try scene.check("another is durable")
  }

  @Test(arguments: Run.allCases)
  func `a checkpoint is of the durable state, though steps are on their way`(run: Run) throws {
    let scene = try Scene(checkpointEntries: 2)
    scene.send([Scene.increment], run.steps(in: "/p"))
    scene.harness.tell { $0.startCheckpoint() }
    #expect(scene.harness.checkpoints.count == 1)
    try scene.check(scene.harness.checkpoints.last)
    scene.harness.tell { $0.checkpointEnded() }
    scene.harness.commit()
    try scene.check(scene.harness.engine.lastCheckpoint(upToBytes: .max))
    scene.send(run.steps(in: "/q"))
    scene.harness.commit()
    #expect(scene.harness.checkpoints.count == 2)
    try scene.check(scene.harness.checkpoints.last)
  }

  @Test(arguments: Run.allCases)
  func `a subscription begun meanwhile has the durable state, then each step`(run: Run) throws {
    let scene = try Scene()
    scene.send(run.steps(in: "/p"), run.steps(in: "/q"), Run.edits.steps(in: "/p"))
    try scene.watch("", "/list/1", "/rows/1/n", "/p/pair/1", "/map", "/@leases")
    scene.harness.commit()
    try scene.watch("/list", "/rows/0")
    try scene.checkWatchers("the first group is durable")
    scene.harness.failCommit()
    scene.harness.pass(1_000)
    scene.send([Scene.increment], run.steps(in: "/q"))
    try scene.watch("/p", "/q")
    scene.settle()
    try scene.checkWatchers("all is durable")
  }

  @Test(arguments: Run.allCases)
  func `below an array each step is told as it was, with steps open behind the group`(
    run: Run
  ) throws {
    let scene = try Scene()
    try scene.watch("/rows/0/n", "/rows/1/n", "/rows/1", "/rows/2")
    let shifts = [
      Scene.step("doc/insert", ["path": "/rows", "index": 0, "value": ["n": "new"]]),
      Scene.step("doc/set", ["path": "/rows/1/n", "value": "now"]),
      Scene.step("doc/remove", ["path": "/rows/2"]),
    ]
    scene.send([Scene.increment], shifts + run.steps(in: "/p"))
    scene.harness.commit()
    let others = [
      Scene.step("doc/remove", ["path": "/rows/0"]),
      Scene.step("doc/append", ["path": "/rows", "value": ["n": "last"]]),
      Scene.step("doc/insert", ["path": "/rows", "index": 1, "value": ["n": "between"]]),
    ]
    scene.send(run.steps(in: "/q") + others)
    scene.harness.commit()
    try scene.checkWatchers("the shifts are durable")
    #expect(scene.watchers.allSatisfy { $0.patchCount > 0 })
    scene.settle()
    try scene.checkWatchers("the others are durable")
  }

  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func `whatever happens, what is shown is what the log holds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scene = try Scene()
    for moment in 0..<160 {
      try happen(in: scene, &random)
      let place = "seed \(seed), moment \(moment)"
      if random.chance(40) { try scene.check(place) }
      try scene.checkWatchers(place)
      guard scene.isRight else { return }
    }
    scene.harness.pass(1_000)
    scene.settle()
    try scene.check("seed \(seed), at the end")
    try scene.checkWatchers("seed \(seed), at the end")
    #expect(scene.harness.disk.head.value > 20, "seed \(seed)")
  }

  private func happen(in scene: Scene, _ random: inout SeededGenerator) throws {
    let harness = scene.harness
    switch random.below(20) {
    case 0...8: scene.send((0...random.below(4)).map { _ in random.step(n: &scene.lastN) })
    case 9...14: if !harness.commits.isEmpty { harness.commit() }
    case 15:
      if !harness.commits.isEmpty { harness.failCommit() }
      if random.chance(70) { harness.pass(1_000) }
    case 16: harness.pass(1_000)
    case 17: try scene.watch(random.pick(["", "/list/1", "/list/0/n", "/rows/1/n", "/map/a"]))
    case 18:
      harness.tell { $0.startCheckpoint() }
      try scene.check(scene.newCheckpoint())
    default: if random.chance(20) { try scene.crash() }
    }
  }
}

/// Steps that go to the disk together.
///
/// Those of a run are taken whatever runs came before, once for each path.
enum Run: CaseIterable, CustomTestStringConvertible {
  case edits, merge, patch, batch, lease, neighbours, longKey, unchanged
  case editsThenMerge, mergeThenEdits, mergesAmongEdits

  var testDescription: String { "\(self)" }

  /// The steps, of which some change what others do too, and some what is below a path.
  fileprivate func steps(in own: String) -> [String] {
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

/// The document app as it is served, with one who writes, one who reads, and some who watch.
private final class Scene {
  static let longKey = String(repeating: "k", count: 300)
  static let increment = step("doc/increment", ["path": "/count"])

  let harness: EngineHarness
  var lastN: Int64 = 0
  /// Those who watch, each one path.
  private(set) var watchers: [Watcher] = []
  private(set) var writer: EngineHarness.Peer
  /// Whether nothing was wrong yet.
  private(set) var isRight = true
  private var reader: EngineHarness.Peer
  private var log: LogReplay

  init(checkpointEntries: Int = 1_000_000) throws {
    let limits = StateLimits(maximumDepth: 16, maximumBytes: 1_000_000)
    let store = try HostedApp(
      Leased(DocumentApp(limits: limits)), limits: limits,
      dependencies: DependencyValues(.test).setting { values in
        values.date = Source("date") { Date(timeIntervalSince1970: 1) }
      })
    harness = try EngineHarness(store: store, checkpointEntries: checkpointEntries)
    log = LogReplay(store)
    writer = harness.connect(as: "w")
    reader = harness.connect(as: nil)
    let own: JSON = ["x": 0, "gone": [1], "pair": [4, 4, 4], "same": 1, Self.longKey: 1]
    harness.set(
      "",
      to: [
        "count": 0, "list": [1, 1, 2], "rows": [["n": "a"], ["n": "b"]],
        "map": ["a": 1, "b": [:]], "p": own, "q": own,
      ], on: writer)
    _ = writer.takeLines()
    harness.isPrompt = false
  }

  static func step(_ type: String, _ payload: JSON) -> String { step([(type, payload)]) }

  /// A request for one step of some actions.
  static func step(_ actions: [(type: String, payload: JSON)], n: Int64? = nil) -> String {
    let list = actions.map { ["type": .string($0.type), "payload": $0.payload] as JSON }
    let number = n.map { "\"n\":\($0)," } ?? ""
    return list.count == 1
      ? "{\"op\":\"dispatch\",\(number)\"action\":\(list[0])}"
      : "{\"op\":\"dispatch\",\(number)\"actions\":\(JSON.array(JSONArray(list)))}"
  }

  /// Sends steps, those of each list in a turn of their own.
  func send(_ turns: [String]...) {
    for steps in turns { harness.send(steps.joined(separator: "\n"), on: writer) }
  }

  /// Lets all become durable that is on its way.
  func settle() {
    while !harness.commits.isEmpty { harness.commit() }
  }

  func crash() throws {
    watchers = []
    try harness.crash()
    harness.isPrompt = true
    writer = harness.connect(as: "w")
    reader = harness.connect(as: nil)
    harness.isPrompt = false
  }

  /// Checks what a read of the whole state gives.
  func check(_ moment: String, at location: SourceLocation = #_sourceLocation) throws {
    try log.read(harness.disk)
    harness.send(#"{"op":"get"}"#, on: reader)
    let lines = reader.takeLines().filter { $0["op"] != "mark" }
    let seqs = lines.map { $0["seq"]?.integerValue }
    expect(seqs == [harness.disk.head.value], "\(moment): read at \(seqs)", location)
    let (found, held) = (lines.last?["value"] ?? nil, log.states.last ?? nil)
    expect(found.bytes == held.bytes, "\(moment): \(found) for \(held)", location)
  }

  func check(_ checkpoint: Checkpoint?, at location: SourceLocation = #_sourceLocation) throws {
    guard let checkpoint else { return }
    try log.read(harness.disk)
    expect(checkpoint.seq == harness.disk.head, "at \(checkpoint.seq)", location)
    let (found, held) = (checkpoint.state, log.states.last?.bytes ?? [])
    expect(found == held, "the checkpoint is \(String(decoding: found, as: UTF8.self))", location)
  }

  /// The checkpoint that was asked for since the last look, which is then over.
  func newCheckpoint() -> Checkpoint? {
    defer { checkpointCount = harness.checkpoints.count }
    guard harness.checkpoints.count > checkpointCount else { return nil }
    harness.tell { $0.checkpointEnded() }
    return harness.checkpoints.last
  }

  private var checkpointCount = 0

  /// Begins to watch paths, and checks what is told at once.
  func watch(_ paths: String..., at location: SourceLocation = #_sourceLocation) throws {
    for path in paths {
      let peer = harness.connect(as: nil)
      harness.send("{\"op\":\"subscribe\",\"path\":\"\(path)\"}", on: peer)
      let watcher = try Watcher(path, peer)
      watchers.append(watcher)
      try checkWatchers("\"\(path)\" is watched from now on", at: location)
      let seq = watcher.replica.position?.seq
      expect(seq == harness.disk.head, "\(path) begins at \(String(describing: seq))", location)
    }
  }

  /// Checks what was told to those who watch.
  func checkWatchers(_ moment: String, at location: SourceLocation = #_sourceLocation) throws {
    try log.read(harness.disk)
    for watcher in watchers {
      let fault = try watcher.fault(log.states)
      expect(fault == nil, "\(moment), \(watcher.path): \(fault ?? "")", location)
    }
  }

  private func expect(_ isRight: Bool, _ text: @autoclosure () -> String, _ at: SourceLocation) {
    if isRight { return }
    self.isRight = false
    Issue.record("\(text())", sourceLocation: at)
  }
}

/// One who watches a path.
private final class Watcher {
  let path: JSONPointer
  private(set) var replica: Replica
  private(set) var patchCount = 0
  private let peer: EngineHarness.Peer

  init(_ path: String, _ peer: EngineHarness.Peer) throws {
    self.path = try JSONPointer(path)
    self.peer = peer
    replica = Replica(path: path)
  }

  /// Takes what came, and holds it against the states after each seq.
  ///
  /// - Returns: what is wrong; nothing if nothing is.
  func fault(_ states: [JSON]) throws -> String? {
    for line in peer.takeLines() {
      switch try line.bytes.withUnsafeBytes({ try ServerMessage($0) }) {
      case .snapshot(let snapshot): _ = replica.take(snapshot)
      case .patch(let patch):
        if let fault = fault(states, through: patch.seq.previous) { return "before it: \(fault)" }
        try replica.take(patch)
        patchCount += 1
      case .mark(_, let seq): replica.take(markAt: seq)
      default: continue
      }
      guard let seq = replica.position?.seq else { return "no position" }
      if Int(seq.value) >= states.count { return "told of \(seq), which is not durable" }
      if let fault = fault(states, through: seq) { return fault }
    }
    return fault(states, through: SequenceNumber(Int64(states.count - 1)))
  }

  /// Whether the value is what it was after each seq that nothing was told of.
  private func fault(_ states: [JSON], through end: SequenceNumber) -> String? {
    guard let start = replica.position?.seq, start <= end else { return nil }
    let held = replica.value?.bytes
    for seq in start.value...end.value {
      let state = states[Int(seq)].value(at: path)
      if state?.bytes != held {
        return "\(String(describing: replica.value)) for \(String(describing: state)) at \(seq)"
      }
    }
    return nil
  }
}

/// The states that a log tells of, by its patches and by its actions alike.
private struct LogReplay {
  /// The state after each seq; the first is the initial one.
  private(set) var states: [JSON]
  private var store: any HostedStore

  init(_ store: any HostedStore) {
    self.store = store
    states = [store.view]
  }

  mutating func read(_ disk: VirtualDisk) throws {
    for entry in disk.allEntries[(states.count - 1)...] {
      var state = states[states.count - 1]
      try JSONPatch(JSON(parsing: entry.patch)).apply(to: &state)
      let actions = try JSON(parsing: entry.actions).arrayValue ?? []
      _ = try store.replay(actions.map { try WireAction($0) }, author: entry.client)
      try #require(store.view.bytes == state.bytes, "seq \(entry.seq) replays as \(store.view)")
      states.append(state)
    }
  }
}

extension SeededGenerator {
  private static let paths = [
    "/count", "/list/0", "/list/1", "/list/0/n", "/rows/0", "/rows/1", "/rows/1/n", "/map/a",
    "/map/b/c", "/made/x/y", "/" + Scene.longKey,
  ]

  /// A request for a random step; some can't be taken.
  fileprivate mutating func step(n: inout Int64) -> String {
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
