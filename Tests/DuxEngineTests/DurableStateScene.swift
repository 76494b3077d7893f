import DuxJSON
import DuxLog
import DuxProtocol
import Foundation
import Simulation
import Testing

@testable import DuxEngine
@testable import DuxStore

/// The document app as it is served, with one who writes, one who reads, and some who watch.
final class Scene {
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
final class Watcher {
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
