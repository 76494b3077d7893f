import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore
import Simulation
import Testing

@testable import DuxEngine

/// A daemon's brain with the test in the place of the network, the disk and the clock.
final class EngineHarness {
  /// One connection, seen from the client.
  final class Peer: Outlet {
    let id: ConnectionID
    /// How many bytes it takes from now on; without end, if nothing.
    var room: Int?
    var bytes: [UInt8] = []
    var isPaused = false
    var isClosed = false

    init(_ id: ConnectionID) { self.id = id }

    /// The whole lines that came since the last look.
    func takeLines() -> [JSON] {
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      bytes = Array(lines.last ?? [])
      return lines.dropLast().map { (try? JSON(parsing: $0, maximumDepth: .max)) ?? "no JSON" }
    }

    /// Whether it has said that it takes nothing now.
    var isBlocked = false
    /// How often it was offered bytes, and when it was last, counted over all peers of a harness.
    private(set) var writeCount = 0
    private(set) var lastWrite = 0
    fileprivate var writes = Count()

    var isWritable: Bool { !isClosed && !isBlocked }

    func write(_ runs: UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Int {
      writeCount += 1
      writes.value += 1
      lastWrite = writes.value
      var taken = 0
      for run in runs {
        let piece = run.prefix(room ?? run.count)
        bytes += piece
        taken += piece.count
        room = room.map { $0 - piece.count }
        if piece.count < run.count { break }
      }
      return taken
    }

    func takeOps() -> [String] { takeLines().map { $0["op"]?.stringValue ?? "?" } }
  }

  /// Something that is counted in one place by many.
  fileprivate final class Count {
    var value = 0
  }

  let disk: VirtualDisk
  private let writes = Count()
  private(set) var engine: Engine
  private let configuration: EngineConfiguration
  private(set) var peers: [ConnectionID: Peer] = [:]
  private(set) var commits: [Commit] = []
  private(set) var questions: [(question: Question, token: Token)] = []
  private(set) var checkpoints: [Checkpoint] = []
  /// What effects are to do, since the last look.
  var effectOutputs: [EffectOutput<HostedAction>] = []
  private(set) var reports: [String] = []
  /// How often all effects were stopped.
  private(set) var stopCount = 0
  /// Whether commits and questions are dealt with as they come.
  var isPrompt = true
  private var count: UInt64 = 0
  private var nowMs: Int64 = 1_000

  /// A daemon of a store, by default the stock app's, or one that goes on with a disk.
  init(
    store: (any HostedStore)? = nil, disk: VirtualDisk? = nil, ringBytes: Int = 1 << 20,
    limits: Limits = .test, maximumClients: Int = 100, storageRetryMs: Int = 1_000,
    checkpointEntries: Int = 1_000_000, isPrompt: Bool = true
  ) throws {
    let stateLimits = StateLimits(
      maximumDepth: limits.maximumDepth, maximumBytes: limits.maximumStateBytes)
    let store =
      try store ?? HostedApp(DocumentApp(limits: stateLimits), limits: stateLimits)
    self.isPrompt = isPrompt
    self.disk = disk ?? VirtualDisk(epoch: "e", store: store)
    self.isPrompt = isPrompt
    configuration = EngineConfiguration(
      server: "test", limits: limits, durability: "full", heartbeatMs: 5_000,
      helloTimeoutMs: 10_000, stallTimeoutMs: 20_000, maximumClients: maximumClients,
      ringBytes: ringBytes, storageRetryMs: storageRetryMs,
      checkpoint: CheckpointPolicy(minimumLogBytes: 1 << 30, maximumEntries: checkpointEntries),
      processID: 1)
    engine = Engine(
      try self.disk.start(recentCount: 100), configuration: configuration, nowMs: nowMs,
      wallMs: 5_000, seed: 1)
    engine.start()
    endTurn()
  }

  /// Loses all that is not durable, and starts a new brain from the disk.
  func crash() throws {
    peers = [:]
    commits = []
    questions = []
    effectOutputs = []
    engine = Engine(
      try disk.start(recentCount: 100), configuration: configuration, nowMs: nowMs,
      wallMs: 5_000 + nowMs, seed: 2)
    engine.start()
    endTurn()
  }

  // The network.

  func connect() -> Peer {
    count += 1
    let peer = Peer(ConnectionID(count))
    peer.writes = writes
    peers[peer.id] = peer
    engine.connected(peer.id, outlet: peer)
    endTurn()
    return peer
  }

