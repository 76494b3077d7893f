import DuxEngine
import DuxJSON
import DuxLog

/// The whole way of an action through the brain, and what its subscribers cost.
extension Benchmark {
  static let engine = [
    Benchmark(
      "ring", "put a frame of 280 bytes into a ring and read it", rounds: 64, operations: 64
    ) {
      let ring = FrameRing(after: .zero)
      let frame = [UInt8](repeating: 0x78, count: 280)
      var seq = SequenceNumber.zero
      return { meter in
        try meter.measure {
          for _ in 0..<64 {
            seq = seq.next
            let offset = ring.endOffset
            frame.withUnsafeBytes { _ = ring.append($0, seq: seq) }
            keep(ring.bytes(from: offset))
            if ring.endOffset - ring.startOffset > 1 << 18 { ring.dropOldestBlock() }
          }
        }
      }
    },
    Benchmark(
      "action", "one doc/set from its bytes to those of its ack, in a group of its own",
      rounds: 256,
      operations: Inputs.clientCount
    ) {
      let daemon = try InProcessDaemon(writers: Inputs.clientCount, subscribers: 0)
      return { meter in
        let lines = daemon.nextLines(each: 1)
        try meter.measure {
          for (writer, line) in zip(daemon.writers, lines) {
            daemon.receive(line, from: writer)
            daemon.endTurn()
            daemon.commit()
          }
        }
      }
    },
    Benchmark(
      "action-grouped", "the same in a group of 16 clients with 16 each, and one subscriber",
      rounds: 32, operations: 256
    ) {
      let daemon = try InProcessDaemon(writers: Inputs.clientCount, subscribers: 1)
      return { meter in
        let lines = daemon.nextLines(each: 16)
        try meter.measure {
          for (writer, line) in zip(daemon.writers, lines) { daemon.receive(line, from: writer) }
          daemon.endTurn()
          daemon.commit()
        }
      }
    },
    turn(subscribers: 1, rounds: 256),
    turn(subscribers: 100, rounds: 256),
    turn(subscribers: 1_000, rounds: 256),
    Benchmark(
      "delivery", "what one more of 1,000 subscribers costs, for one patch",
      difference: "turn-1000", over: "turn-100", operations: 900, allocationLimit: 0),
  ]

  private static func turn(subscribers: Int, rounds: Int) -> Benchmark {
    let audience = subscribers == 1 ? "a subscriber" : "\(subscribers) subscribers"
    return Benchmark(
      "turn-\(subscribers)", "one doc/set, its ack, and its patch to \(audience)",
      rounds: rounds, operations: 1
    ) {
      let daemon = try InProcessDaemon(writers: 1, subscribers: subscribers)
      return { meter in
        let lines = daemon.nextLines(each: 1)
        let sent = daemon.sendCount
        try meter.measure {
          daemon.receive(lines[0], from: daemon.writers[0])
          daemon.endTurn()
          daemon.commit()
        }
        guard daemon.sendCount - sent == subscribers + 1 else {
          throw BenchmarkFault("not all subscribers were sent the patch")
        }
      }
    }
  }
}

/// The brain with what the daemon's shell does for it, but for sockets and the disk.
private final class InProcessDaemon {
  private let engine: Engine
  private(set) var writers: [ConnectionID] = []
  private var connectionCount: UInt64 = 0
  private var isCommitting = false
  private var clockMs: Int64 = 1_000
  private var step = 0
  private var n = 0
  private var outlets: [CountingOutlet] = []
  /// How often bytes were sent, to anybody.
  var sendCount: Int { outlets.reduce(0) { $0 + $1.count } }

  init(writers: Int, subscribers: Int) throws {
    let seq = SequenceNumber(1)
    engine = Engine(
      Engine.Start(
        store: try Inputs.documentStore(), epoch: "e", seq: seq, time: 1, recentEntries: [],
        storage: StorageFigures(floor: seq, logBytes: 0, checkpoint: seq), bytesSinceCheckpoint: 0,
        entriesSinceCheckpoint: 0),
      configuration: EngineConfiguration(
        server: "benchmark", limits: Inputs.limits, durability: "full", heartbeatMs: 15_000,
        helloTimeoutMs: 10_000, stallTimeoutMs: 60_000, maximumClients: 10_000,
        // Small, so that it is full, as in a daemon that has run for a while.
        ringBytes: 1 << 18, storageRetryMs: 1_000,
        checkpoint: CheckpointPolicy(minimumLogBytes: .max, maximumEntries: .max), processID: 1),
      nowMs: clockMs, wallMs: clockMs, seed: 1)
    engine.start()
    self.writers = (0..<writers).map { connect(Inputs.client($0)) }
    for _ in 0..<subscribers {
      let subscriber = connect(nil)
      receive(
        Array(#"{"op":"subscribe","path":"","since":1,"epoch":"e"}\#n"#.utf8), from: subscriber)
      endTurn()
    }
    guard sendCount == writers + 2 * subscribers else {
      throw BenchmarkFault("somebody was not welcomed")
    }
  }

  private func connect(_ client: String?) -> ConnectionID {
    connectionCount += 1
    let id = ConnectionID(connectionCount)
    let outlet = CountingOutlet()
    outlets.append(outlet)
    engine.connected(id, outlet: outlet)
    let name = client.map { #","client":"\#($0)""# } ?? ""
    receive(Array(#"{"op":"hello","protocol":1\#(name)}\#n"#.utf8), from: id)
    endTurn()
    return id
  }

  /// The next lines of each writer, so many in a piece.
  func nextLines(each count: Int) -> [[UInt8]] {
    let first = n + 1
    n += count
    return writers.map { _ in
      (first...n).flatMap { n in
        step += 1
        return Inputs.line(step, n: n)
      }
    }
  }

  /// Takes what came in on a connection.
  func receive(_ bytes: [UInt8], from id: ConnectionID) {
    advance()
    bytes.withUnsafeBytes { engine.received($0, from: id) }
  }

  /// Lets the disk answer until nothing is on its way to it.
  func commit() {
    while isCommitting {
      isCommitting = false
      advance()
      engine.committed()
      endTurn()
    }
  }

  private func advance() {
    clockMs += 1
    engine.advance(nowMs: clockMs, wallMs: clockMs)
  }

  /// Ends a turn of the loop.
  func endTurn() {
    repeat {
      engine.endTurn()
      for effect in engine.takeEffects() { carryOut(effect) }
      engine.flush()
    } while engine.hasWork
  }

  private func carryOut(_ effect: EngineEffect) {
    switch effect {
    case .commit: isCommitting = true
    case .ask(.lastN, let token): engine.answer(.lastN(0), to: token)
    default: break
    }
  }
}

/// A connection that takes all it is sent.
private final class CountingOutlet: Outlet {
  private(set) var count = 0
  let isWritable = true

  func write(_ runs: UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Int {
    count += 1
    return runs.reduce(0) { $0 + $1.count }
  }
}