  /// A connection that was welcomed.
  func connect(as name: String?) -> Peer {
    let peer = connect()
    let client = name.map { ",\"client\":\"\($0)\"" } ?? ""
    send(#"{"op":"hello","protocol":1\#(client)}"#, on: peer)
    if isPrompt { _ = peer.takeLines() }
    return peer
  }

  func send(_ lines: String..., on peer: Peer) {
    sendBytes(Array((lines.joined(separator: "\n") + "\n").utf8), on: peer)
  }

  func sendBytes(_ bytes: [UInt8], on peer: Peer) {
    bytes.withUnsafeBytes { engine.received($0, from: peer.id) }
    endTurn()
  }

  /// Sets a value, as many times as there are values.
  func set(_ path: String, to values: JSON..., on peer: Peer, from n: Int64? = nil) {
    for (index, value) in values.enumerated() {
      let number = n.map { ",\"n\":\($0 + Int64(index))" } ?? ""
      let payload: JSON = ["path": .string(path), "value": value]
      send(
        #"{"op":"dispatch"\#(number),"action":{"type":"doc/set","payload":\#(payload)}}"#, on: peer)
    }
  }

  func lose(_ peer: Peer) {
    peer.isClosed = true
    engine.disconnected(peer.id)
    endTurn()
  }

  /// Lets the peer take more, and sends it.
  func give(room: Int?, to peer: Peer) {
    peer.room = room
    engine.flush(peer.id)
    endTurn()
  }

  // Turns.

  func endTurn() {
    repeat {
      engine.endTurn()
      for effect in engine.takeEffects() { carryOut(effect) }
      engine.flush()
      if isPrompt { beDiligent() }
    } while engine.hasWork
  }

  private func carryOut(_ effect: EngineEffect) {
    switch effect {
    case .commit(let commit): commits.append(commit)
    case .ask(let question, let token): questions.append((question, token))
    case .pauseReading(let id): peers[id]?.isPaused = true
    case .resumeReading(let id): peers[id]?.isPaused = false
    case .close(let id):
      guard let peer = peers[id], !peer.isClosed else { return }
      peer.isClosed = true
      engine.disconnected(id)
    case .checkpoint(let seq, let time, let state):
      checkpoints.append(Checkpoint(seq: seq, time: time, state: state.bytes))
    case .effects(let outputs): effectOutputs += outputs
    case .resume(let senders): senders.forEach { $0() }
    case .stopEffects:
      effectOutputs = []
      stopCount += 1
    case .report(let text): reports.append(text)
    }
  }

  private func beDiligent() {
    while !commits.isEmpty { makeDurable() }
    while !questions.isEmpty { answerNext() }
  }

  // The disk.

  private func makeDurable() {
    disk.append(commits.removeFirst())
    engine.committed()
  }

  func commit(at location: SourceLocation = #_sourceLocation) {
    guard hasCommit(location) else { return }
    makeDurable()
    endTurn()
  }

  /// Lets something happen to effects.
  func tell(_ body: (Engine) -> Void) {
    body(engine)
    endTurn()
  }

  private func hasCommit(_ location: SourceLocation) -> Bool {
    if commits.isEmpty {
      Issue.record("nothing is on its way to the disk", sourceLocation: location)
    }
    return !commits.isEmpty
  }

  func failCommit(
    _ fault: StorageFault = .full("no space"), at location: SourceLocation = #_sourceLocation
  ) {
    guard hasCommit(location) else { return }
    commits.removeFirst()
    engine.commitFailed(fault)
    endTurn()
  }

  private func answerNext() {
    let (question, token) = questions.removeFirst()
    engine.answer(disk.answer(question), to: token)
  }

  func answer() {
    answerNext()
    endTurn()
  }

  func answer(with answer: Answer) {
    engine.answer(answer, to: questions.removeFirst().token)
    endTurn()
  }

  /// Writes a checkpoint of now and lets all steps before it go.
  func compact() {
    disk.write(
      Checkpoint(
        seq: disk.head, time: nowMs, state: engine.durableState.bytes))
    disk.compact(to: disk.head)
    engine.storageChanged(disk.figures)
  }

  // The clock.

  func pass(_ ms: Int64) {
    nowMs += ms
    engine.advance(nowMs: nowMs, wallMs: 5_000 + nowMs)
    engine.tick()
    endTurn()
  }

  func session(of peer: Peer) -> Session? { engine.sessions[peer.id] }
}

extension Limits {
  static let test = Limits(
    maximumLineBytes: 100_000, maximumDepth: 16, maximumStateBytes: 1_000_000)
}
